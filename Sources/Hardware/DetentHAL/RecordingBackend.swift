public import DetentTypes

/// A backend that records every call and event of the wrapped backend.
///
/// The recording has a fixed capacity. When it is full, the oldest entries are dropped and counted,
/// so a long run keeps its end. After the initializer, only `entries` allocates.
public final class RecordingBackend: GPIOBackend {
    /// One call or event.
    public enum Entry: Equatable, Sendable {
        case opened(lines: Int, errors: Int)
        case event(LineEvent)
        /// nil if the answer comes through `drain`.
        case read(LineID, LineReading?)
        /// nil if another thread performs the write, or the line is faulty.
        case wrote(LineID, Level, at: Instant?)
        case closed
    }

    private let wrapped: any GPIOBackend
    private var ring: [Entry]
    private var start = 0
    private var count = 0
    /// Entries that were dropped for newer ones.
    public private(set) var dropped = 0

    /// Wraps a backend and keeps `capacity` entries, at least 1.
    public init(_ wrapped: any GPIOBackend, capacity: Int = 4096) {
        self.wrapped = wrapped
        ring = Array(repeating: .closed, count: max(capacity, 1))
    }

    /// The recording, oldest first.
    public var entries: [Entry] {
        (0..<count).map { ring[(start + $0) % ring.count] }
    }

    /// Clears the recording and the count of dropped entries.
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

    /// Descriptors that become readable when `drain` has events.
    public var descriptors: [Int32] { wrapped.descriptors }
    /// Changes with `descriptors`.
    public var descriptorGeneration: UInt32 { wrapped.descriptorGeneration }
    /// When to call `drain` even if no descriptor is readable.
    public var deadline: Instant { wrapped.deadline }

    /// Whether the recorded backend stamps edges.
    public var stampsEdges: Bool { wrapped.stampsEdges }

    /// Marks a descriptor as readable.
    public func markReady(_ index: Int) { wrapped.markReady(index) }

    /// Returns the events since the last call, as `GPIOBackend.drain` does.
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

    /// Passes the strength of an output on.
    public func adjust(_ line: LineID, to strength: Strength, now: Instant) {
        wrapped.adjust(line, to: strength, now: now)
    }

    /// Changes the lines, as `GPIOBackend.change` says.
    public func change(to lines: [LineSettings], continuing former: [LineID?]) -> [HALError] {
        wrapped.change(to: lines, continuing: former)
    }

    /// Releases all lines, with outputs at their `onRelease` levels.
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
