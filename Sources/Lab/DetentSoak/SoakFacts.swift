import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes

/// What the laws can say about the controls of a panel, by its plan alone.
struct SoakFacts: Sendable {
    /// Under `mismatch: follow` nothing but hands and requests moves their values.
    let following: Set<ControlID>
    /// Controls whose buttons change their values, while nothing else happens.
    let pressed: Set<ControlID>
    /// Dials whose value is the sum of their detents, while actions succeed.
    let plainDials: Set<ControlID>
    /// Devices report when a panel starts, and when it is reloaded.
    let hasReports: Bool
    /// Longer than any bounce, settling, timeout and failure.
    let restTime: TimeSpan

    init(_ plan: PanelPlan) {
        var following: Set<ControlID> = []
        var plainDials: Set<ControlID> = []
        var pressed: Set<ControlID> = []
        let moved = Self.movedByOthers(plan)
        for (place, control) in plan.controls.enumerated() {
            let id = ControlID(UInt16(place))
            let settings = control.settings
            guard !moved.contains(id), !Self.hasSteps(settings, plan) else { continue }
            if settings.mismatch == .follow, Self.isFree(settings, plan) { following.insert(id) }
            if Self.isFree(settings, plan) { pressed.insert(id) }
            if let range = settings.nature.range, range.acceleration <= 1,
                settings.nature.input != .pick,
                settings.relation == .none, settings.query == nil
            {
                plainDials.insert(id)
            }
        }
        self.following = following
        self.plainDials = plainDials
        self.pressed = pressed
        hasReports = plan.controls.contains { control in
            guard let feedback = control.feedback else { return false }
            if case .line = feedback.source { return false }
            return true
        }
        restTime = min(max(plan.quietTime + .seconds(2), .seconds(12)), SoakLimits.rest)
    }

    /// The value after a press of a button; nil for a control whose value no button changes, or not
    /// in a plain way.
    func value(
        afterPressing button: Int, of control: ControlID, at value: Value, _ plan: PanelPlan
    ) -> Value? {
        guard pressed.contains(control) else { return nil }
        let settings = plan[control].settings
        guard settings.nature.role == .device else { return nil }
        switch (settings.decoder, settings.nature.input) {
        case (.button, .latch(.toggle)): return value == .on ? .off : .on
        case (.buttonRow, .pick): return Value(Int32(button))
        case (.buttonRow, .flip):
            let next = Value(value.raw ^ 1 << Int32(button))
            return settings.nature.has(next) ? next : value
        case _: return nil
        }
    }

    /// Whether no rule holds a control or returns its value.
    private static func isFree(_ settings: ControlSettings, _ plan: PanelPlan) -> Bool {
        let place = Int(settings.relation.index)
        guard plan.relations.settings.indices.contains(place) else { return true }
        let relation = plan.relations.settings[place]
        return relation.condition.count == 0 && relation.confirm == .none && relation.form == .none
            && relation.returning == nil && !settings.hasGuard
            && relation.gestures.count == 0
    }

    /// Whether an action of the control can be refused by another control.
    private static func hasSteps(_ settings: ControlSettings, _ plan: PanelPlan) -> Bool {
        plan.actions[settings.actions.indices].contains { $0.settings.steps.count > 0 }
    }

    /// Members of groups and forms, and controls that actions of others set.
    private static func movedByOthers(_ plan: PanelPlan) -> Set<ControlID> {
        var result: Set<ControlID> = []
        for relation in plan.relations.settings {
            for place in relation.members.places { result.insert(plan.relations.links[place]) }
        }
        for step in plan.relations.sequenceSteps {
            switch step {
            case .set(let control, _), .change(let control, _), .copy(let control, _, _):
                result.insert(control)
            case .choose, .fire, .drive, .run, .wait, .pulse: break
            }
        }
        return result
    }
}
