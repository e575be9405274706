import DetentHAL
import DetentTypes
import TestSupport
import Testing

/// The faults one by one, where chance has no choice.
@Suite struct FaultInjectionTests {
    private let wrapped = ScriptedBackend()

    private func backend(_ change: (inout InjectedFaults) -> Void = { _ in })
        -> FaultInjectingBackend
    {
        var faults = InjectedFaults()
        change(&faults)
        let backend = FaultInjectingBackend(wrapped, faults: faults, seed: 1)
        _ = backend.open([
            ScriptedBackend.input(0, "in"), ScriptedBackend.output(1, "out", initial: .active),
        ])
        return backend
    }

    private static func edges(_ count: UInt32, from first: UInt32 = 1) -> [LineEvent] {
        (first..<first + count).map { ScriptedBackend.edge(0, sequence: $0, at: UInt64($0)) }
    }

    private static func kinds(_ events: [LineEvent]) -> [LineEvent.Kind] { events.map(\.kind) }

    @Test func withoutFaultsNothingChanges() {
        let backend = backend()
        expectEqual(wrapped.opened, [["in", "out"]])
        expectEqual(backend.descriptors, [7, 9])
        expectEqual(backend.descriptorGeneration, 3)
        expectEqual(backend.deadline, wrapped.deadline)
        backend.markReady(1)
        expectEqual(wrapped.marked, [1])
        wrapped.batches = [Self.edges(3)]
        expectEqual(backend.drained(at: 9), Self.edges(3))
        expectEqual(backend.read(LineID(0), now: .zero), wrapped.reading)
        expectEqual(backend.write(LineID(1), .inactive, now: .zero), wrapped.written)
        #expect(backend.read(LineID(8), now: .zero) == nil)
        backend.close()
        expectEqual(wrapped.closed, 1)
        expectEqual(backend.counts, FaultInjectingBackend.Counts())
        #expect(backend.read(LineID(0), now: .zero) == nil)
    }

    @Test func refusedLinesAreToldAndUnreachable() {
        let backend = FaultInjectingBackend(wrapped, faults: refusals, seed: 1)
        wrapped.errors = [ScriptedBackend.error]
        let errors = backend.open([ScriptedBackend.input(0, "in")])
        expectEqual(errors.count, 2)
        expectEqual(errors.first, ScriptedBackend.error)
        expectEqual(errors.last?.code, .busy)
        expectEqual(errors.last?.errno, 16)
        expectEqual(errors.last?.line, "in")
        expectEqual(errors.last?.holder, "fault-injection")
        expectEqual(wrapped.opened, [[]])
        expectEqual(backend.counts.refused, 1)
        #expect(backend.read(LineID(0), now: .zero) == nil)
        backend.unplug(until: Instant(nanoseconds: 4), now: .zero)
        #expect(backend.drained(at: 3).isEmpty)
        #expect(backend.drained(at: 4).isEmpty)
    }

    private var refusals: InjectedFaults {
        var faults = InjectedFaults()
        faults.refusesOneLineIn = 1
        return faults
    }

    @Test func aLostEdgeWithoutACountIsAnOverflow() {
        let backend = backend { $0.losesOneEdgeIn = 1 }
        wrapped.batches = [[ScriptedBackend.edge(0, sequence: 0, at: 8)] + Self.edges(1)]
        let events = backend.drained(at: 9)
        expectEqual(Self.kinds(events), [.overflow])
        expectEqual(events.first?.at, Instant(nanoseconds: 8))
        expectEqual(backend.counts.lost, 2)
    }

    @Test func mergedEdgesAreCountedUntilTheLineIsRestored() {
        let backend = backend { $0.mergesOneEdgeIn = 2 }
        let restored = LineEvent(line: LineID(0), kind: .restored, at: .zero)
        wrapped.batches = [Self.edges(40), [restored], Self.edges(40)]
        let first = backend.drained(at: 9)
        let merged = backend.counts.merged
        #expect(merged > 0 && merged < 40)
        expectEqual(
            Self.kinds(first), (1...UInt32(40 - merged)).map { .edge(.active, sequence: $0) })
        expectEqual(Self.kinds(backend.drained(at: 9)), [.restored])
        let second = Self.kinds(backend.drained(at: 9))
        let left = 80 - backend.counts.merged - (40 - merged)
        expectEqual(second, (1...UInt32(left)).map { .edge(.active, sequence: $0) })
    }

    @Test func edgesWithoutACountStayWithout() {
        let backend = backend { $0.mergesOneEdgeIn = 2 }
        let edges = (0..<20).map { ScriptedBackend.edge(0, sequence: 0, at: $0) }
        wrapped.batches = [edges]
        let events = backend.drained(at: 30)
        #expect(!events.isEmpty && events.count < 20)
        #expect(events.allSatisfy { $0.kind == .edge(.active, sequence: 0) })
    }

