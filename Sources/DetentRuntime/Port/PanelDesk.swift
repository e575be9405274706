public import DetentTypes

/// The desk on which a simulated panel lies: its hand, its accidents, its clock and its devices.
///
/// Safe from any thread. A call may wait as long as the simulation needs for one step of its own.
public protocol PanelDesk: Sendable {
    /// Does something to the panel.
    ///
    /// - Parameter holder: who asks; what it presses stays down until it or the last other holder
    ///   lets it go.
    /// - Returns: why nothing happened; nil where it was done.
    func perform(_ request: DeskRequest, by holder: HolderID) -> DeskRefusal?

    /// Somebody is gone: what nobody else holds down comes up.
    func letGo(_ holder: HolderID)

    /// How things stand on the desk.
    var state: DeskState { get }

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

/// What can be done at the desk of a simulated panel.
public enum DeskRequest: Equatable, Sendable {
    /// What a hand does.
    public enum Verb: String, Equatable, Sendable, CaseIterable {
        case press, release, click, hold, flip, turn, select, cover
    }

    /// What befalls a line.
    public enum Accident: String, Equatable, Sendable, CaseIterable {
        case stick, cut, restore, glitch
    }

    /// A button, a position, or a number of detents.
    public enum Target: Equatable, Sendable {
        case word(String)
        /// A place from 0, or detents.
        case number(Int)
    }

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

    /// How contacts bounce.
    public enum Bounce: Equatable, Sendable {
        /// A profile of simulator/bounce, `none` or `typical`.
        case profile(String)
        case times(closes: TimeSpan, opens: TimeSpan?)
        /// As when the panel started.
        case original
    }

    /// A hand moves a control's part; `span` is how long `hold` lasts.
    case move(ControlID, Verb, Target?, span: TimeSpan?)
    /// Something befalls a line; `level` is for `stick`, `span` for `glitch`.
    case befall(LineID, Accident, level: Level?, span: TimeSpan?)
    case clock(Clock)
    case bounce(ControlID, Bounce)
    /// How a control's action goes from now on.
    case action(ControlID, DeviceScript)
    /// The attempt in flight fails with a code, or else the next one.
    case fail(ControlID, code: Int32)
    /// Somebody else gives the device behind a control another value.
    case device(ControlID, Value)
}

/// How the device behind a simulated action behaves.
public struct DeviceScript: Equatable, Sendable {
    /// How an attempt ends.
    public enum Ending: Equatable, Sendable {
        case succeed
        case fail(code: Int32)
        /// Only a timeout or a cancel ends it.
        case hang
        /// Nobody knows.
        case lose
    }

    /// How long an attempt takes.
    public var takes: TimeSpan
    /// How it ends.
    public var ending: Ending

    /// Makes a script.
    public init(takes: TimeSpan, ending: Ending) {
        self.takes = takes
        self.ending = ending
    }
}

/// Why nothing was done at the desk.
public struct DeskRefusal: Error, Equatable, Sendable {
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

/// How things stand at the desk of a simulated panel.
public struct DeskState: Equatable, Sendable {
    /// What is wrong with a line.
    public enum Fault: String, Equatable, Sendable {
        case cut
        case stuckActive = "stuck-active"
        case stuckInactive = "stuck-inactive"
    }

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
    public var faults: [LineID: Fault] = [:]
    /// How the contacts of controls bounce that were given a bounce of their own, in words.
    public var bounces: [ControlID: String] = [:]
    /// How the actions of controls go, of those that have one.
    public var actions: [ControlID: DeviceScript] = [:]
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

    /// Makes the state of an untouched desk.
    public init() {}
}
