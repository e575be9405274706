internal import DetentGPIOD
internal import DetentHAL
internal import DetentTypes
internal import Glibc
internal import KernelAllocations
internal import KernelSupport

/// The cost of an edge, a reading and a write on open lines.
enum CostChecks {
    static let all: [(name: String, run: @Sendable () throws -> Void)] = [
        ("edges, readings, writes and polls allocate nothing", allocations),
        ("an edge is in user space soon after it happened", latency),
    ]

    private static let rounds = 500

    /// Two inputs with edges, one polled, two outputs.
    private static func lines(_ chip: SimChip) -> [LineSettings] {
        let edges = LineDirection.input(bias: .asIs, edges: .interrupt, kernelDebounce: nil)
        let polled = LineDirection.input(
            bias: .asIs, edges: .polled(every: .milliseconds(1)), kernelDebounce: nil)
        let output = LineDirection.output(initial: .inactive, onRelease: .inactive)
        return [edges, edges, polled, output, output].enumerated().map { index, direction in
            LineSettings(
                line: LineID(UInt16(index)), name: "line\(index)",
                location: LineLocation(chipLabels: [chip.label], offset: UInt32(index)),
                isActiveLow: false, direction: direction)
        }
    }

    /// A chip of five lines that a backend has opened, with room for its events.
    private static func withLines(
        _ body: (SimChip, GPIODBackend, UnsafeMutableBufferPointer<LineEvent>) throws -> Void
    ) throws {
        let chip = try SimChip(name: "detent-cost", lines: Array(repeating: "", count: 5))
        defer { chip.remove() }
        let backend = GPIODBackend()
        defer { backend.close() }
        let errors = backend.open(lines(chip))
        try KernelChecks.expect(errors.isEmpty, "\(errors)")
        let events = UnsafeMutableBufferPointer<LineEvent>.allocate(capacity: 256)
        defer { events.deallocate() }
        try body(chip, backend, events)
    }

    private static func allocations() throws {
        try withLines { chip, backend, events in
            var counted: UInt64 = 0
            var seen = 0
            for round in 0..<rounds + 10 {
                for line in 0..<3 { chip.pull(line, high: round % 2 == 0) }
                if round % 2 == 0 { backend.markReady(backend.descriptors.count - 1) }
                let before = detent_allocations()
                let now = KernelDriver.monotonic
                seen += backend.drain(into: events, now: now)
                _ = backend.read(LineID(0), now: now)
                _ = backend.write(LineID(3), Level(round % 2 == 0), now: now)
                _ = backend.deadline
                // The first rounds include work that the runtime does once.
                if round >= 10 { counted += detent_allocations() - before }
            }
            try KernelChecks.expect(seen > rounds, "only \(seen) events came")
            // Without optimisation, generic code of the standard library allocates.
            #if DEBUG
                print(
                    "# \(counted) allocations in \(rounds) rounds; judged in a release build only")
            #else
                try KernelChecks.expect(counted == 0, "\(counted) allocations in \(rounds) rounds")
            #endif
        }
    }

    private static func latency() throws {
        try withLines { chip, backend, events in
            var table = backend.descriptors.map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            var edges: [UInt64] = []
            var writes: [UInt64] = []
            _ = backend.drain(into: events, now: KernelDriver.monotonic)
            for round in 0..<rounds {
                chip.pull(0, high: round % 2 == 0)
                poll(&table, nfds_t(table.count), 1000)
                for index in table.indices where table[index].revents != 0 {
                    backend.markReady(index)
                }
                let count = backend.drain(into: events, now: KernelDriver.monotonic)
                let arrived = KernelDriver.monotonic
                for event in events.prefix(count) where event.line == LineID(0) {
                    edges.append((arrived - event.at).nanoseconds)
                }
                let before = KernelDriver.monotonic
                if let at = backend.write(LineID(3), Level(round % 2 == 0), now: before) {
                    writes.append((at - before).nanoseconds)
                }
            }
            try KernelChecks.expect(edges.count == rounds, "\(edges.count) edges of \(rounds)")
            print("# edge to user space \(summary(edges)); write \(summary(writes))")
            // Twice the tick of the rig's kernel.
            try KernelChecks.expect(
                edges.sorted()[rounds / 2] < 20_000_000, "median \(summary(edges))")
        }
    }

    private static func summary(_ nanoseconds: [UInt64]) -> String {
        let sorted = nanoseconds.sorted()
        guard let last = sorted.last else { return "never" }
        return "median \(sorted[sorted.count / 2] / 1000) us, "
            + "99 % \(sorted[sorted.count * 99 / 100] / 1000) us, worst \(last / 1000) us"
    }
}
