import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes

/// What controls must be at rest, by plain words: sums of members, and nothing under way.
struct RestModel: Equatable, Sendable {
    private var groups: [ControlID: [ControlID]] = [:]
    private var forms: [ControlID: [ControlID]] = [:]
    /// Controls that a condition can disable.
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

    /// Something that is wrong.
    struct Finding {
        var control: ControlID
        var text: String
        /// The field that is wrong, and a state in which it is right.
        var field: Expectation.Field
        var right: ControlSnapshot
    }

    /// What is wrong; nil where all is as it must be.
    func violation(
        _ states: [ControlID: ControlSnapshot]
    ) -> Finding? {
        for (id, members) in groups.sorted(by: { $0.key.index < $1.key.index }) {
            guard let group = states[id] else { continue }
            let all = members.compactMap { states[$0] }
            let enabled = all.filter { !$0.flags.contains(.disabled) }
            let counted = enabled.isEmpty ? all : enabled
            let values = counted.map(\.desired)
            let sum = Set(values.map(\.raw)).count == 1 ? values[0] : .mixed
            var right = group
            right.desired = sum
            if group.desired != sum {
                let text = "group \(id.index) is \(group.desired), its members are \(values)"
                return Finding(control: id, text: text, field: .value, right: right)
            }
            right.flags.set(.mixed, sum == .mixed)
            if !hasCondition.contains(id) { right.flags.set(.disabled, enabled.isEmpty) }
            if group.flags != right.flags {
                let text = "group \(id.index) of \(values), \(enabled.count) of them enabled, "
                return Finding(
                    control: id, text: text + "has the flags \(group.flags.word)", field: .flags,
                    right: right)
            }
        }
        for (id, members) in forms.sorted(by: { $0.key.index < $1.key.index }) {
            let isStaged = members.contains { states[$0].map { $0.staged != .unknown } ?? false }
            if let form = states[id], form.desired != (isStaged ? .on : .off) {
                var right = form
                right.desired = isStaged ? .on : .off
                return Finding(
                    control: id, text: "form \(id.index) is \(form.desired), staged: \(isStaged)",
                    field: .value, right: right)
            }
        }
        return nil
    }
}

extension Flag {
    /// Sets or clears one flag.
    fileprivate mutating func set(_ flag: Flag, _ isSet: Bool) {
        if isSet { insert(flag) } else { remove(flag) }
    }
}
