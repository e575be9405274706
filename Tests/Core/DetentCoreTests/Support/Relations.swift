import DetentTypes

@testable import DetentCore

/// What the controls of a bench have to do with each other, gathered piece by piece.
struct Relations {
    var rules: [RelationSettings] = []
    var links: [UInt16] = []
    var conditionSteps: [ConditionStep] = []
    var sequenceSteps: [SequenceStep] = []
    var items: [MenuItem] = []

    /// Adds links to controls, one after another.
    mutating func link(_ controls: UInt16...) -> PlanRange {
        defer { links += controls }
        return PlanRange(first: UInt16(links.count), count: UInt16(controls.count))
    }

    /// Adds a condition in postfix order.
    mutating func condition(_ steps: ConditionStep...) -> PlanRange {
        defer { conditionSteps += steps }
        return PlanRange(first: UInt16(conditionSteps.count), count: UInt16(steps.count))
    }

    /// Adds the steps of an action.
    mutating func sequence(_ steps: SequenceStep...) -> PlanRange {
        defer { sequenceSteps += steps }
        return PlanRange(first: UInt16(sequenceSteps.count), count: UInt16(steps.count))
    }

    /// Adds the items of a menu.
    mutating func menu(_ new: MenuItem...) -> PlanRange {
        defer { items += new }
        return PlanRange(first: UInt16(items.count), count: UInt16(new.count))
    }

    /// Adds rules, which `change` fills.
    mutating func rules(_ change: (inout RelationSettings) -> Void) -> RelationID {
        var settings = RelationSettings()
        change(&settings)
        rules.append(settings)
        return RelationID(UInt16(rules.count - 1))
    }
}
