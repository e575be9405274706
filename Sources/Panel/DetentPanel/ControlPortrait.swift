import DetentCore
import DetentTypes

/// The controls of a panel by the indices of the former panel, so that two plans can be compared.
struct PanelNames {
    let former: PanelPlan

    /// The control of the former panel with the same id. A new control gets an index that no
    /// former control has.
    func control(_ control: ControlID, of plan: PanelPlan) -> ControlID {
        guard plan.controls.indices.contains(Int(control.index)) else { return control }
        return former.control(named: plan[control].id)
            ?? ControlID(.max - UInt16(clamping: Int(control.index)))
    }

    func value(_ value: OtherValue, of plan: PanelPlan) -> OtherValue {
        OtherValue(of: control(value.control, of: plan), isShown: value.isShown)
    }

    func settings(of plan: PanelPlan) -> PanelSettings {
        PanelSettings(
            dimmer: plan.settings.dimmer.map { control($0, of: plan) },
            lampTest: plan.settings.lampTest.map { control($0, of: plan) })
    }
}

/// Everything that the engine, the lines and the actions know of one control, without the indices
/// of its plan.
struct ControlPortrait: Equatable {
    private let kind: String
    private let valueNames: ValueNames
    private let deviceWords: DeviceWords
    private let settings: ControlSettings
    private let contacts: [LinePlan]
    private let lamps: [LinePlan]
    private let outputs: [LinePlan]
    private let stepOutputs: [LinePlan]
    private let feedback: FeedbackPlan?
    private let feedbackLines: [LinePlan]
    private let actions: [ActionPortrait]
    private let relation: RelationPortrait?
    private let gestures: [GesturePortrait]
    /// The indices of its actions in its plan; the order is the same for equal portraits.
    let actionPlaces: [Int]
    /// What the lines get at the end; the state of the control does not depend on it.
    let exitLevels: [LinePlan.Use]

    init(_ control: ControlID, of plan: PanelPlan, _ names: PanelNames) {
        let controlPlan = plan[control]
        var settings = controlPlan.settings
        contacts = Self.lines(settings.contacts, of: plan)
        lamps = Self.lines(settings.indicator.lines, of: plan)
        outputs = Self.lines(settings.outputs, of: plan)
        stepOutputs = Self.lines(settings.stepOutputs, of: plan)
        feedbackLines = Self.lines(settings.feedbackLines, of: plan)
        var feedback = controlPlan.feedback
        if settings.feedbackLine != nil { feedback?.source = .line(LineID(0)) }
        self.feedback = feedback
        exitLevels = (Array(settings.outputs.places) + settings.stepOutputs.places).map {
            plan.lines[$0].use
        }
        let gestures = plan.gestures.filter { $0.owner == control }
        self.gestures = gestures.map { GesturePortrait($0, of: plan, names) }
        let places = Self.actionPlaces(of: settings, plan)
        actionPlaces = places + gestures.flatMap { Self.actionPlaces(of: $0.settings, plan) }
        actions = places.map { ActionPortrait($0, settings, of: plan, names) }
        relation = RelationPortrait(settings.relation, of: plan, names)
        kind = controlPlan.kind
        valueNames = controlPlan.valueNames
        deviceWords = controlPlan.deviceWords
        settings.contacts.first = 0
        settings.indicator.lines.first = 0
        settings.outputs.first = 0
        settings.stepOutputs.first = 0
        settings.feedbackLine = settings.feedbackLine.map { _ in LineID(0) }
        switch settings.actions {
        case .none: break
        case .any: settings.actions = .any(ActionID(0))
        case .perValue(_, let present):
            settings.actions = .perValue(first: ActionID(0), present: present)
        }
        settings.query = settings.query.map { _ in ActionID(0) }
        settings.relation = .none
        settings.startRank = 0
        self.settings = settings
    }

    static func == (left: ControlPortrait, right: ControlPortrait) -> Bool {
        left.kind == right.kind && left.valueNames == right.valueNames
            && left.deviceWords == right.deviceWords
            && left.settings == right.settings && left.contacts == right.contacts
            && left.lamps == right.lamps && left.outputs == right.outputs
            && left.stepOutputs == right.stepOutputs && left.actions == right.actions
            && left.relation == right.relation && left.feedback == right.feedback
            && left.gestures == right.gestures
            && left.feedbackLines == right.feedbackLines
    }

    /// What this control can take over from its former self.
    func continuity(after former: ControlPortrait) -> Continuity {
        if self == former { return .everything }
        var parts: Continuity = []
        if kind == former.kind, valueNames == former.valueNames,
            settings.nature == former.settings.nature
        {
            parts.insert(.value)
        }
        if lamps == former.lamps, settings.indicator.style == former.settings.indicator.style {
            parts.insert(.lamps)
        }
        if outputs == former.outputs, kind == former.kind, valueNames == former.valueNames,
            settings.nature == former.settings.nature,
            settings.outputsPresent == former.settings.outputsPresent,
            settings.transition == former.settings.transition,
            settings.pulse == former.settings.pulse
        {
            parts.insert(.outputs)
        }
        return parts
    }

