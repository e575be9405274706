import DetentCore
import DetentTypes

extension Kind {
    /// A momentary push button that fires its action and keeps no state.
    static let button = Kind(
        word: "button",
        look: .button,
        summary: "A momentary push button that fires its action at each press and keeps no state. "
            + "A destructive button has `confirm`; with `confirm: {chord: […]}` it needs no "
            + "`input`. A button with `role: info` or `role: disclosure` is on the page alone.",
        requires: [],
        allows: [
            "action", "input", "debounce", "role", "confirm", "active-label", "on-exit", "on-crash",
        ]
            + looks + gestures
    ) { draft in
        var settings = ControlSettings(nature: .button)
        let role = draft.role(draft.node)
        if role.isOfThePage {
            checkPageButton(role, draft)
        } else if draft["input"] == nil, draft["confirm"]?["chord"] == nil {
            draft.log.error(
                .missingKey, at: draft.node.place, "a `button` needs `input`",
                help: "add `input:`. \(draft.schema.summary(of: "input"))")
        }
        draft.addButton(to: &settings)
        draft.addConfirm(to: &settings)
        settings.indicator = draft.indicator()
        settings.actions = draft.actions(.none)
        var layout = draft.layout()
        layout.role = role
        layout.activeLabel = draft["active-label"]?.text
        if role == .destructive, layout.style == .prominent {
            draft.refuse(
                "style", because: "a destructive button must not be prominent",
                help: "remove `style`: people press the prominent button without reading")
        }
        return Parts(names: .none, settings: settings, layout: layout)
    }

    /// Reports keys of a part on a button that is on the page alone.
    private static func checkPageButton(_ role: ButtonRole, _ draft: ControlDraft) {
        let pageKeys = looks + ["kind", "label", "symbol", "group", "row", "help", "role"]
        for entry in draft.node.entries ?? [] where !pageKeys.contains(entry.name) {
            guard draft.schema.keys(of: button).contains(entry.name) else { continue }
            draft.refuse(
                entry.name,
                because: "`\(entry.name)` has no effect: a button with `role: \(role.word)` is on "
                    + "the page alone",
                help: "remove `\(entry.name)`, or remove `role`")
        }
        if role == .info, draft["help"] == nil {
            draft.log.error(
                .missingKey, at: draft.node.place, "an info button needs the text that it reveals",
                help: "add `help:`")
        }
    }
}
