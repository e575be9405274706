internal import DetentGPIOD
internal import KernelSupport

/// Bursts of edges together on as many lines as the rig's kernel has interrupts for.
enum BurstChecks {
    static let all: [(name: String, run: @Sendable () throws -> Void)] = [
        ("bursts on sixty-four lines together arrive whole and alternate", bursts),
        ("queues that overflow on thirty-three of them are told, and readings repair it", floods),
    ]

    private static let lineCount = 64
    /// Edges of one line that wait in the kernel: 16 in the first interface, 1024 in the second as
    /// the shim asks for them.
    private static var queue: Int { GPIODInventory.interface == 2 ? 1_024 : 16 }

    /// The backend reads so often that no queue is full.
    private static func bursts() throws {
        let bench = try BurstBench(lines: lineCount)
        defer { bench.close() }
        var random = SeededRandom(seed: 81)
        for round in 0..<8 {
            let lengths = (0..<lineCount).map { _ in 1 + random.below(40) }
            var unread = 0
            for line in random.interleave(lengths) {
                bench.move(line)
                unread += 1
                if unread == 15 || random.below(8) == 0 {
                    bench.read()
                    unread = 0
                }
            }
            try bench.judge(lengths, queue: .max, "round \(round)")
        }
    }

    /// The backend reads after each round. Each round has other lines that overflow.
    private static func floods() throws {
        let bench = try BurstBench(lines: lineCount)
        defer { bench.close() }
        var random = SeededRandom(seed: 82)
        for round in 0..<2 {
            let flooded = Set((0..<33).map { (line: Int) in (line * 5 + round * 7) % lineCount })
            let lengths = (0..<lineCount).map { line in
                flooded.contains(line) ? queue + 1 + random.below(16) : 1 + random.below(15)
            }
            for line in random.interleave(lengths) { bench.move(line) }
            try bench.judge(lengths, queue: queue, "round \(round)")
        }
    }
}
