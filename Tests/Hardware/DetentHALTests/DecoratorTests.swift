import DetentHAL
import DetentTypes
import SimulatedLines
import TestSupport
import Testing

@Suite struct DecoratorTests {
    private static let input = LineSettings(
        line: LineID(0), name: "input",
        location: LineLocation(lineNames: ["SIM0"], chipLabels: ["simulated"]),
        isActiveLow: false, direction: .input(bias: .asIs, edges: .interrupt, kernelDebounce: nil))
    private static let output = LineSettings(
        line: LineID(1), name: "output",
        location: LineLocation(lineNames: ["SIM1"], chipLabels: ["simulated"]),
        isActiveLow: false, direction: .output(initial: .inactive, onRelease: nil))

    private static func drain(_ backend: any GPIOBackend, _ world: SimulatedDriver) -> [LineEvent] {
        let buffer = UnsafeMutableBufferPointer<LineEvent>.allocate(capacity: 4096)
        defer { buffer.deallocate() }
        let count = backend.drain(into: buffer, now: world.now)
        return Array(buffer.prefix(count))
    }

    /// Presses the first line so often and returns all that was said.
    private static func press(
        _ times: Int, faults: InjectedFaults, seed: UInt64
    ) -> (events: [LineEvent], counts: FaultInjectingBackend.Counts) {
        let world = SimulatedDriver()
        let backend = FaultInjectingBackend(world.makeBackend(), faults: faults, seed: seed)
        _ = backend.open([input])
        var events: [LineEvent] = []
        for press in 0..<times {
            world.set(line: 0, high: press % 2 == 0)
            events += drain(backend, world)
        }
        while backend.deadline != .never {
            world.wait(for: backend, until: .never)
            events += drain(backend, world)
        }
        return (events, backend.counts)
    }

    private static func sequences(_ events: [LineEvent]) -> [UInt32] {
        events.compactMap {
            if case .edge(_, let sequence) = $0.kind { return sequence }
            return nil
        }
    }

    @Test func recordsCallsAndEventsAndKeepsTheEnd() {
        let world = SimulatedDriver()
        let backend = RecordingBackend(world.makeBackend(), capacity: 6)
        #expect(backend.open([Self.input, Self.output]).isEmpty)
        let events = Self.drain(backend, world)
        let reading = backend.read(LineID(0), now: world.now)
        let at = backend.write(LineID(1), .active, now: world.now)
        #expect(reading != nil && at != nil)
        let expected: [RecordingBackend.Entry] = [
            .opened(lines: 2, errors: 0), .event(events[0]), .read(LineID(0), reading),
            .wrote(LineID(1), .active, at: at),
        ]
        expectEqual(backend.entries, expected)
        for _ in 0..<3 { _ = backend.write(LineID(1), .inactive, now: world.now) }
        expectEqual(backend.dropped, 1)
        expectEqual(backend.entries.first, .event(events[0]))
        expectEqual(backend.entries.count, 6)
    }

    @Test func sameSeedSameFaults() {
        var faults = InjectedFaults()
        faults.losesOneEdgeIn = 5
        faults.delaysOneIn = 4
        faults.longestDelay = .milliseconds(3)
        faults.reordersOneIn = 6
        faults.unplugsOneDrainIn = 90
        let first = Self.press(300, faults: faults, seed: 42)
        let second = Self.press(300, faults: faults, seed: 42)
        let other = Self.press(300, faults: faults, seed: 43)
        expectEqual(first.events, second.events)
        expectEqual(first.counts, second.counts)
        #expect(first.events != other.events)
        #expect(first.counts.lost > 0 && first.counts.delayed > 0 && first.counts.unplugged > 0)
    }

    @Test func lostEdgesLeaveAGapAndMergedOnesNone() {
        var faults = InjectedFaults()
        faults.losesOneEdgeIn = 4
        let lost = Self.press(200, faults: faults, seed: 3)
        let gaps = Self.sequences(lost.events)
        expectEqual(gaps.count, 200 - lost.counts.lost)
        #expect(zip(gaps, gaps.dropFirst()).contains { $1 > $0 + 1 })

        faults = InjectedFaults()
        faults.mergesOneEdgeIn = 4
        let merged = Self.press(200, faults: faults, seed: 3)
        #expect(merged.counts.merged > 0)
        expectEqual(
            Self.sequences(merged.events), Array(1...UInt32(200 - merged.counts.merged)))
    }

    @Test func delayedEventsAllComeWithTheirStamps() {
        var faults = InjectedFaults()
        faults.delaysOneIn = 2
        faults.longestDelay = .milliseconds(50)
        let plain = Self.press(100, faults: InjectedFaults(), seed: 5)
        let delayed = Self.press(100, faults: faults, seed: 5)
        #expect(delayed.counts.delayed > 10)
        expectEqual(Self.sequences(delayed.events).sorted(), Self.sequences(plain.events))
    }

    @Test func unpluggingFaultsEveryLineAndRestoresLevels() {
        let world = SimulatedDriver()
        let backend = FaultInjectingBackend(
            world.makeBackend(), faults: InjectedFaults(), seed: 1)
        _ = backend.open([Self.input, Self.output])
        _ = Self.drain(backend, world)
        let moment = world.now
        backend.unplug(until: moment + .seconds(1), now: moment)
        expectEqual(
            Self.drain(backend, world).map(\.kind), [.fault(errno: 19), .fault(errno: 19)])
        #expect(backend.write(LineID(1), .active, now: world.now) == nil)
        #expect(backend.read(LineID(0), now: world.now) == nil)
        world.set(line: 0, high: true)
        expectEqual(Self.drain(backend, world), [])
        expectEqual(backend.deadline, moment + .seconds(1))
        world.wait(for: backend, until: backend.deadline)
        let kinds = Self.drain(backend, world).map(\.kind)
        expectEqual(kinds, [.restored, .reading(.active), .restored, .written(.active)])
        #expect(world.isHigh(line: 1))
    }
}
