import DetentCore
import DetentTypes

extension Kind {
    /// A momentary push button that fires its action and keeps no state.
    static let button = Kind(
        word: "button",
        summary: "A momentary push button that fires its action at each press and keeps no state.",
        requires: [["input"]],
        allows: ["debounce"] + gestures
    ) { draft in
        var settings = ControlSettings(kind: .button)
        settings.decoder = .button(draft.gestures())
        if let input = draft["input"] {
            settings.contacts = draft.contacts(
                [input], debounce: draft.debounce(standard: .button))
        }
        settings.indicator = draft.indicator()
        settings.actions = draft.actions(.none)
        return Parts(names: .none, settings: settings, layout: draft.layout())
    }
}
