public import DetentCore
public import DetentPanel
public import DetentTypes
public import DetentWorld

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
    /// Whether real time is too slow for it: it then plays in virtual time only.
    public var isVirtualOnly = false
    /// How the actions of a control end; the others succeed at once.
    public var actions: [ControlID: ActionScript]
    /// What is done and expected, in order.
    public var steps: [ScenarioStep]
}

/// What is done to a panel from outside at one moment.
public enum Stimulus: Equatable, Sendable {
    /// All begin at once.
    case gestures([PartGesture])
    /// Somebody outside the panel asks for a value, or fires an event.
    case tell(Event)
    /// The attempt in flight fails, or else the next one.
    case failAction(ControlID, code: Int32)
    /// The next attempt fails, whichever control it is for.
    case failNext
    /// How attempts of a control go from now on.
    case actions(ControlID, ActionScript)
    /// How the contacts of a control bounce from now on.
    case bounce(ControlID, BounceWord)
    /// Somebody gives the device behind a control another value.
    case device(ControlID, Value)
    /// The device has another value, and says so.
    case feedback(ControlID, Value)
}

/// One step of a scenario.
public struct ScenarioStep: Equatable, Sendable {
    /// What the step does.
    public enum Work: Equatable, Sendable {
        /// Something is done to the panel. Gestures without a moment of their own go on until the
        /// world is at rest and the controls have heard them.
        case apply(Stimulus)
        case wait(TimeSpan)
        case waitUntil([Expectation], within: TimeSpan)
        case expect([Expectation])
        /// The process ends in order, outputs at their levels for that, and starts again.
        case restart(TimeSpan)
        /// Nobody is there for a while, without a word: outputs fall to inactive at once.
        case powerCut(TimeSpan)
    }

    /// Where it stands in the file.
    public var place: SourcePlace
    /// The verb, for messages.
    public var verb: String
    /// When it is done, since the start of the panel; nil: when the step before is over.
    public var at: Instant?
    /// What it does.
    public var work: Work

    /// Makes a step.
    public init(place: SourcePlace, verb: String, at: Instant? = nil, work: Work) {
        self.place = place
        self.verb = verb
        self.at = at
        self.work = work
    }
}

/// A gesture, and the control that hears it.
public struct PartGesture: Equatable, Sendable {
    /// What the hand does.
    public var gesture: Gesture
    /// The control whose part or line it is.
    public var control: ControlID

    /// Makes a gesture.
    public init(_ gesture: Gesture, _ control: ControlID) {
        self.gesture = gesture
        self.control = control
    }
}

/// What a control or a line should look like.
public struct Expectation: Equatable, Sendable {
    /// The words that a step can name of a control.
    public enum Field: String, Equatable, Sendable, CaseIterable {
        case value, actual, position, phase, indicator, flags, lamp, lost, focus, staged, progress,
            event
    }

    /// What it is about.
    public enum Subject: Equatable, Sendable {
        case control(ControlID, Field)
        /// The level of a line after polarity, as a meter would read it.
        case line(LineID)
    }

    /// What it is about.
    public var subject: Subject
    /// As the file writes it: for `flags` the words sorted and joined by '+', for an event its word
    /// and what it has to say, with a blank between.
    public var expected: String
    /// Where it stands in the file.
    public var place: SourcePlace
}
