import DetentCore
import DetentTypes

/// Reads what the device of a control reports without being asked.
extension ControlDraft {
    /// How the device reports its value; nil without the key, or with a problem in the log. Adds
    /// the line of a feedback: call it after the control's other lines were added.
    func feedback(_ parts: inout Kind.Parts) -> FeedbackPlan? {
        guard let node = self["feedback"], node.entries != nil else { return nil }
        checkFeedbackHasUse(parts.settings)
        guard let key = feedbackKey(node), let value = node[key] else { return nil }
        let words = feedbackWords(node["map"], parts)
        if key != "panel", let place = node.key("control")?.place {
            log.error(
                .conflictingKeys, at: place, "`control` has no effect without `panel`",
                help: "write `{panel: NAME, control: ID}`, or remove it")
        }
        // The topic of a state has more than the value.
        var pointer: String? = key == "panel" ? "/actual" : nil
        if let place = node["pointer"], let text = place.text {
            pointer = text
            checkPointer(place)
        }
        guard let source = feedbackSource(key, value, node, &parts.settings) else { return nil }
        return FeedbackPlan(
            source, pointer: pointer, words: words, lag: node["lag"]?.durationValue ?? .zero)
    }

    func checkPointer(_ node: YAMLNode) {
        guard let text = node.text, !text.hasPrefix("/") else { return }
        log.error(
            .invalidArgument, at: node.place,
            "`\(quoted(text))` is not the place of a value in JSON",
            help: "write a `/` before each name, such as `/state/power`")
    }

    /// A control that cannot tell its device a value has no use for the word of the device.
    private func checkFeedbackHasUse(_ settings: ControlSettings) {
        guard settings.actions == .none, settings.outputs.count == 0, !settings.isReported,
            let place = node.key("feedback")?.place
        else { return }
        log.error(
            .missingKey, at: place,
            "`feedback` has no effect without `action` or an output: the device never learns a new "
                + "value",
            help: "add `action:`; a lamp that only shows the device has `kind: indicator`")
    }

    private func feedbackKey(_ node: YAMLNode) -> String? {
        let given = Schema.feedbackSources.filter { node[$0] != nil }
        guard let key = given.first else {
            let known = builder.schema.keys(in: .feedback).map(\.name)
            let sources = Schema.feedbackSources
            if node.misspells(sources, among: known, in: .feedback, of: builder.schema) {
                return nil
            }
            return log.refuse(
                .missingKey, at: node.place, "`feedback` has no source",
                help: "add one of \(sources.map { "`\($0)`" }.joined(separator: ", "))")
        }
        if let other = given.dropFirst().first, let place = node.key(other)?.place {
            return log.refuse(
                .conflictingKeys, at: place, "`\(key)` and `\(other)` cannot be combined",
                help: "keep one of them")
        }
        return key
    }

    private func feedbackSource(
        _ key: String, _ value: YAMLNode, _ node: YAMLNode, _ settings: inout ControlSettings
    ) -> FeedbackSource? {
        if key != "line", let place = node.key("debounce")?.place {
            log.error(
                .conflictingKeys, at: place, "`debounce` has no effect without `line`",
                help: "remove it")
        }
        switch key {
        case "watch":
            return value.items.map { .program(arguments: $0.map { $0.text ?? "" }) }
        case "line":
            return feedbackLine(value, node, &settings)
        case "http":
            guard value.entries != nil else { return nil }
            let fields = builder.schema.keys(in: .feedbackRequest).filter {
                $0.name != "every"
            }.flatMap { key in
                value[key.name].map { key.shape.fields(of: $0, named: key.name, builder.schema) }
                    ?? []
            }
            return .request(
                fields: fields, every: value["every"]?.durationValue ?? Defaults.feedbackPeriod)
        case "mqtt":
            return needsBroker(key, node) {
                value.text.flatMap { topic in
                    isForeign(topic, at: value.place) ? .topic(topic) : nil
                }
            }
        case "panel":
            return needsBroker(key, node) { otherControl(value, node) }
        case "osc":
            return message(value, node)
        case _:
            return Schema.feedbackWires.first { $0.key == key }.flatMap {
                wireSource(key, value, $0.section)
            }
        }
    }

