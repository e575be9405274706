public import DetentTypes

/// The contract of everything that has lines: a kernel's character devices, or a simulated panel.
///
/// The order of calls is `open`, then `drain`, `read` and `write` in any order, then `close`. After
/// `open`, no call allocates on its ordinary path, and none waits for a slow bus: chips that sleep
/// are served by a thread of the backend, and their results arrive as events.
///
/// Synchronization: none; all calls come from one thread, the real-time loop.
public protocol GPIOBackend: AnyObject {
    /// Requests all lines with their settings, outputs at their initial levels.
    ///
    /// Lines that cannot be had are in the result, each with its reason; the others work. The
    /// backend tries a line whose chip is absent again by itself, and says `restored` when it is
    /// back. After this call the first `drain` holds a reading of every input that was requested.
    func open(_ lines: [LineSettings]) -> [HALError]

    /// Descriptors that become readable when `drain` has something to give; valid until `close`.
    ///
    /// The set may change after a `drain` in which a line was lost or restored.
    var descriptors: [Int32] { get }

    /// Grows by one whenever `descriptors` has changed.
    var descriptorGeneration: UInt32 { get }

    /// Says that `poll` found `descriptors[index]` readable, or hung up, for the next `drain`.
    ///
    /// Optional: a drain before which nobody said anything asks its descriptors itself, which costs
    /// a system call more.
    func markReady(_ index: Int)

    /// The next moment at which `drain` wants to be called although nothing is readable; `never` if
    /// there is no such moment. Polled lines and simulated fingers need it.
    var deadline: Instant { get }

    /// Moves all that has happened up to `now` into `buffer`, in the order of the stamps.
    ///
    /// - Returns: the number of events written. Equal to the buffer's size when there may be more:
    ///   call again before handing anything over.
    func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int

    /// Reads the level of an input or the driven level of an output.
    ///
    /// - Returns: the level and the moment of reading; nil if the answer will come through `drain`
    ///   as a reading, because the chip sleeps, or as a fault.
    func read(_ line: LineID, now: Instant) -> LineReading?

    /// Drives an output.
    ///
    /// A faulty output keeps the level in mind and is driven to it when it is back.
    ///
    /// - Returns: the moment just after the level was written; nil if the write is under way on
    ///   another thread (which arrives as `written`), or the line is faulty (which arrives as a
    ///   fault).
    func write(_ line: LineID, _ level: Level, now: Instant) -> Instant?

    /// Writes every output's `onRelease` level, then gives all lines back; may wait for slow buses.
    ///
    /// Harmless after faults, and when called again.
    func close()
}

extension GPIOBackend {
    /// Ignores the hint.
    public func markReady(_ index: Int) {}
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