    @Test func aDelayedEventComesWhenItIsDue() {
        let backend = backend {
            $0.delaysOneIn = 1
            $0.longestDelay = TimeSpan(nanoseconds: 1_000_000)
        }
        wrapped.deadline = .never
        wrapped.batches = [Self.edges(1)]
        #expect(backend.drained(at: 1_000).isEmpty)
        let due = backend.deadline.nanoseconds
        #expect(due > 1_000 && due < 1_001_000)
        #expect(backend.drained(at: due - 1).isEmpty)
        expectEqual(backend.drained(at: due), Self.edges(1))
        expectEqual(backend.counts.delayed, 1)
        expectEqual(backend.deadline, .never)
    }

    @Test func aLongestDelayAloneDelaysNothing() {
        let backend = backend { $0.longestDelay = .seconds(1) }
        wrapped.batches = [Self.edges(2)]
        expectEqual(backend.drained(at: 5), Self.edges(2))
    }

    @Test func linesThatWereNotOpenedKeepTheirCount() {
        let backend = backend()
        let foreign = ScriptedBackend.edge(8, sequence: 5, at: 1)
        wrapped.batches = [[foreign]]
        expectEqual(backend.drained(at: 5), [foreign])
    }

    @Test func withoutALongestDelayNothingIsDelayed() {
        let backend = backend { $0.delaysOneIn = 1 }
        wrapped.batches = [Self.edges(2)]
        expectEqual(backend.drained(at: 5), Self.edges(2))
        expectEqual(backend.counts.delayed, 0)
    }

    @Test func reorderedEventsChangePlacesWithTheOneBefore() {
        let backend = backend { $0.reordersOneIn = 1 }
        wrapped.batches = [Self.edges(3)]
        let edges = Self.edges(3)
        // The second goes before the first, and the third before that one's place.
        expectEqual(backend.drained(at: 5), [edges[1], edges[2], edges[0]])
        expectEqual(backend.counts.reordered, 2)
    }

    @Test func whatFindsNoRoomComesNext() {
        let backend = backend()
        wrapped.batches = [Self.edges(5)]
        expectEqual(backend.drained(at: 9, room: 2), Self.edges(2))
        expectEqual(backend.deadline, .zero)
        expectEqual(backend.drained(at: 9, room: 2), Self.edges(2, from: 3))
        expectEqual(backend.drained(at: 9, room: 2), Self.edges(1, from: 5))
    }

    @Test func itTakesWhatIsThereUpToABound() {
        let backend = backend()
        wrapped.batches = Array(repeating: Self.edges(256), count: 40)
        expectEqual(backend.drained(at: 9, room: 1).count, 1)
        expectEqual(wrapped.rooms, Array(repeating: 256, count: 32))
        // Two more are gone, so that there is room for one more batch.
        expectEqual(backend.drained(at: 9, room: 1).count, 1)
        expectEqual(wrapped.rooms.count, 33)
    }

    @Test func aBatchThatIsNotFullIsTheLast() {
        let backend = backend()
        wrapped.batches = [Self.edges(255), Self.edges(1)]
        expectEqual(backend.drained(at: 9, room: 512).count, 255)
        expectEqual(wrapped.rooms, [256])
    }

    @Test func itComesBackExactlyThen() {
        let backend = backend { $0.unplugsOneDrainIn = 1 }
        wrapped.deadline = .never
        wrapped.batches = [Self.edges(2), Self.edges(2)]
        let start = Instant(nanoseconds: 50)
        let lost = LineEvent.Kind.fault(errno: 19)
        expectEqual(Self.kinds(backend.drained(at: 50)), [lost, lost])
        #expect(backend.isUnplugged)
        expectEqual(backend.counts.unplugged, 1)
        expectEqual(backend.deadline, start + .milliseconds(500))
        let end = (start + .milliseconds(500)).nanoseconds
        #expect(backend.drained(at: end - 1).isEmpty)
        // It comes back, and the next drain unplugs it again: that drops what was to be told.
        expectEqual(Self.kinds(backend.drained(at: end)), [lost, lost])
        expectEqual(backend.counts.unplugged, 2)
        expectEqual(wrapped.writes, [.active])
    }

    @Test func whatDoesNotAnswerIsNotTold() {
        let backend = backend()
        wrapped.reading = nil
        wrapped.written = nil
        backend.unplug(until: Instant(nanoseconds: 9), now: .zero)
        expectEqual(backend.drained(at: 8).count, 2)
        expectEqual(Self.kinds(backend.drained(at: 9)), [.restored, .restored])
        #expect(!backend.isUnplugged)
        #expect(backend.read(LineID(8), now: .zero) == nil)
    }

    @Test func openingAgainForgetsWhatWas() {
        let backend = backend()
        wrapped.deadline = .never
        backend.unplug(until: Instant(nanoseconds: 9), now: .zero)
        _ = backend.open([ScriptedBackend.input(3, "other")])
        #expect(!backend.isUnplugged)
        expectEqual(backend.deadline, .never)
        #expect(backend.drained(at: 4).isEmpty)
        #expect(backend.read(LineID(0), now: .zero) == nil)
        expectEqual(backend.read(LineID(3), now: .zero), wrapped.reading)
        _ = backend.open([ScriptedBackend.input(3, "other")])
        backend.unplug(until: Instant(nanoseconds: 9), now: .zero)
        expectEqual(backend.drained(at: 5).map(\.line), [LineID(3)], "once, though opened twice")
        backend.close()
        #expect(!backend.isUnplugged)
    }
}
