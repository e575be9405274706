import DetentCore
import DetentTypes

extension Kind {
    /// One of a flat list that opens.
    static let popUp = Kind(
        word: "pop-up",
        summary: "One of a flat list. Closed it shows the present choice; a press opens the list, "
            + "a turn or the buttons move, a press chooses, and `back`, a long press or "
            + "`close-after` closes it without a change.",
        requires: [["encoder", "buttons"], ["options"]],
        allows: ["action", "debounce", "close-after"] + gestures + values + outputs
    ) { draft in
        let options = draft.options()
        let count = options.names.count
        let names = ValueNames.options(options.names)
        var settings = ControlSettings(kind: .radioGroup(options: UInt8(clamping: count)))
        draft.addMenuParts(count: count, to: &settings)
        draft.finish(options, &settings)
        settings.startup = draft.startup(hasPosition: false, names: names, standard: Value(0))
        settings.actions = draft.actions(names, optionActions: options.actions)
        return Parts(
            names: names, settings: settings, layout: draft.layout(optionSymbols: options.symbols))
    }
}
