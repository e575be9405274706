import DetentHAL
import DetentTypes
import TestSupport
import Testing

@Suite struct RecordingTests {
    private let wrapped = ScriptedBackend()

    @Test func everyCallReachesTheWrappedBackend() {
        let backend = RecordingBackend(wrapped)
        wrapped.errors = [ScriptedBackend.error]
        expectEqual(backend.open([ScriptedBackend.input(0, "a")]), wrapped.errors)
        expectEqual(wrapped.opened, [["a"]])
        expectEqual(backend.descriptors, [7, 9])
        expectEqual(backend.descriptorGeneration, 3)
        expectEqual(backend.deadline, wrapped.deadline)
        #expect(backend.stampsEdges)
        backend.markReady(1)
        expectEqual(wrapped.marked, [1])
        expectEqual(backend.change(to: [], continuing: [LineID(4)]), wrapped.errors)
        expectEqual(wrapped.changes, [[LineID(4)]])
        backend.close()
        expectEqual(wrapped.closed, 1)
        expectEqual(backend.entries, [.opened(lines: 1, errors: 1), .closed])
    }

    @Test func answersArePassedOnAndKept() {
        let backend = RecordingBackend(wrapped)
        let events = [
            ScriptedBackend.edge(0, sequence: 1, at: 1),
            ScriptedBackend.edge(0, sequence: 2, at: 2),
        ]
        wrapped.batches = [events]
        expectEqual(backend.drained(at: 3), events)
        expectEqual(backend.read(LineID(0), now: .zero), wrapped.reading)
        expectEqual(backend.write(LineID(0), .active, now: .zero), wrapped.written)
        expectEqual(
            backend.entries,
            [
                .event(events[0]), .event(events[1]), .read(LineID(0), wrapped.reading),
                .wrote(LineID(0), .active, at: wrapped.written),
            ])
    }

    /// The levels that are written are the numbers of the entries.
    private static func levels(_ backend: RecordingBackend) -> [LineID] {
        backend.entries.compactMap {
            if case .wrote(let line, _, _) = $0 { return line }
            return nil
        }
    }

    @Test func theRingGoesRoundMoreThanOnce() {
        let backend = RecordingBackend(wrapped, capacity: 3)
        for line: UInt16 in 0..<3 { _ = backend.write(LineID(line), .active, now: .zero) }
        expectEqual(Self.levels(backend), [0, 1, 2].map { LineID($0) })
        expectEqual(backend.dropped, 0)
        for line: UInt16 in 3..<8 { _ = backend.write(LineID(line), .active, now: .zero) }
        expectEqual(Self.levels(backend), [5, 6, 7].map { LineID($0) })
        expectEqual(backend.dropped, 5)
    }

    @Test func withoutRoomTheLastIsKept() {
        let backend = RecordingBackend(wrapped, capacity: 0)
        for line: UInt16 in 0..<2 { _ = backend.write(LineID(line), .active, now: .zero) }
        expectEqual(Self.levels(backend), [LineID(1)])
    }

    @Test func withoutWordsAboutItThereIsRoomFor4096() {
        let backend = RecordingBackend(wrapped)
        for _ in 0..<4097 { _ = backend.write(LineID(0), .active, now: .zero) }
        expectEqual(backend.entries.count, 4096)
        expectEqual(backend.dropped, 1)
    }

    @Test func afterRemovingAllItBeginsAgain() {
        let backend = RecordingBackend(wrapped, capacity: 2)
        for line: UInt16 in 0..<3 { _ = backend.write(LineID(line), .active, now: .zero) }
        backend.removeAll()
        #expect(backend.entries.isEmpty)
        expectEqual(backend.dropped, 0)
        for line: UInt16 in 5..<7 { _ = backend.write(LineID(line), .active, now: .zero) }
        expectEqual(Self.levels(backend), [LineID(5), LineID(6)])
        expectEqual(backend.dropped, 0)
    }
}
