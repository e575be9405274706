import DetentCore
import DetentPanel
import DetentTypes

/// What controls must be at rest, by plain words: sums of members, and nothing under way.
struct RestModel: Equatable {
    private var groups: [ControlID: [ControlID]] = [:]
    private var forms: [ControlID: [ControlID]] = [:]
    /// What stands in the plan as controls that are never disabled by themselves.
    private let hasCondition: Set<ControlID>

    init(_ plan: PanelPlan) {
        var conditions: Set<ControlID> = []
        for (place, control) in plan.controls.enumerated() {
            let index = Int(control.settings.relation.index)
            guard plan.relations.rules.indices.contains(index) else { continue }
            let id = ControlID(UInt16(place))
            let rules = plan.relations.rules[index]
            if rules.condition.count > 0 { conditions.insert(id) }
            let first = Int(rules.members.first)
            let members = Array(plan.relations.links[first..<first + Int(rules.members.count)])
            switch control.settings.kind {
            case .group: groups[id] = members
            case .form: forms[id] = members
            case .switch, .toggleButton, .button, .radioGroup, .threeWay, .dial, .selection,
                .commands, .mirror:
                break
            }
        }
        hasCondition = conditions
    }

    /// What is wrong; nil where all is as it must be.
    func violation(_ states: [ControlID: ControlSnapshot]) -> String? {
        for (id, members) in groups.sorted(by: { $0.key.index < $1.key.index }) {
            guard let group = states[id] else { continue }
            let all = members.compactMap { states[$0] }
            let enabled = all.filter { !$0.flags.contains(.disabled) }
            let counted = enabled.isEmpty ? all : enabled
            let values = counted.map(\.desired)
            let sum = Set(values.map(\.raw)).count == 1 ? values[0] : .mixed
            if group.desired != sum {
                return "group \(id.index) is \(group.desired), its members are \(values)"
            }
            if group.flags.contains(.mixed) != (sum == .mixed) {
                return "group \(id.index) of \(values) has the flags \(group.flags.word)"
            }
            if !hasCondition.contains(id), group.flags.contains(.disabled) != enabled.isEmpty {
                return "group \(id.index) with \(enabled.count) enabled members has the flags "
                    + group.flags.word
            }
        }
        for (id, members) in forms.sorted(by: { $0.key.index < $1.key.index }) {
            let isStaged = members.contains { states[$0].map { $0.staged != .unknown } ?? false }
            if let form = states[id], form.desired != (isStaged ? .on : .off) {
                return "form \(id.index) is \(form.desired), staged: \(isStaged)"
            }
        }
        return nil
    }
}
