public import DetentHAL
public import DetentTypes

/// The physical side of a panel under test: fingers, lamps, cables, and another program.
///
/// A test environment implements it once and then runs every check of `BackendContract`. Lines are
/// counted from 0 as in `locations`. Levels are electrical here, so that polarity is tested too.
///
/// Synchronization: none; all calls come from the thread that runs the check.
public protocol LineDriver: AnyObject {
    /// The locations of eight or more lines, all on one chip, all low at first.
    var locations: [LineLocation] { get }

    /// Whether the lines can be outputs. Checks that need one are not run where they cannot.
    var hasOutputs: Bool { get }

    /// Whether the lines share one queue of the kernel. A loss then concerns all of them.
    var sharesQueue: Bool { get }

    /// Whether the backend counts edges. If not, sequences must be 0.
    var countsEdges: Bool { get }

    /// Whether pull-ups and pull-downs work.
    var hasBias: Bool { get }

    /// How much later than `set` the timestamp of an edge may be.
    var stampTolerance: TimeSpan { get }

    /// The current time on the clock of the backend's timestamps.
    var now: Instant { get }

    /// A new backend that can find these lines.
    func makeBackend() -> any GPIOBackend

    /// Changes a line from outside, as a contact does; other lines do not change.
    func set(line: Int, high: Bool)

    /// The level that an output drives its pin to.
    func isHigh(line: Int) -> Bool

    /// The last level that a line was driven to before it was released; nil if this cannot be
    /// observed.
    func wasHighWhenReleased(line: Int) -> Bool?

    /// Waits until one of the backend's descriptors is readable, its deadline is due, or `moment`.
    ///
    /// Calls `markReady` for the readable descriptors, if they are known.
    func wait(for backend: any GPIOBackend, until moment: Instant)

    /// Makes another program use a line. Returns that program's name as the kernel reports it; nil
    /// if this is not possible.
    func hold(line: Int) -> String?

    /// Makes the other program release the line.
    func release(line: Int)

    /// Adds a second chip with the label of the first. Returns the parent devices of both, that of
    /// the first one first; nil if this is not possible.
    func addTwin() -> [String]?

    /// Removes the second chip.
    func removeTwin()

    /// Removes the chip; false if this is not possible.
    func unplug() -> Bool

    /// Reconnects the chip, with all lines low.
    func plug()
}

extension LineDriver {
    /// Lines can be inputs and outputs.
    public var hasOutputs: Bool { true }

    /// Each line has a queue of its own.
    public var sharesQueue: Bool { false }

    /// There is no second chip.
    public func addTwin() -> [String]? { nil }

    /// There is no second chip.
    public func removeTwin() {}
}
