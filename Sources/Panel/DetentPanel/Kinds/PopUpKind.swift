import DetentCore
import DetentTypes

extension Kind {
    /// One option of a flat list that opens.
    static let popUp = Kind(
        word: "pop-up",
        look: .popUp,
        summary: "One option of a flat list. A press opens the list; a turn or the buttons move "
            + "the focus; a press chooses; `back`, a long press or `close-after` closes the list "
            + "without a change.",
        requires: [["encoder", "buttons"], ["options"]],
        allows: ["action", "debounce", "close-after", "words"] + gestures + values + outputs,
        remedies: [
            "selection": "exactly one option is chosen; for several, use checkboxes: "
                + "`kind: checkbox`, one for each option"
        ]
    ) { draft in
        let options = draft.options()
        let count = options.names.count
        let names = ValueNames.options(options.names)
        var settings = ControlSettings(nature: .choice(of: UInt8(clamping: count)))
        draft.addMenuParts(count: count, to: &settings)
        draft.finish(options, &settings)
        settings.startup = draft.startup(hasPosition: false, names: names, default: Value(0))
        settings.actions = draft.actions(names, optionActions: options.actions)
        return Parts(
            names: names, settings: settings, layout: draft.layout(options))
    }
}
