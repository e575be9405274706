public import DetentTypes

/// Controls a simulated panel: gestures, line faults, its clock and its devices.
///
/// Safe from any thread. A call may wait for one step of the simulation.
public protocol SimulationControl: Sendable {
    /// Performs a command.
    ///
    /// - Parameter source: the source of the command. A button that it presses stays pressed until
    ///   this source and all others have released it.
    /// - Returns: why the command failed; nil if it succeeded.
    func perform(_ request: SimulationCommand, by source: InputSourceID) -> SimulationError?

    /// An input source has disconnected: releases the buttons that only it holds.
    func releaseAll(_ source: InputSourceID)

    /// The current state.
    var state: SimulationState { get }

    /// The commands since the panel started, as a scenario file that repeats them.
    ///
    /// - Parameter panel: the panel file named in the scenario; nil for its own name.
    func scenario(panel: String?) -> String

    /// The event lines since the start, which this scenario reproduces.
    func expectedTrace() -> String

    /// The levels of lines and the states of controls since the start, as VCD.
    func trace() throws -> [UInt8]
}

/// A source of gestures that can hold buttons: a connection, or a console.
public struct InputSourceID: Hashable, Comparable, Sendable {
    /// A number that no other source has.
    public var number: UInt64

    /// Makes a source from its number.
    public init(_ number: UInt64) {
        self.number = number
    }

    /// Orders by number.
    public static func < (left: InputSourceID, right: InputSourceID) -> Bool {
        left.number < right.number
    }
}

/// A command for a simulated panel.
public enum SimulationCommand: Equatable, Sendable {
    /// A command for the clock.
    public enum Clock: Equatable, Sendable {
        case pause, run
        /// Advances the paused clock by a time span.
        case step(TimeSpan)
        /// Thousandths of real speed, 100 to 100,000.
        case rate(Int)
        /// The panel restarts at 0, and so does the recording.
        case restart
    }

    /// A gesture, or a fault of a line.
    case gesture(Gesture)
    case clock(Clock)
    /// Sets how the contacts of a control bounce.
    case bounce(ControlID, BounceSelection)
    /// Sets how the action of a control behaves.
    case action(ControlID, ActionScript)
    /// Makes the running attempt fail with a code, or otherwise the next one.
    case fail(ControlID, code: Int32)
    /// Makes the running attempt succeed now.
    case finish(ControlID)
    /// Sets the value of the device of a control.
    case device(ControlID, Value)
    /// The device of a control has this value and reports it, also after a silence.
    case feedback(ControlID, Value)
    /// The device of a control says this text so often, a millisecond apart, and nothing else. An
    /// empty text is silence.
    case report(ControlID, String, times: Int)
}

/// Why a command failed.
public struct SimulationError: DescribedError, Equatable, Sendable {
    /// The kind of error.
    public enum Sort: Equatable, Sendable {
        /// The part does not support the command, or not this value.
        case impossible
        /// A limit is exceeded.
        case tooMuch
    }

    /// The kind of error.
    public var sort: Sort
    /// The cause, in one line.
    public var cause: String
    /// The remedy, in one line.
    public var remedy: String

    /// Makes an error.
    public init(_ sort: Sort, cause: String, remedy: String) {
        self.sort = sort
        self.cause = cause
        self.remedy = remedy
    }
}

/// The state of a simulation.
public struct SimulationState: Equatable, Sendable {
    /// The position of a control's part.
    public struct PartPosition: Equatable, Sendable {
        /// The index of the position from 0; nil for parts without one.
        public var position: Int?
        /// Whether the cover is open; nil if there is none.
        public var isCoverOpen: Bool?

        /// Makes a position.
        public init(position: Int? = nil, isCoverOpen: Bool? = nil) {
            self.position = position
            self.isCoverOpen = isCoverOpen
        }
    }

    /// The panel's clock.
    public var now = Instant.zero
    /// Whether the clock runs.
    public var isRunning = true
    /// Its speed, in thousandths of real speed.
    public var rate = 1_000
    /// The faults of lines.
    public var faults: [LineID: LineFault] = [:]
    /// The bounce profile with which the panel began; empty for one without a name.
    public var firstBounce = ""
    /// The bounce profiles that were set for controls, as words.
    public var bounces: [ControlID: String] = [:]
    /// The scripts of the controls that have an action.
    public var actions: [ControlID: ActionScript] = [:]
    /// What the latest attempt of each control asks for, in the words of the panel file.
    public var asked: [ControlID: String] = [:]
    /// The positions of parts, one for each control.
    public var partPositions: [PartPosition] = []
    /// The available bounce profiles.
    public var profiles: [String] = []
    /// Gestures that wait for earlier ones on the same contact.
    public var waitingGestures = 0
    /// Gestures that were refused since the panel started because too many were waiting.
    public var refusedGestures = 0
    /// Steps that were recorded.
    public var recordedSteps = 0
    /// Whether further steps are recorded; false after a limit was reached.
    public var isRecording = true
    /// Whether real programs run, so that a recorded scenario only simulates them.
    public var runsRealActions = false

    /// Makes the state of a new simulation.
    public init() {}
}
