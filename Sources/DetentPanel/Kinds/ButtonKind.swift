import DetentCore
import DetentTypes

extension Kind {
    /// A momentary push button that fires its action and keeps no state.
    static let button = Kind(
        word: "button",
        summary: "A momentary push button that fires its action at each press and keeps no state. "
            + "A destructive button has `confirm`; with `confirm: {chord: […]}` it needs no "
            + "`input`.",
        requires: [],
        allows: [
            "action", "input", "debounce", "role", "confirm", "active-label", "on-exit", "on-crash",
        ]
            + gestures
    ) { draft in
        var settings = ControlSettings(kind: .button)
        if draft["input"] == nil, draft["confirm"]?["chord"] == nil {
            draft.log.error(
                .missingKey, at: draft.node.place, "a `button` needs `input`",
                help: "add `input:`. \(Schema.builtIn.key("input", in: .control)?.summary ?? "")")
        }
        draft.addButton(to: &settings)
        draft.addConfirm(to: &settings)
        settings.indicator = draft.indicator()
        settings.actions = draft.actions(.none)
        var layout = draft.layout()
        layout.role = draft.role(draft.node)
        layout.activeLabel = draft["active-label"]?.text
        return Parts(names: .none, settings: settings, layout: layout)
    }
}
