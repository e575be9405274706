import DetentHAL
import DetentTypes
import TestSupport
import Testing

/// Several backends as one: each line has its own, and events come in the order of their stamps.
@Suite struct JoinedBackendTests {
    private let keys = ScriptedBackend()
    private let chips = ScriptedBackend()
    private let lines = [
        Self.key(0), ScriptedBackend.output(1, "lamp", initial: .inactive), Self.key(2),
    ]

    private static func key(_ line: UInt16) -> LineSettings {
        var settings = ScriptedBackend.input(line, "key\(line)")
        settings.location.channel = DeviceChannel(
            kind: .inputKey, device: "box", name: "KEY_A", number: 30)
        return settings
    }

    private func joined() -> JoinedBackend {
        let backend = JoinedBackend([
            JoinedBackend.Member(keys) { $0.location.channel != nil },
            JoinedBackend.Member(chips) { _ in true },
        ])
        expectEqual(backend.open(lines), [])
        return backend
    }

    @Test func eachLineHasItsBackend() {
        let backend = joined()
        expectEqual(keys.opened, [["key0", "key2"]])
        expectEqual(chips.opened, [["lamp"]])
        _ = backend.write(LineID(1), .active, now: .zero)
        expectEqual(chips.writes, [.active])
        expectEqual(keys.writes, [])
        #expect(backend.read(LineID(3), now: .zero) == nil)
        #expect(backend.member(ScriptedBackend.self) === keys)
        backend.close()
        expectEqual([keys.closed, chips.closed], [1, 1])
    }

    @Test func eventsAreMergedByTheirStamps() {
        let backend = joined()
        keys.batches = [
            [
                ScriptedBackend.edge(0, sequence: 0, at: 10),
                ScriptedBackend.edge(2, sequence: 0, at: 30),
            ]
        ]
        chips.batches = [
            [
                ScriptedBackend.edge(1, sequence: 1, at: 20),
                ScriptedBackend.edge(1, sequence: 2, at: 40),
            ]
        ]
        expectEqual(
            backend.drained(at: 50).map(\.at.nanoseconds), [10, 20, 30, 40])
        // A flood of one member leaves room for the other.
        expectEqual(keys.rooms, [56])
        expectEqual(chips.rooms, [62])
    }

    @Test func onlyMembersThatWereMarkedAreAsked() {
        let backend = joined()
        keys.deadline = .never
        chips.deadline = .never
        expectEqual(backend.descriptors, [7, 9, 7, 9])
        backend.markReady(3)
        _ = backend.drained(at: 1)
        expectEqual([keys.rooms.count, chips.rooms.count], [0, 1])
        expectEqual(chips.marked, [1])
        // Without any mark, everybody is asked.
        _ = backend.drained(at: 2)
        expectEqual([keys.rooms.count, chips.rooms.count], [1, 2])
        // So is who has something due.
        keys.deadline = Instant(nanoseconds: 3)
        backend.markReady(2)
        _ = backend.drained(at: 3)
        expectEqual([keys.rooms.count, chips.rooms.count], [2, 3])
    }

    @Test func descriptorsFollowTheMembers() {
        let backend = joined()
        let generation = backend.descriptorGeneration
        _ = backend.drained(at: 1)
        expectEqual(backend.descriptorGeneration, generation)
        keys.descriptors = [7]
        keys.descriptorGeneration += 1
        _ = backend.drained(at: 2)
        expectEqual(backend.descriptors, [7, 7, 9])
        #expect(backend.descriptorGeneration != generation)
        backend.markReady(1)
        expectEqual(chips.marked, [0])
    }

    /// All backends change, or none: the first goes back to its lines.
    @Test func aChangeIsAllOrNothing() {
        let backend = joined()
        let new = [Self.key(0), ScriptedBackend.output(1, "lamp", initial: .inactive)]
        expectEqual(backend.change(to: new, continuing: [LineID(2), LineID(1)]), [])
        expectEqual(keys.changes, [[LineID(2)]])
        expectEqual(chips.changes, [[LineID(1)]])
        chips.errors = [ScriptedBackend.error]
        let errors = backend.change(to: lines, continuing: [nil, LineID(1), LineID(0)])
        expectEqual(errors, [ScriptedBackend.error])
        // There, key 2 continued key 0; and back, key 0 continues key 2.
        expectEqual(keys.changes, [[LineID(2)], [nil, LineID(0)], [LineID(2)]])
        _ = backend.write(LineID(1), .active, now: .zero)
        expectEqual(chips.writes, [.active])
    }
}
