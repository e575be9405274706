import DetentTypes

/// Reads sources of feedback at devices nearby, and the terms of serial lines.
extension ControlDraft {
    /// The lines of a device nearby.
    func wireSource(_ key: String, _ value: YAMLNode, _ section: Section) -> FeedbackSource? {
        guard value.entries != nil else { return nil }
        let fields = schema.keys(in: section).flatMap { key in
            value[key.name].map { key.shape.fields(of: $0, named: key.name, schema) } ?? []
        }
        checkTerms(value)
        checkPlace(value, key)
        checkContent(value)
        if let expect = value["expect"], expect.text?.contains("{value}") != true {
            log.error(
                .invalidArgument, at: expect.place, "`expect` of a feedback needs `{value}`",
                help: "write where a line has the value, such as `VOLT {value}`")
        }
        return .wire(key, fields: fields)
    }

    private func checkPlace(_ value: YAMLNode, _ key: String) {
        guard key == "udp" else { return }
        switch (value["to"], value.key("listen")) {
        case (nil, nil):
            log.error(
                .missingKey, at: value.place, "`udp` has neither `to` nor `listen`",
                help: "add `to:` for a device that answers, or `listen:` for one that reports by "
                    + "itself")
        case (_?, let listen?):
            log.error(
                .conflictingKeys, at: listen.place, "`to` and `listen` cannot be combined",
                help: "keep one of them")
        case (_?, nil), (nil, _?): break
        }
    }

    private func checkContent(_ value: YAMLNode) {
        let given = ["text", "hex"].filter { value[$0] != nil }
        if let listen = value["listen"], let content = given.first, value["to"] == nil {
            log.error(
                .conflictingKeys, at: listen.place,
                "nothing can be sent to an address of this machine, but there is `\(content)`",
                help: "write `to:` instead of `listen:`")
        } else if given.count > 1, let hex = value.key("hex") {
            log.error(
                .conflictingKeys, at: hex.place, "`text` and `hex` cannot be combined",
                help: "keep one of them")
        } else if given.isEmpty, let every = value.key("every") {
            log.error(
                .missingKey, at: every.place, "`every` has no effect without `text` or `hex`",
                help: "add `text:`, the question for the device, or remove `every`")
        }
    }

    /// A serial device can be opened once, so its line has the same terms everywhere.
    func checkTerms(_ value: YAMLNode) {
        guard let device = value["device"]?.text else { return }
        let terms = WireKeys.terms.map { value[$0]?.text ?? "" }
        guard let former = builder.serialTerms.updateValue(terms, forKey: device),
            let place = zip(WireKeys.terms.indices, zip(former, terms)).first(where: {
                $0.1.0 != $0.1.1
            })?.0
        else { return }
        let name = WireKeys.terms[place]
        log.error(
            .conflictingKeys, at: value[name]?.place ?? value.place,
            "the line of `\(quoted(device))` has another `\(name)` elsewhere in the file",
            help: "write the same `\(name)` wherever the device is used")
    }
}