    /// An argument of messages that arrive at this machine.
    private func message(_ value: YAMLNode, _ node: YAMLNode) -> FeedbackSource? {
        if let place = node.key("pointer")?.place {
            log.error(
                .conflictingKeys, at: place, "`pointer` has no effect with `osc`",
                help: "remove it; `argument` says which part of the message is the report")
        }
        guard let listen = value["listen"]?.text.flatMap(HostAndPort.init),
            let address = value["address"]?.text
        else { return nil }
        return .message(
            address, argument: value["argument"]?.integerValue ?? Defaults.messageArgument,
            at: listen)
    }

    /// A control of another panel.
    private func otherControl(_ value: YAMLNode, _ node: YAMLNode) -> FeedbackSource? {
        if let place = node.key("pointer")?.place {
            log.error(
                .conflictingKeys, at: place, "`pointer` has no effect with `panel`",
                help: "remove it; `mqtt: TOPIC` with a `pointer` reads any place of any message")
        }
        guard let panel = value.text, let control = node["control"]?.text else {
            return log.refuse(
                .missingKey, at: node.place, "`panel` has no `control`",
                help: "write `{panel: NAME, control: ID}`")
        }
        let source = FeedbackSource.control(control, panel: panel)
        guard let topic = source.topic, BrokerPlan.isTopic(topic), !control.contains("/") else {
            return log.refuse(
                .invalidArgument, at: node["control"]?.place ?? node.place,
                "`\(quoted(control))` is not the id of a control",
                help: "write the id that the file of the other panel has, such as `control: lamp`")
        }
        return isForeign(topic, at: value.place) ? source : nil
    }

    /// A panel that heard itself would confirm whatever it shows.
    func isForeign(_ topic: String, at place: SourcePlace) -> Bool {
        guard builder.broker?.owns(topic) == true else { return true }
        log.error(
            .invalidArgument, at: place, "this is a topic of this panel: it would hear itself",
            help: "name the topic of the device, or another panel")
        return false
    }

    /// Sources that come through the broker of the panel.
    private func needsBroker(
        _ key: String, _ node: YAMLNode, _ source: () -> FeedbackSource?
    ) -> FeedbackSource? {
        guard builder.hasBroker else {
            return log.refuse(
                .missingKey, at: node.key(key)?.place ?? node.place,
                "`\(key)` needs a broker", help: Self.brokerHelp)
        }
        return source()
    }

    private func feedbackLine(
        _ value: YAMLNode, _ node: YAMLNode, _ settings: inout ControlSettings
    ) -> FeedbackSource? {
        for key in ["pointer", "map"] {
            guard let place = node.key(key)?.place else { continue }
            log.error(
                .conflictingKeys, at: place, "`\(key)` has no effect with `line`",
                help: "remove it; `{line: NAME, active: high}` turns the level round")
        }
        if let place = self.node.key("stale-after")?.place {
            log.error(
                .conflictingKeys, at: place,
                "`stale-after` has no effect with a `line`, whose level is known at all times",
                help: "remove it; a line that fails shows `fault`")
        }
        guard settings.nature.latch != nil else {
            return log.refuse(
                .wrongType, at: node.key("line")?.place ?? node.place,
                "a `line` can only report on and off",
                help: "use another source for a control with other values, such as `watch`")
        }
        let line = LineID(builder.nextLine)
        let draft = ControlDraft(id: id, node: node, control: control, builder: builder)
        builder.addContact(value, of: self, debounce: draft.debounce(default: .lever))
        settings.feedbackLine = line
        return .line(line)
    }

    private func feedbackWords(_ node: YAMLNode?, _ parts: Kind.Parts) -> [FeedbackPlan.Word] {
        (node?.entries ?? []).prefix(Limits.feedbackWords).compactMap { entry in
            guard let word = entry.value.text else { return nil }
            if let value = parts.value(named: word) {
                return FeedbackPlan.Word(entry.name, value)
            }
            let known = parts.names.words
            return log.refuse(
                .unknownWord, at: entry.value.place,
                "`\(quoted(word))` is not a value of this control",
                help: known.isEmpty
                    ? "write a number of its range"
                    : didYouMean(word, among: known) + "values: " + known.joined(separator: ", "),
                known: known)
        }
    }
}

extension Kind.Parts {
    /// The value that a word names, within the range of the control.
    fileprivate func value(named word: String) -> Value? {
        guard let value = names.value(named: word) else { return nil }
        return settings.nature.range?.contains(value) == false ? nil : value
    }
}
