public import DetentTypes

/// The contract of every source of GPIO lines: the kernel's character devices, or a simulated
/// panel.
///
/// Call `open`, then `drain`, `read` and `write` in any order, then `close`. After `open`, no call
/// normally allocates or waits for a slow bus: a thread of the backend serves chips that sleep, and
/// their results arrive as events.
///
/// Synchronization: none; all calls come from one thread, the real-time loop.
public protocol GPIOBackend: AnyObject {
    /// Requests all lines with their settings, outputs at their initial levels.
    ///
    /// The result lists the lines that could not be requested, each with its reason; the others
    /// work. The backend retries these lines, and reports `restored` when one becomes available.
    /// The first `drain` after this call contains a reading of every input that was requested.
    func open(_ lines: [LineSettings]) -> [HALError]

    /// Descriptors that become readable when `drain` has events; valid until `close`.
    ///
    /// The set may change after a `drain` in which a line was lost or restored.
    var descriptors: [Int32] { get }

    /// Increments whenever `descriptors` has changed.
    var descriptorGeneration: UInt32 { get }

    /// Tells the next `drain` that `poll` found `descriptors[index]` readable or hung up.
    ///
    /// Optional: without any call, `drain` polls the descriptors itself, which costs one more
    /// system call.
    func markReady(_ index: Int)

    /// The next moment at which `drain` should be called even if no descriptor is readable; `never`
    /// if there is none. Polled lines and simulated fingers need it.
    var deadline: Instant { get }

    /// Whether the source of an edge stamps it, so that `drain` needs no clock for its events.
    ///
    /// If true, `now` may be earlier than the edges that `drain` finds: the loop reads no clock
    /// between its wake-up and the write of a lamp. False by default.
    var stampsEdges: Bool { get }

    /// Moves all events up to `now` into `buffer`, in the order of their timestamps.
    ///
    /// If `stampsEdges`, events after `now` are moved too.
    ///
    /// - Returns: the number of events written. If it equals the size of the buffer, there may be
    ///   more: call again before passing events on.
    func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int

    /// Reads the level of an input or the driven level of an output.
    ///
    /// - Returns: the level and the moment of reading; nil if `drain` will report a reading,
    ///   because the chip sleeps, or a fault.
    func read(_ line: LineID, now: Instant) -> LineReading?

    /// Drives an output.
    ///
    /// A faulty output is driven to the level when it is available again.
    ///
    /// - Returns: the moment just after the level was written; nil if another thread performs the
    ///   write (`drain` then reports `written`), or the line is faulty (`drain` reports a fault).
    func write(_ line: LineID, _ level: Level, now: Instant) -> Instant?

    /// Drives an output whose moment is not needed, such as a lamp. By default the same as `write`.
    func show(_ line: LineID, _ level: Level, now: Instant)

    /// Makes an output this strong whenever it is active, also at once if it is. Only lines with
    /// levels have a strength, full until it is told; all others ignore it, as is the default.
    func adjust(_ line: LineID, to strength: Strength, now: Instant)

    /// Changes to the lines of another panel, and keeps the requests of lines that stay: an output
    /// shows no edge, and no edge of an input is lost.
    ///
    /// It is all or nothing. If a line cannot be requested, the backend stays as it was, and the
    /// result says why. It may allocate and wait, once for each change.
    ///
    /// After a change, `drain` reports the waiting events of lines that continue, a reading of
    /// each input that does not continue, and a fault of each such line that cannot be used.
    /// Outputs that do not continue are at their initial levels. A line that could not be used
    /// before, and has the same settings, remains to be retried.
    ///
    /// - Parameter former: for each of `lines`, the former line whose state or level it continues.
    func change(to lines: [LineSettings], continuing former: [LineID?]) -> [HALError]

    /// Writes every output's `onRelease` level, then releases all lines; may wait for slow buses.
    ///
    /// Safe after faults, and if called again.
    func close()
}

extension GPIOBackend {
    /// Ignores the hint.
    public func markReady(_ index: Int) {}

    /// Edges get their timestamps from `drain`.
    public var stampsEdges: Bool { false }

    /// Refuses: only some backends can change their lines while they are in use.
    public func change(to lines: [LineSettings], continuing former: [LineID?]) -> [HALError] {
        [
            HALError(
                code: .unsupported, line: lines.first?.name ?? "", errno: 0,
                cause: "these lines cannot change while they are in use",
                remedy: "restart the panel")
        ]
    }

    /// Ignores the strength.
    public func adjust(_ line: LineID, to strength: Strength, now: Instant) {}

    /// Drives an output, and ignores the moment.
    public func show(_ line: LineID, _ level: Level, now: Instant) {
        _ = write(line, level, now: now)
    }
}

/// A level together with the moment at which it was read.
public struct LineReading: Equatable, Sendable, BitwiseCopyable {
    /// The level, polarity applied.
    public var level: Level
    /// The moment of reading.
    public var at: Instant

    /// Makes a reading.
    public init(level: Level, at: Instant) {
        self.level = level
        self.at = at
    }
}
