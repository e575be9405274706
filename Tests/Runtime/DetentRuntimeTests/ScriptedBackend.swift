import DetentHAL
import DetentPlatform
import DetentTypes

/// Lines that do what the test says, with every call in a log.
final class ScriptedBackend: GPIOBackend {
    enum Call: Equatable {
        case open
        case read(LineID)
        case write(LineID, Level)
        case close
    }

    /// Lines that `open` refuses, by name.
    var refused: Set<String> = []
    /// What the next drains give, in the order of the stamps.
    var events: [LineEvent] = []
    var levels: [LineID: Level] = [:]
    private(set) var calls: [Call] = []
    /// Called before every write, with the moment of the turn.
    var willWrite: (Instant) -> Void = { _ in }
    /// Called before every drain, with the moment of the turn.
    var willDrain: (Instant) -> Void = { _ in }
    var stampsEdges = false
    /// Why the next change of lines is refused.
    var changeErrors: [HALError] = []
    /// The changes of lines, by their names, with the former lines that they continue.
    private(set) var changes: [(lines: [String], former: [LineID?])] = []
    /// The descriptors that were told to be ready.
    private(set) var ready: [Int] = []

    func open(_ lines: [LineSettings]) -> [HALError] {
        calls.append(.open)
        return lines.filter { refused.contains($0.name) }.map {
            HALError(code: .busy, line: $0.name, cause: "taken", remedy: "give it back")
        }
    }

    var descriptors: [Int32] = []
    var descriptorGeneration: UInt32 = 0
    var deadline: Instant { events.isEmpty ? .never : .zero }

    func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        willDrain(now)
        let count = min(buffer.count, events.count)
        for place in 0..<count { buffer.initializeElement(at: place, to: events[place]) }
        events.removeFirst(count)
        return count
    }

    func read(_ line: LineID, now: Instant) -> LineReading? {
        calls.append(.read(line))
        return LineReading(level: levels[line] ?? .inactive, at: now)
    }

    func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        willWrite(now)
        calls.append(.write(line, level))
        return now
    }

    func markReady(_ index: Int) { ready.append(index) }

    func change(to lines: [LineSettings], continuing former: [LineID?]) -> [HALError] {
        guard changeErrors.isEmpty else { return changeErrors }
        changes.append((lines.map(\.name), former))
        return []
    }

    func close() { calls.append(.close) }
}
