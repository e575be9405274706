public import DetentCore
public import DetentPanel
public import DetentTypes
public import DetentWorld

/// A scenario file that was read and checked against its panel.
public struct Scenario: Equatable, Sendable {
    /// The file as the user named it.
    public var file: String
    /// The panel file, as it was found; empty if none was read.
    package var panelFile = ""
    /// The panel of the scenario.
    public var plan: PanelPlan
    /// How contacts bounce.
    public var bounce: BounceChoice
    /// The random seed.
    public var seed: UInt64
    /// Whether it takes too long for real time; it then runs in virtual time only.
    public var isVirtualOnly = false
    /// The scripts of actions; actions without one succeed at once.
    public var actions: [ControlID: ActionScript]
    /// The steps, in order.
    public var steps: [ScenarioStep]

    /// Makes a scenario; `file` is its name for messages.
    package init(
        file: String, panelFile: String = "", plan: PanelPlan, bounce: BounceChoice, seed: UInt64,
        isVirtualOnly: Bool = false, actions: [ControlID: ActionScript], steps: [ScenarioStep]
    ) {
        self.file = file
        self.panelFile = panelFile
        self.plan = plan
        self.bounce = bounce
        self.seed = seed
        self.isVirtualOnly = isVirtualOnly
        self.actions = actions
        self.steps = steps
    }
}

/// A change from outside the panel at one moment.
public enum Stimulus: Equatable, Sendable {
    /// Gestures that begin at the same time.
    case gestures([PartGesture])
    /// A remote caller sets a value or fires an event.
    case tell(Event)
    /// The running attempt fails, or otherwise the next one.
    case failAction(ControlID, code: Int32)
    /// The running attempt of a control succeeds now; without one, nothing changes.
    case finishAction(ControlID)
    /// The next attempt of any control fails.
    case failNext
    /// Sets how later attempts of a control behave.
    case actions(ControlID, ActionScript)
    /// Sets how the contacts of a control bounce.
    case bounce(ControlID, BounceSelection)
    /// The device of a control changes its value without a report.
    case device(ControlID, Value)
    /// The device of a control changes its value and reports it.
    case feedback(ControlID, Value)
    /// What reports the value of a control's device says these texts, and nothing else.
    case report(ControlID, DeviceReports)
    /// The device of a control reports nothing from now on.
    case silence(ControlID)
    /// What reports the value of a control's device is gone.
    case loseFeedback(ControlID)
    /// The broker goes away, or comes back.
    case broker(isThere: Bool)
}

/// One step of a scenario.
public struct ScenarioStep: Equatable, Sendable {
    /// What a step does.
    public enum Work: Equatable, Sendable {
        /// Applies a stimulus. A gesture without `at` takes until the panel is at rest and its
        /// controls have reacted.
        case apply(Stimulus)
        case wait(TimeSpan)
        case waitUntil([Expectation], within: TimeSpan)
        case expect([Expectation])
        /// The process ends cleanly, with outputs at their `on-exit` levels, and starts again.
        case restart(TimeSpan)
        /// The process ends at once, and outputs become inactive; it starts again after a pause.
        case powerCut(TimeSpan)
        /// The panel follows its own file, as by a reload; these controls start again, as after a
        /// change of a setting.
        case reload([ControlID])
    }

    /// Its position in the file.
    public var place: SourcePlace
    /// The verb, for messages.
    public var verb: String
    /// Its time since the start of the panel; nil: after the previous step.
    public var at: Instant?
    /// What the step does.
    public var work: Work

    /// Makes a step.
    package init(place: SourcePlace, verb: String, at: Instant? = nil, work: Work) {
        self.place = place
        self.verb = verb
        self.at = at
        self.work = work
    }
}

/// A gesture, and the control that it affects.
public struct PartGesture: Equatable, Sendable {
    /// The gesture.
    public var gesture: Gesture
    /// The control of the part or line.
    public var control: ControlID

    /// Makes a gesture.
    public init(_ gesture: Gesture, _ control: ControlID) {
        self.gesture = gesture
        self.control = control
    }
}

/// An expected state of a control or a line.
public struct Expectation: Equatable, Sendable {
    /// The keys of an expectation of a control.
    public enum Field: String, Equatable, Sendable, CaseIterable {
        case value, actual, position, phase, indicator, flags, lamp, lost, focus, staged, progress,
            display, asked, event
    }

    /// The subject of an expectation.
    public enum Subject: Equatable, Sendable {
        case control(ControlID, Field)
        /// The level of a line after polarity, as an instrument would measure it.
        case line(LineID)
    }

    /// The subject.
    public var subject: Subject
    /// The expected text: for `flags` the sorted words joined by '+'; for an event its word and its
    /// details, separated by a space; for a display its rows joined by ' | '.
    public var expected: String
    /// Its position in the file.
    public var place: SourcePlace

    /// Makes an expectation.
    public init(subject: Subject, expected: String, place: SourcePlace) {
        self.subject = subject
        self.expected = expected
        self.place = place
    }
}
