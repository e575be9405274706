internal import DetentGPIOD
internal import DetentHAL
internal import DetentTypes
internal import KernelSupport

/// A chip whose lines all have edge detection, its backend, and what is known of each line.
final class BurstBench {
    private let chip: SimChip
    private let backend = GPIODBackend()
    private let buffer = UnsafeMutableBufferPointer<LineEvent>.allocate(capacity: 256)
    private var lines: [EdgeFollower]
    private var before: [EdgeFollower]
    private var levels: [Bool]

    /// Opens the lines; every second one is active-low.
    init(lines count: Int) throws {
        chip = try SimChip(name: "detent-burst", lines: Array(repeating: "", count: count))
        lines = Array(repeating: EdgeFollower(), count: count)
        before = lines
        levels = Array(repeating: false, count: count)
        let settings = (0..<count).map { index in
            LineSettings(
                line: LineID(UInt16(index)), name: "line\(index)",
                location: LineLocation(chipLabels: [chip.label], offset: UInt32(index)),
                isActiveLow: Self.isActiveLow(index),
                direction: .input(bias: .asIs, edges: .interrupt, kernelDebounce: nil))
        }
        let errors = backend.open(settings)
        guard errors.isEmpty else {
            close()
            throw KernelChecks.Failure(description: "\(errors)")
        }
        read()
        before = lines
    }

    deinit { buffer.deallocate() }

    func close() {
        backend.close()
        chip.remove()
    }

    private static func isActiveLow(_ line: Int) -> Bool { line % 2 == 1 }

    /// Moves a line to its other level.
    func move(_ line: Int) {
        levels[line].toggle()
        chip.pull(line, high: levels[line])
    }

    /// Takes all events that wait, and reads the lines of which a loss was told.
    func read() {
        var count = buffer.count
        while count == buffer.count {
            count = backend.drain(into: buffer, now: KernelDriver.monotonic)
            for event in buffer.prefix(count) { lines[Int(event.line.index)].take(event) }
            for line in lines.indices where lines[line].wantsReading {
                let id = LineID(UInt16(line))
                guard let reading = backend.read(id, now: KernelDriver.monotonic) else { continue }
                lines[line].takeReading(reading.level, at: reading.at)
            }
        }
    }

    /// Fails unless all that happened to the lines since the last call is known.
    ///
    /// - Parameters:
    ///   - lengths: how often each line was moved since then.
    ///   - queue: edges of a line that can wait; with more, their loss must be told.
    func judge(_ lengths: [Int], queue: Int, _ round: String) throws {
        read()
        for line in lines.indices {
            let now = lines[line]
            let place = "\(round), line \(line), \(lengths[line]) edges"
            let level = Level(levels[line] != Self.isActiveLow(line))
            try KernelChecks.expect(now.level == level, "\(place): \(now.level), is \(level)")
            try KernelChecks.expect(
                now.repeated == 0, "\(place): \(now.repeated) do not alternate")
            let came = now.edges - before[line].edges
            try KernelChecks.expect(came == min(lengths[line], queue), "\(place): \(came) came")
            let missing = now.missing - before[line].missing
            let isTold = missing > 0 || now.overflows > before[line].overflows
            try KernelChecks.expect(
                isTold == (lengths[line] > queue), "\(place): a loss is told: \(isTold)")
            if GPIODInventory.interface == 2 {
                try KernelChecks.expect(
                    came + missing == lengths[line], "\(place): \(missing) are missing")
            }
        }
        try KernelChecks.expect(
            backend.lostEvents == 0, "\(round): the backend dropped \(backend.lostEvents) events")
        before = lines
    }
}
