import DetentCore
import DetentTypes

extension ControlDraft {
    /// Adds the relations that every kind can have. Call it after all controls have been read.
    func addRules(_ relations: PanelRelations) {
        let place = Int(control.index)
        addCondition(relations)
        if let after = self["auto-off"]?.durationValue {
            relations.change(place) { draft in
                draft.settings.returning = ReturnSettings(to: .off, after: after, from: .leaving)
            }
        }
        if let after = self["expires"]?.durationValue {
            refuse(
                "auto-off", because: "`auto-off` and `expires` cannot be combined",
                help: "keep one: `auto-off` limits the time on, `expires` returns to `default`")
            let value = relations.controls[place].settings.startup.fallback
            relations.change(place) { draft in
                draft.settings.returning = ReturnSettings(
                    to: value, after: after, from: .lastIntent)
            }
        }
        if let every = self["audit"]?.durationValue {
            relations.change(place) { $0.settings.auditEvery = every }
        }
        if let after = self["stale-after"]?.durationValue {
            relations.change(place) { $0.settings.staleAfter = after }
        }
        if let lag = self["feedback"]?["lag"]?.durationValue, lag != .zero {
            relations.change(place) { $0.settings.lag = lag }
        }
    }

    private func addCondition(_ relations: PanelRelations) {
        let place = Int(control.index)
        guard let node = self["enabled-when"] else {
            let help = "add `enabled-when:`, or remove `on-enable`"
            return refuse(["on-enable"], .missingKey) {
                ("`\($0)` has no effect without `enabled-when`", help)
            }
        }
        guard let condition = ConditionReader.read(node, relations) else { return }
        for source in condition.sources { relations.look(place, at: source, place: node.place) }
        let follows = self["on-enable"]?.text == "follow"
        relations.change(place) { draft in
            draft.condition = condition.steps
            draft.settings.onEnable = follows ? .follow : .wait
        }
    }

    /// The controls in the list of a key, each once; problems are in the log.
    func members(
        _ key: String, _ relations: PanelRelations, isAllowed: (ControlPlan) -> String?
    ) -> [Int] {
        var found: [Int] = []
        for item in self[key]?.items ?? [] {
            guard let member = relations.control(named: item) else { continue }
            if found.contains(member) {
                log.error(
                    .conflictingKeys, at: item.place,
                    "`\(quoted(item.text ?? ""))` is listed twice in `\(key)`",
                    help: "remove one of them")
            } else if let reason = isAllowed(relations.controls[member]) {
                log.error(
                    .wrongMember, at: item.place,
                    "`\(quoted(item.text ?? ""))` cannot be in `\(key)`: \(reason)",
                    help: "remove it, or change its kind")
            } else {
                found.append(member)
            }
        }
        return found
    }
}
