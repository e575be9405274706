import DetentCore
import DetentTypes

extension Kind {
    /// A row of segments: one of them, several of them, or commands.
    static let segmented = Kind(
        word: "segmented",
        look: .segments,
        summary: "Two to five segments side by side. `selection` sets whether one segment is "
            + "chosen, several are, or each only runs its action.",
        requires: [["buttons", "selector", "analog", "encoder"], ["options"]],
        allows: ["action", "selection", "debounce", "settle", "mismatch", "close-after", "words"]
            + gestures
            + values
            + outputs
    ) { draft in
        let options = draft.options()
        let count = options.names.count
        let selection = draft["selection"]
        if let several = selection?["multiple"] { return multiple(several, options, draft) }
        switch selection?.text {
        case "momentary": return momentary(options, draft)
        case "multiple": return multiple(nil, options, draft)
        case .none, .some:
            var settings = ControlSettings(nature: .choice(of: UInt8(clamping: count)))
            return draft.choice(options, &settings)
        }
    }

    private static func multiple(
        _ bounds: YAMLNode?, _ options: OptionList, _ draft: ControlDraft
    ) -> Parts {
        let count = options.names.count
        let minimum = bounds?["min"]?.integerValue ?? Defaults.minimumSegments
        let maximum = bounds?["max"]?.integerValue ?? count
        if let bounds, minimum > maximum || maximum > count {
            draft.log.error(
                .outOfRange, at: bounds.place,
                "`min: \(minimum)` and `max: \(maximum)` do not fit \(count) options",
                help: "`min` must not exceed `max`, and `max` must not exceed \(count)")
        }
        var settings = ControlSettings(
            nature: .selection(
                of: UInt8(clamping: count), minimum: UInt8(clamping: minimum),
                maximum: UInt8(clamping: maximum)))
        onlyButtons("several segments", draft)
        if let buttons = draft["buttons"] { draft.addRow(buttons, options.names, to: &settings) }
        let names = ValueNames.several(options.names)
        draft.finish(options, &settings)
        settings.startup = draft.startup(
            hasPosition: false, names: names, default: settings.nature.rest)
        refuseOptionActions(options, draft)
        settings.actions = draft.actions(names)
        return Parts(
            names: names, settings: settings, layout: draft.layout(options))
    }

    private static func momentary(_ options: OptionList, _ draft: ControlDraft) -> Parts {
        let count = options.names.count
        var settings = ControlSettings(nature: .commands(UInt8(clamping: count)))
        onlyButtons("momentary segments", draft)
        let held = outputs.filter { !["on-exit", "on-crash"].contains($0) }
        let help = "remove it, or write `selection: single`"
        draft.refuse(values + held + ["mismatch"]) {
            ("momentary segments keep no state, so `\($0)` has no effect", help)
        }
        for output in options.outputs.compactMap({ $0 }) {
            draft.log.error(
                .conflictingKeys, at: output.place,
                "momentary segments have no value for an output to follow",
                help: "write `action: {output: {line: LINE, pulse: 200ms}}`, or "
                    + "`selection: single`")
        }
        if let buttons = draft["buttons"] { draft.addRow(buttons, options.names, to: &settings) }
        let names = ValueNames.commands(options.names)
        settings.indicator = draft.indicator(options: count, optionLamps: options.lamps)
        settings.actions = draft.actions(names, optionActions: options.actions)
        return Parts(
            names: names, settings: settings, layout: draft.layout(options))
    }

    private static func onlyButtons(_ what: String, _ draft: ControlDraft) {
        let help = "write `buttons: [LINE, LINE]`, or `selection: single`"
        draft.refuse(["selector", "analog", "encoder"]) { _ in
            ("each of the \(what) needs its own button", help)
        }
        draft.refuseRowGestures()
        draft.refuse(["close-after", "settle"]) {
            ("`\($0)` has no effect: row buttons report presses only", "remove it")
        }
    }

    private static func refuseOptionActions(_ options: OptionList, _ draft: ControlDraft) {
        guard let action = options.actions.compactMap({ $0 }).first else { return }
        draft.log.error(
            .conflictingKeys, at: action.place,
            "with `selection: multiple`, an option cannot have its own action",
            help: "write one `action` for the control; `{value}` is like `A+B`")
    }
}