    fileprivate static func lines(_ range: PlanRange, of plan: PanelPlan) -> [LinePlan] {
        range.places.map { place in
            var line = plan.lines[place]
            line.control = ControlID(0)
            if case .output = line.use { line.use = .output(exit: .keep) }
            return line
        }
    }

    /// The actions of all values, the query, and the actions that steps run.
    fileprivate static func actionPlaces(of settings: ControlSettings, _ plan: PanelPlan) -> [Int] {
        var places = Array(settings.actions.indices)
        if let query = settings.query { places.append(Int(query.index)) }
        for place in places {
            for step in plan.actions[place].settings.steps.places {
                if case .run(let action) = plan.relations.sequenceSteps[step] {
                    places.append(Int(action.index))
                }
            }
        }
        return places
    }
}

/// A gesture that acts, without the indices of its plan.
private struct GesturePortrait: Equatable {
    private let gesture: ActingGesture
    private let acting: GestureSettings?
    private let actions: [ActionPortrait]
    private let stepOutputs: [LinePlan]

    init(_ it: GesturePlan, of plan: PanelPlan, _ names: PanelNames) {
        gesture = it.gesture
        let relation = Int(it.settings.relation.index)
        var acting =
            plan.relations.settings.indices.contains(relation)
            ? plan.relations.settings[relation].acting : nil
        acting?.owner = ControlID(0)
        self.acting = acting
        actions = ControlPortrait.actionPlaces(of: it.settings, plan).map {
            ActionPortrait($0, it.settings, of: plan, names)
        }
        stepOutputs = ControlPortrait.lines(it.settings.stepOutputs, of: plan)
    }
}

/// An action without the indices of its plan.
private struct ActionPortrait: Equatable {
    private let action: ActionPlan
    private let steps: [SequenceStep]
    private let values: [NeededValue]

    init(_ place: Int, _ settings: ControlSettings, of plan: PanelPlan, _ names: PanelNames) {
        var action = plan.actions[place]
        steps = action.settings.steps.places.map { step in
            switch plan.relations.sequenceSteps[step] {
            case .set(let control, let value): .set(names.control(control, of: plan), value)
            case .change(let control, let distance):
                .change(names.control(control, of: plan), by: distance)
            case .copy(let control, let source, let factor):
                .copy(
                    names.control(control, of: plan), from: names.value(source, of: plan),
                    times: factor)
            case .choose(let source, let count):
                .choose(names.value(source, of: plan), of: count)
            case .fire(let control, let value): .fire(names.control(control, of: plan), value)
            case .drive(let line, let level):
                .drive(LineID(line.index &- settings.stepOutputs.first), level)
            case .pulse(let line, let span):
                .pulse(LineID(line.index &- settings.stepOutputs.first), span)
            case .wait(let span): .wait(span)
            // It is among the actions of the portrait itself.
            case .run: .run(ActionID(0))
            }
        }
        values = plan.otherValues(of: action.settings)
        action.settings.steps.first = 0
        action.settings.values.first = 0
        self.action = action
    }
}

/// Relations without the indices of their plan. Listeners are the business of those that listen.
private struct RelationPortrait: Equatable {
    private let settings: RelationSettings
    private let members: [ControlID]
    private let condition: [ConditionStep]
    private let items: [MenuItem]

    init?(_ relation: RelationID, of plan: PanelPlan, _ names: PanelNames) {
        guard plan.relations.settings.indices.contains(Int(relation.index)) else { return nil }
        var settings = plan.relations.settings[Int(relation.index)]
        members = settings.members.places.map {
            names.control(plan.relations.links[$0], of: plan)
        }
        condition = settings.condition.places.map { place in
            switch plan.relations.conditionSteps[place] {
            case .compare(let control, let comparison, let value):
                .compare(names.control(control, of: plan), comparison, value)
            case .any, .brokerIsOffline, .and, .or, .not: plan.relations.conditionSteps[place]
            }
        }
        items = (settings.navigation?.items.places ?? 0..<0).map { plan.relations.items[$0] }
        settings.members = .none
        settings.listeners = .none
        settings.gestures.first = 0
        settings.condition = .none
        settings.navigation?.items = .none
        settings.shows = settings.shows.map { names.control($0, of: plan) }
        switch settings.form {
        case .none: break
        case .member(let form): settings.form = .member(of: names.control(form, of: plan))
        case .apply(let form): settings.form = .apply(names.control(form, of: plan))
        case .cancel(let form): settings.form = .cancel(names.control(form, of: plan))
        }
        self.settings = settings
        // Another control may listen from now on; that changes nothing here.
        if settings == RelationSettings(), members.isEmpty, condition.isEmpty, items.isEmpty {
            return nil
        }
    }
}
