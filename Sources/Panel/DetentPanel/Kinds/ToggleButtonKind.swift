import DetentCore
import DetentTypes

extension Kind {
    /// A momentary push button with two opposite states.
    static let toggleButton = Kind(
        word: "toggle-button",
        look: .cap,
        summary: "A momentary push button, usually with a lamp, whose presses switch between two "
            + "opposite states.",
        requires: [["input"]],
        allows: [
            "action", "debounce", "latch", "output", "pulse", "on-exit", "on-crash", "states",
            "auto-off",
            "confirm",
            "words",
        ]
            + looks + gestures + values
    ) { draft in
        var settings = ControlSettings(nature: .onOff(latch: draft.latch()))
        settings.decoder = .button(draft.gestures())
        if let input = draft["input"] {
            settings.contacts = draft.contacts(
                [input], debounce: draft.debounce(default: .button))
        }
        draft.addConfirm(to: &settings, only: ["guard"])
        settings.indicator = draft.indicator()
        draft.addOutput(to: &settings)
        settings.startup = draft.startup(hasPosition: false, names: .onOff, default: .off)
        settings.actions = draft.actions(.onOff)
        return Parts(names: .onOff, settings: settings, layout: draft.layout())
    }
}
