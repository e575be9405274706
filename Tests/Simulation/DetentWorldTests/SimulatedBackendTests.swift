import DetentHAL
import DetentPanel
import DetentTypes
import DetentWorld
import TestPanels
import TestSupport
import Testing

/// The backend over the world: readings, sequence numbers, and a queue that overflows like the
/// kernel's.
struct SimulatedBackendTests {
    private func events(_ backend: SimulatedBackend, until now: Instant) -> [LineEvent] {
        let buffer = UnsafeMutableBufferPointer<LineEvent>.allocate(capacity: 4)
        defer { buffer.deallocate() }
        var all: [LineEvent] = []
        while true {
            let count = backend.drain(into: buffer, now: now)
            all += buffer.prefix(count)
            if count < buffer.count { return all }
        }
    }

    private func opened(queue: Int? = nil) -> SimulatedBackend {
        let plan = Panels.lever()
        let backend = SimulatedBackend(
            PhysicalModel(plan, seed: 1, bounce: .all(.none)), queue: queue)
        #expect(backend.open(plan.lineSettings).isEmpty)
        expectEqual(events(backend, until: .zero).map(\.kind), [.reading(.inactive)])
        return backend
    }

    private func toggle(_ backend: SimulatedBackend, times: Int) throws {
        for round in 0..<times {
            try backend.apply(
                .flip(ControlID(0), to: (round + 1) % 2), at: .milliseconds(UInt64(round + 1)))
        }
    }

    @Test("edges come with the world's stamps, counted from 1")
    func edges() throws {
        let backend = opened()
        try toggle(backend, times: 3)
        let found = events(backend, until: .milliseconds(10))
        expectEqual(
            found.map(\.kind),
            [
                .edge(.active, sequence: 1), .edge(.inactive, sequence: 2),
                .edge(.active, sequence: 3),
            ])
        expectEqual(found.map(\.at), [.milliseconds(1), .milliseconds(2), .milliseconds(3)])
        expectEqual(backend.deadline, .never)
    }

    @Test("an output has its strength while it is active, full until another one is told")
    func strengths() throws {
        let reading = PanelReader.read(
            SourceText(
                file: "p.yaml",
                text: "{panel: P, board: none, controls: {c: {kind: switch, label: S, input: I, "
                    + "indicator: {led: ACT}}}}"))
        let plan = try #require(reading.plan)
        let backend = SimulatedBackend(PhysicalModel(plan, seed: 1, bounce: .all(.none)))
        #expect(backend.open(plan.lineSettings).isEmpty)
        let half = Strength(tenThousandths: 5_000)
        let dark = Strength(tenThousandths: 0)
        expectEqual(backend.strength(of: LineID(1)), dark)
        _ = backend.write(LineID(1), .active, now: .zero)
        expectEqual(backend.strength(of: LineID(1)), .full)
        backend.adjust(LineID(1), to: half, now: .zero)
        expectEqual(backend.strength(of: LineID(1)), half)
        _ = backend.write(LineID(1), .inactive, now: .zero)
        expectEqual(backend.strength(of: LineID(1)), dark)
        backend.adjust(LineID(0), to: half, now: .zero)
        expectEqual(backend.strength(of: LineID(0)), dark)
    }

    @Test("a full queue drops the oldest, and the sequence has a gap")
    func overflow() throws {
        let backend = opened(queue: 4)
        try toggle(backend, times: 10)
        let found = events(backend, until: .milliseconds(20))
        // The last flip happens while draining: the queue was full of the four before it.
        expectEqual(
            found.compactMap { event -> UInt32? in
                if case .edge(_, let sequence) = event.kind { sequence } else { nil }
            }, [6, 7, 8, 9, 10])
        expectEqual(backend.droppedEdges, 5)
        expectEqual(backend.read(LineID(0), now: .milliseconds(20))?.level, .inactive)
    }

    @Test("lost edges leave a gap, an unplugged line is silent and comes back with a reading")
    func faults() throws {
        let backend = opened()
        backend.loseEdges(of: LineID(0), count: 1)
        try toggle(backend, times: 2)
        expectEqual(
            events(backend, until: .milliseconds(5)).map(\.kind), [.edge(.inactive, sequence: 2)])
        backend.unplug(LineID(0), at: .milliseconds(6))
        try backend.apply(.flip(ControlID(0), to: 1), at: .milliseconds(7))
        #expect(backend.read(LineID(0), now: .milliseconds(8)) == nil)
        backend.replug(LineID(0), at: .milliseconds(9))
        expectEqual(
            events(backend, until: .milliseconds(9)).map(\.kind),
            [
                .fault(errno: 19), .restored, .reading(.active),
            ])
        try backend.apply(.flip(ControlID(0), to: 0), at: .milliseconds(10))
        expectEqual(
            events(backend, until: .milliseconds(11)).map(\.kind), [.edge(.inactive, sequence: 1)])
    }

    @Test("what happens at the moment of a reading, and after it, is told after it")
    func orderOfOneMoment() throws {
        let backend = opened()
        backend.unplug(LineID(0), at: .milliseconds(1))
        backend.replug(LineID(0), at: .milliseconds(2))
        try backend.apply(.flip(ControlID(0), to: 1), at: .milliseconds(2))
        expectEqual(
            events(backend, until: .milliseconds(5)).map(\.kind),
            [
                .fault(errno: 19), .restored, .reading(.inactive), .edge(.active, sequence: 1),
            ])
    }
}
