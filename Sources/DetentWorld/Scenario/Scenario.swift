public import DetentPanel
public import DetentTypes

/// A scenario file that was read and checked against its panel.
public struct Scenario: Equatable, Sendable {
    /// The file as the user named it.
    public var file: String
    /// The panel that it plays on.
    public var plan: PanelPlan
    /// How contacts bounce.
    public var bounce: BounceChoice
    /// The seed of everything random.
    public var seed: UInt64
    /// How the actions of a control end; the others succeed at once.
    public var actions: [ControlID: ActionScript]
    /// What is done and expected, in order.
    public var steps: [ScenarioStep]
}

/// One step of a scenario.
public struct ScenarioStep: Equatable, Sendable {
    /// What the step does.
    public enum Work: Equatable, Sendable {
        /// Goes on until the world is at rest and the control has heard it.
        case gesture(Gesture, ControlID)
        /// Somebody outside the panel asks for a value.
        case set(ControlID, Value)
        /// Somebody outside the panel presses a button, or chooses a command.
        case fire(ControlID, Value)
        case wait(TimeSpan)
        case waitUntil([Expectation], within: TimeSpan)
        case expect([Expectation])
        /// The attempt in flight fails, or else the next one.
        case failAction(ControlID, code: Int32)
        /// Somebody gives the device behind a control another value.
        case device(ControlID, Value)
        /// The device has another value, and says so.
        case feedback(ControlID, Value)
        /// The process ends in order, outputs at their levels for that, and starts again.
        case restart(TimeSpan)
        /// Nobody is there for a while, without a word: outputs fall to inactive at once.
        case powerCut(TimeSpan)
    }

    /// Where it stands in the file.
    public var place: SourcePlace
    /// The verb, for messages.
    public var verb: String
    /// What it does.
    public var work: Work
}

/// What a control should look like.
public struct Expectation: Equatable, Sendable {
    /// The words that a step can name.
    public enum Field: String, Equatable, Sendable, CaseIterable {
        case value, actual, position, phase, indicator, flags, lamp, lost, event
    }

    /// The control that it is about.
    public var control: ControlID
    /// What is expected of it.
    public var field: Field
    /// As the file writes it; for `flags` the words sorted and joined by '+'.
    public var expected: String
    /// Where it stands in the file.
    public var place: SourcePlace
}
