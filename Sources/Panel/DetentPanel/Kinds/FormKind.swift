import DetentCore
import DetentTypes

extension Kind {
    /// Members whose changes take effect together, when they are applied.
    static let form = Kind(
        word: "form",
        look: .lamp,
        summary: "Members that are staged together: nothing happens until the `apply` button, and "
            + "the `cancel` button drops what is staged. Its lamp is lit while something is "
            + "staged.",
        requires: [["members"], ["apply"]],
        allows: ["cancel"]
    ) { draft in
        var settings = ControlSettings(nature: .form)
        settings.indicator = draft.indicator()
        draft.later { addMembers(draft, $0) }
        return Parts(names: .onOff, settings: settings, layout: draft.layout())
    }

    private static func addMembers(_ draft: ControlDraft, _ relations: PanelRelations) {
        let place = Int(draft.control.index)
        let at = draft["members"]?.place ?? draft.node.place
        let members = draft.members("members", relations) { member in
            if case .member = relations.formRole(of: member) { return "it is in another form" }
            return reasonAgainst(member, draft.schema)
        }
        relations.change(place) { $0.members = members }
        for member in members {
            relations.look(place, at: member, place: at)
            relations.ask(place, for: member, place: at)
            relations.change(member) { $0.settings.form = .member(of: draft.control) }
        }
        addButton("apply", .apply(draft.control), draft, relations)
        addButton("cancel", .cancel(draft.control), draft, relations)
    }

    /// Why a control cannot be staged; nil if it can.
    private static func reasonAgainst(_ member: ControlPlan, _ schema: Schema) -> String? {
        if member.settings.isReported { return "only its device changes it" }
        if let reason = schema.kind(named: member.kind)?.reasonAgainstStaging { return reason }
        guard !member.settings.decoder.holdsPosition else {
            return "`cancel` cannot move back a part that holds its position; use a push button "
                + "(`latch: toggle`) or an encoder"
        }
        return member.settings.nature.role == .device ? nil : "it has no value to stage"
    }

    private static func addButton(
        _ key: String, _ role: RelationSettings.FormRole, _ draft: ControlDraft,
        _ relations: PanelRelations
    ) {
        guard let node = draft[key], let button = relations.control(named: node) else { return }
        let plan = relations.controls[button]
        guard plan.settings.nature == .button, plan.settings.actions == .none,
            relations.formRole(of: plan) == .none
        else {
            relations.log.error(
                .wrongMember, at: node.place,
                "`\(quoted(plan.id))` cannot be the `\(key)` button of this form",
                help: "name a `button` without an `action` that no other form uses")
            return
        }
        relations.change(button) { $0.settings.form = role }
        relations.look(button, at: Int(draft.control.index), place: node.place)
    }
}

extension PanelRelations {
    fileprivate func formRole(of control: ControlPlan) -> RelationSettings.FormRole {
        guard let place = controls.firstIndex(where: { $0.id == control.id }) else { return .none }
        return draft(of: place).settings.form
    }
}
