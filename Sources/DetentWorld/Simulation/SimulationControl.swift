public import DetentTypes

/// What can be done with a simulated panel: gestures, line faults, its clock and its devices.
///
/// Safe from any thread. A call may wait as long as the simulation needs for one step of its own.
public protocol SimulationControl: Sendable {
    /// Does something to the panel.
    ///
    /// - Parameter holder: who asks; what it presses stays down until it or the last other holder
    ///   lets it go.
    /// - Returns: why nothing happened; nil where it was done.
    func perform(_ request: SimulationCommand, by holder: HolderID) -> SimulationError?

    /// A holder is gone: what no other holder holds down comes up.
    func letGo(_ holder: HolderID)

    /// The present state.
    var state: SimulationState { get }

    /// What was done since the panel started, as a scenario file that does the same again.
    ///
    /// - Parameter panel: what the file calls the panel's file; nil: the name that it has.
    func scenario(panel: String?) -> String

    /// The event lines since the start, which that scenario gives again.
    func expectedTrace() -> String

    /// What lines and controls did since the start, as VCD.
    func trace() throws -> [UInt8]
}

/// Who holds buttons down: a connection, or a console.
public struct HolderID: Hashable, Comparable, Sendable {
    /// A number that no other holder has.
    public var number: UInt64

    /// Makes a holder of its number.
    public init(_ number: UInt64) {
        self.number = number
    }

    /// Orders by number.
    public static func < (left: HolderID, right: HolderID) -> Bool { left.number < right.number }
}

/// What can be done with a simulated panel.
public enum SimulationCommand: Equatable, Sendable {
    /// What a clock can be told.
    public enum Clock: Equatable, Sendable {
        case pause, run
        /// Lets so much pass while it is paused.
        case step(TimeSpan)
        /// Thousandths of real speed, 100 to 100,000.
        case rate(Int)
        /// The panel starts over at 0, and the record with it.
        case startOver
    }

    /// A gesture, or a fault of a line.
    case gesture(Gesture)
    case clock(Clock)
    /// How the contacts of a control bounce from now on.
    case bounce(ControlID, BounceWord)
    /// How a control's action goes from now on.
    case action(ControlID, ActionScript)
    /// The attempt in flight fails with a code, or else the next one.
    case fail(ControlID, code: Int32)
    /// The device behind a control takes another value.
    case device(ControlID, Value)
}

/// Why a command did nothing.
public struct SimulationError: DescribedError, Equatable, Sendable {
    /// What sort of thing is wrong.
    public enum Sort: Equatable, Sendable {
        /// It cannot be done with this part, or not with this value.
        case impossible
        /// Too much is going on.
        case tooMuch
    }

    /// What sort of thing is wrong.
    public var sort: Sort
    /// What is wrong, in one line.
    public var cause: String
    /// What would help, in one line.
    public var remedy: String

    /// Makes a refusal.
    public init(_ sort: Sort, cause: String, remedy: String) {
        self.sort = sort
        self.cause = cause
        self.remedy = remedy
    }
}

/// The state of a simulation.
public struct SimulationState: Equatable, Sendable {
    /// Where a hand has a control's part.
    public struct Stand: Equatable, Sendable {
        /// A position's place from 0; nil for parts that hold none.
        public var position: Int?
        /// Whether the cover is open; nil where there is none.
        public var isCoverOpen: Bool?

        /// Makes a stand.
        public init(position: Int? = nil, isCoverOpen: Bool? = nil) {
            self.position = position
            self.isCoverOpen = isCoverOpen
        }
    }

    /// The panel's clock.
    public var now = Instant.zero
    /// Whether the clock goes.
    public var isRunning = true
    /// Its speed, in thousandths of real speed.
    public var rate = 1_000
    /// What is wrong with lines.
    public var faults: [LineID: LineFault] = [:]
    /// How the contacts of controls bounce that were given a bounce of their own, in words.
    public var bounces: [ControlID: String] = [:]
    /// How the actions of controls go, of those that have one.
    public var actions: [ControlID: ActionScript] = [:]
    /// Where parts stand, one for each control.
    public var stands: [Stand] = []
    /// The bounce profiles that there are.
    public var profiles: [String] = []
    /// Gestures that wait until earlier ones on the same contact have been played.
    public var waitingGestures = 0
    /// Gestures that were refused since the panel started, because too many waited.
    public var refusedGestures = 0
    /// Steps that were recorded.
    public var recordedSteps = 0
    /// Whether more steps are recorded; false where a bound was reached.
    public var isRecording = true
    /// Whether real programs run, so that a recorded scenario can only play them.
    public var runsRealActions = false

    /// Makes the state of a simulation that was not touched.
    public init() {}
}
