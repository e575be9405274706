import DetentCore
import DetentTypes

extension Kind {
    /// One of several options on a rotary selector.
    static let radioGroup = Kind(
        word: "radio-group",
        summary: "One of several options, on a rotary selector with a contact for each position or "
            + "with a code.",
        requires: [["selector"], ["options"]],
        allows: ["debounce", "settle", "mismatch"] + values + outputs
    ) { draft in
        // More are an error already; the bound keeps a hostile list cheap.
        let options = (draft["options"]?.items ?? []).prefix(Limits.options + 1).map { $0 }
        let names = options.map { $0.text ?? $0["name"]?.text ?? "" }
        checkOptions(names, options, draft)
        var settings = ControlSettings(kind: .radioGroup(options: UInt8(clamping: names.count)))
        if let selector = draft["selector"] {
            settings.decoder = .selector(decoder(selector, names, draft))
            settings.contacts = draft.contacts(
                selector.items ?? selector["lines"]?.items ?? [],
                debounce: draft.debounce(standard: .none))
        }
        settings.mismatch = draft.mismatch()
        let lamps = options.compactMap { $0["indicator"] }
        settings.indicator = draft.indicator(options: names.count, optionLamps: lamps)
        draft.addOutputs(names, to: &settings)
        settings.startup = draft.startup(
            hasPosition: true, names: .options(names), standard: Value(0))
        settings.actions = draft.actions(
            .options(names), optionActions: options.map { $0["action"] })
        let symbols = options.map { $0["symbol"]?.text }
        return Parts(
            names: .options(names), settings: settings, layout: draft.layout(optionSymbols: symbols)
        )
    }

    private static func checkOptions(
        _ names: [String], _ options: [YAMLNode], _ draft: ControlDraft
    ) {
        guard let place = draft["options"]?.place else { return }
        if names.count < 2 {
            draft.log.error(
                .tooFewOptions, at: place, "a choice of \(names.count) is none",
                help: "name two options or more")
        }
        if names.count > 12 {
            draft.log.warning(
                .tooManyOptions, at: place, "\(names.count) options on one selector",
                help: "people tell up to 12 apart; split the choice")
        }
        if Set(names.map { $0.lowercased() }) == ["on", "off"] {
            draft.log.warning(
                .radioOnOff, at: place, "a choice of on and off is a switch",
                help: "write `kind: switch`")
        }
        for (index, name) in names.enumerated() {
            guard let first = names[..<index].firstIndex(of: name), !name.isEmpty else { continue }
            draft.log.error(
                .duplicateOption, at: options[index].place,
                "option `\(quoted(name))` stands twice; first at line "
                    + "\(options[first].place.line), column \(options[first].place.column)",
                help: "name each option once")
        }
    }

    private static func decoder(
        _ selector: YAMLNode, _ names: [String], _ draft: ControlDraft
    ) -> SelectorSettings {
        let lines = selector.items ?? selector["lines"]?.items ?? []
        let code = selector["code"]?.text ?? "contacts"
        var settings = SelectorSettings(
            settle: draft.settle(), positions: UInt8(clamping: names.count))
        if let none = selector["none"], let option = none.text {
            if let index = names.firstIndex(of: option) {
                settings.nonePosition = UInt8(clamping: index)
            } else {
                let nearest = nearestWord(to: option, among: names)
                draft.log.error(
                    .unknownWord, at: none.place, "`\(quoted(option))` is not an option",
                    help: (nearest.map { "did you mean `\($0)`? " } ?? "")
                        + "options: \(names.map(quoted).joined(separator: ", "))")
            }
        }
        switch code {
        case "binary": settings.coding = .binary
        case "gray": settings.coding = .gray
        default: settings.coding = .contacts
        }
        check(lines.count, settings, names.count, selector, draft)
        return settings
    }

    private static func check(
        _ lines: Int, _ settings: SelectorSettings, _ options: Int, _ selector: YAMLNode,
        _ draft: ControlDraft
    ) {
        switch settings.coding {
        case .contacts:
            let contacts = options - (selector["none"] == nil ? 0 : 1)
            guard lines != contacts else { return }
            draft.log.error(
                .optionsDoNotFit, at: selector.place,
                "\(lines) contacts for \(options) options",
                help: contacts == options
                    ? "give each option a contact, or name the one without in `selector: {none: …}`"
                    : "give each option but the one of `none` a contact")
        case .binary, .gray:
            if let none = selector.key("none") {
                draft.log.error(
                    .conflictingKeys, at: none.place, "a coded selector has a code for each option",
                    help: "remove `none`; no contact closed is the code of the first option")
            }
            guard lines > 5 || options > 1 << lines || (lines > 1 && options <= 1 << (lines - 1))
            else { return }
            draft.log.error(
                .optionsDoNotFit, at: selector.place,
                "\(lines) coded contacts for \(options) options",
                help: "2 contacts code 3 or 4 options, 3 up to 8, 4 up to 16, 5 up to 24")
        }
    }
}
