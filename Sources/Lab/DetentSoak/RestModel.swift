import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes

/// What controls must be at rest, by plain words: sums of members, and nothing under way.
struct RestModel: Equatable, Sendable {
    private var groups: [ControlID: [ControlID]] = [:]
    private var forms: [ControlID: [ControlID]] = [:]
    private var indicators: [ControlID: Source] = [:]
    /// Controls that a condition can disable.
    private let hasCondition: Set<ControlID>
    /// Controls that show what others have.
    private var repeating: Set<ControlID> = []
    /// Whose faults an indicator shows.
    private var shown: [ControlID: ControlID] = [:]

    /// What an indicator shows.
    private enum Source: Equatable, Sendable {
        /// Whether a control that is on or off is on.
        case control(ControlID)
        case condition([ConditionStep])
    }

    init(_ plan: PanelPlan) {
        var conditions: Set<ControlID> = []
        for (place, control) in plan.controls.enumerated() {
            let index = Int(control.settings.relation.index)
            guard plan.relations.settings.indices.contains(index) else { continue }
            let id = ControlID(UInt16(place))
            let relation = plan.relations.settings[index]
            if relation.condition.count > 0 { conditions.insert(id) }
            let first = Int(relation.members.first)
            let members = Array(plan.relations.links[first..<first + Int(relation.members.count)])
            if case .apply = relation.form { repeating.insert(id) }
            shown[id] = relation.shows
            switch control.settings.nature.role {
            case .group, .form, .mirror: repeating.insert(id)
            case .device, .events: break
            }
            switch control.settings.nature.role {
            case .group: groups[id] = members
            case .form: forms[id] = members
            case .mirror: indicators[id] = Self.source(of: relation, in: plan)
            case .device, .events: break
            }
        }
        hasCondition = conditions
    }

    /// What an indicator shows; nil for a control whose lamp has more than two states.
    private static func source(of relation: RelationSettings, in plan: PanelPlan) -> Source? {
        guard let shown = relation.shows else {
            return .condition(relation.condition.places.map { plan.relations.conditionSteps[$0] })
        }
        return plan[shown].settings.nature.latch != nil ? .control(shown) : nil
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
        for (id, source) in indicators.sorted(by: { $0.key.index < $1.key.index }) {
            guard let indicator = states[id] else { continue }
            var right = indicator
            right.desired = isLit(id, source, states) ? .on : .off
            if indicator.desired != right.desired {
                return Finding(
                    control: id, text: "indicator \(id.index) is \(indicator.desired)",
                    field: .value, right: right)
            }
        }
        return nil
    }

    private func isLit(
        _ indicator: ControlID, _ source: Source, _ states: [ControlID: ControlSnapshot]
    ) -> Bool {
        switch source {
        case .control(let control): return states[control]?.desired == .on
        case .condition(let steps):
            var truths: [Bool] = []
            for step in steps {
                switch step {
                case .compare(let control, let comparison, let value):
                    let actual = states[control]?.actual ?? .unknown
                    truths.append(comparison.isTrue(actual, value))
                case .any(let trouble):
                    truths.append(
                        states.keys.contains { $0 != indicator && has(trouble, $0, states) })
                // The broker is back before the panel rests.
                case .brokerIsOffline: truths.append(false)
                case .and:
                    let last = truths.popLast() ?? false
                    truths.append((truths.popLast() ?? false) && last)
                case .or:
                    let last = truths.popLast() ?? false
                    truths.append((truths.popLast() ?? false) || last)
                case .not: truths.append(!(truths.popLast() ?? true))
                }
            }
            return truths.last ?? true
        }
    }
}

extension RestModel {
    /// What docs/conditions.md says of `any`; the engine has troubles of its own.
    private func has(
        _ trouble: Trouble, _ control: ControlID, _ states: [ControlID: ControlSnapshot]
    ) -> Bool {
        guard let state = states[control] else { return false }
        let isOwn = !repeating.contains(control)
        switch trouble {
        case .failed: return isOwn && state.phase == .failed
        case .mismatch: return isOwn && state.flags.contains(.mismatch)
        case .fault:
            let isOfAnother = shown[control].map { states[$0]?.flags.contains(.fault) == true }
            return state.flags.contains(.fault) && isOfAnother != true
        }
    }
}

extension Comparison {
    /// What docs/conditions.md says of a confirmed value; the engine has a comparison of its own.
    fileprivate func isTrue(_ actual: Value, _ wanted: Value) -> Bool {
        let isKnown = actual != .unknown
        return switch self {
        case .equal: actual == wanted
        case .different: actual != wanted
        case .less: isKnown && actual.raw < wanted.raw
        case .lessOrEqual: isKnown && actual.raw <= wanted.raw
        case .greater: isKnown && actual.raw > wanted.raw
        case .greaterOrEqual: isKnown && actual.raw >= wanted.raw
        case .contains: isKnown && actual.raw >> wanted.raw & 1 == 1
        }
    }
}

extension Flag {
    /// Sets or clears one flag.
    fileprivate mutating func set(_ flag: Flag, _ isSet: Bool) {
        if isSet { insert(flag) } else { remove(flag) }
    }
}
