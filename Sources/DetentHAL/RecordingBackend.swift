public import DetentTypes

/// A backend that keeps a trace of every call and event of the one that it wraps.
///
/// The trace has room for a fixed number of entries; after that the oldest are dropped and counted,
/// so a long run keeps its end. Nothing allocates after the initializer but `entries`.
public final class RecordingBackend: GPIOBackend {
    /// One call or event.
    public enum Entry: Equatable, Sendable {
        case opened(lines: Int, errors: Int)
        case event(LineEvent)
        /// nil where the answer comes through `drain`.
        case read(LineID, LineReading?)
        /// nil where the write is under way, or the line is faulty.
        case wrote(LineID, Level, at: Instant?)
        case closed
    }

    private let wrapped: any GPIOBackend
    private var ring: [Entry]
    private var start = 0
    private var count = 0
    /// Entries that had to make room for newer ones.
    public private(set) var dropped = 0

    /// Wraps a backend; `capacity` entries are kept, at least 1.
    public init(_ wrapped: any GPIOBackend, capacity: Int = 4096) {
        self.wrapped = wrapped
        ring = Array(repeating: .closed, count: max(capacity, 1))
    }

    /// The trace, oldest first.
    public var entries: [Entry] {
        (0..<count).map { ring[(start + $0) % ring.count] }
    }

    /// Empties the trace, and the count of dropped entries.
    public func removeAll() {
        start = 0
        count = 0
        dropped = 0
    }

    /// Requests all lines, as `GPIOBackend.open` says.
    public func open(_ lines: [LineSettings]) -> [HALError] {
        let errors = wrapped.open(lines)
        keep(.opened(lines: lines.count, errors: errors.count))
        return errors
    }

    /// What becomes readable when `drain` has something to give.
    public var descriptors: [Int32] { wrapped.descriptors }
    /// Changes whenever `descriptors` do.
    public var descriptorGeneration: UInt32 { wrapped.descriptorGeneration }
    /// When `drain` has to be called although nothing is readable.
    public var deadline: Instant { wrapped.deadline }

    /// Takes note that a descriptor is readable.
    public func markReady(_ index: Int) { wrapped.markReady(index) }

    /// Gives what happened since the last call, as `GPIOBackend.drain` says.
    public func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        let count = wrapped.drain(into: buffer, now: now)
        for place in 0..<count { keep(.event(buffer[place])) }
        return count
    }

    /// Reads a level, as `GPIOBackend.read` says.
    public func read(_ line: LineID, now: Instant) -> LineReading? {
        let reading = wrapped.read(line, now: now)
        keep(.read(line, reading))
        return reading
    }

    /// Drives an output, as `GPIOBackend.write` says.
    public func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        let at = wrapped.write(line, level, now: now)
        keep(.wrote(line, level, at: at))
        return at
    }

    /// Gives all lines back, outputs at their levels for that.
    public func close() {
        wrapped.close()
        keep(.closed)
    }

    private func keep(_ entry: Entry) {
        ring[(start + count) % ring.count] = entry
        if count < ring.count {
            count += 1
        } else {
            start = (start + 1) % ring.count
            dropped += 1
        }
    }
}
