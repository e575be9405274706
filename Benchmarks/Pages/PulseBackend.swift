import DetentHAL
import DetentPlatform
import DetentTypes

/// Lines whose edges another thread makes. It records how long each takes to reach a lamp.
///
/// The thread that makes edges calls `push`; the loop's thread calls the rest.
final class PulseBackend: GPIOBackend, @unchecked Sendable {
    // Unchecked: the two threads share only the ring and the wake-up.
    private let edges = Ring<LineEvent>(capacity: 65_536)
    private let wakeUp: WakeUp
    private let contacts: Int
    /// When the last edge of a control was made.
    private var made: [Instant]
    /// From an edge to the write of its lamp, in nanoseconds, since `takeLatencies`.
    private var latencies: [UInt64] = []
    /// The lamp of each line's control, by the line; -1 for lamps.
    private let controls: [Int]

    init(controls: [Int], contacts: Int) throws {
        self.controls = controls
        self.contacts = contacts
        made = Array(repeating: .zero, count: contacts)
        latencies.reserveCapacity(1_000_000)
        wakeUp = try WakeUp()
    }

    /// Makes an edge, now.
    func push(_ line: LineID, _ level: Level, sequence: UInt32) -> Bool {
        let isTaken = edges.push(
            LineEvent(
                line: line, kind: .edge(level, sequence: sequence), at: MonotonicClock.now))
        wakeUp.ring()
        return isTaken
    }

    /// The measurements since the last call.
    func takeLatencies() -> [UInt64] {
        let taken = latencies
        latencies.removeAll(keepingCapacity: true)
        return taken
    }

    func open(_ lines: [LineSettings]) -> [HALError] { [] }
    var descriptors: [Int32] { [wakeUp.descriptor] }
    let descriptorGeneration: UInt32 = 0
    let deadline = Instant.never

    func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        wakeUp.clear()
        var count = 0
        while count < buffer.count, let event = edges.pop() {
            made[controls[Int(event.line.index)]] = event.at
            buffer[count] = event
            count += 1
        }
        return count
    }

    func read(_ line: LineID, now: Instant) -> LineReading? {
        LineReading(level: .inactive, at: now)
    }

    func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        let written = MonotonicClock.now
        let control = controls[Int(line.index)]
        if made[control] != .zero {
            latencies.append((written - made[control]).nanoseconds)
            made[control] = .zero
        }
        return written
    }

    func close() {}
}
