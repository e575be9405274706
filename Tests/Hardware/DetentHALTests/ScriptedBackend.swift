import DetentHAL
import DetentTypes

/// A backend that says what a test has prepared, and remembers what it was told.
final class ScriptedBackend: GPIOBackend {
    var descriptors: [Int32] = [7, 9]
    var descriptorGeneration: UInt32 = 3
    var deadline = Instant(nanoseconds: 1_000)
    var stampsEdges = true
    /// The events of each `drain`; empty where there is none left.
    var batches: [[LineEvent]] = []
    /// The answer to each reading.
    var reading: LineReading? = LineReading(level: .active, at: Instant(nanoseconds: 5))
    /// The answer to each writing.
    var written: Instant? = Instant(nanoseconds: 6)
    var errors: [HALError] = []

    private(set) var opened: [[String]] = []
    private(set) var marked: [Int] = []
    /// The room of each `drain`.
    private(set) var rooms: [Int] = []
    private(set) var writes: [Level] = []
    private(set) var changes: [[LineID?]] = []
    private(set) var closed = 0

    func open(_ lines: [LineSettings]) -> [HALError] {
        opened.append(lines.map(\.name))
        return errors
    }

    func markReady(_ index: Int) { marked.append(index) }

    func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        rooms.append(buffer.count)
        let events = batches.isEmpty ? [] : batches.removeFirst()
        for (place, event) in events.enumerated() { buffer[place] = event }
        return events.count
    }

    func read(_ line: LineID, now: Instant) -> LineReading? { reading }

    func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        writes.append(level)
        return written
    }

    func change(to lines: [LineSettings], continuing former: [LineID?]) -> [HALError] {
        changes.append(former)
        return errors
    }

    func close() { closed += 1 }

    static func edge(_ line: UInt16, sequence: UInt32, at nanoseconds: UInt64) -> LineEvent {
        LineEvent(
            line: LineID(line), kind: .edge(.active, sequence: sequence),
            at: Instant(nanoseconds: nanoseconds))
    }

    static func input(_ line: UInt16, _ name: String) -> LineSettings {
        LineSettings(
            line: LineID(line), name: name, location: LineLocation(), isActiveLow: false,
            direction: .input(bias: .asIs, edges: .interrupt, kernelDebounce: nil))
    }

    static func output(_ line: UInt16, _ name: String, initial: Level) -> LineSettings {
        LineSettings(
            line: LineID(line), name: name, location: LineLocation(), isActiveLow: false,
            direction: .output(initial: initial, onRelease: nil))
    }

    static let error = HALError(code: .noSuchLine, line: "x", cause: "a", remedy: "b")
}

extension GPIOBackend {
    /// What one `drain` says.
    func drained(at nanoseconds: UInt64, room: Int = 64) -> [LineEvent] {
        let buffer = UnsafeMutableBufferPointer<LineEvent>.allocate(capacity: room)
        defer { buffer.deallocate() }
        return Array(buffer.prefix(drain(into: buffer, now: Instant(nanoseconds: nanoseconds))))
    }
}
