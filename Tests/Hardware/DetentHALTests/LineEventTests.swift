import DetentHAL
import DetentTypes
import TestSupport
import Testing

@Suite struct LineEventTests {
    /// Events are copied for every edge: they must stay small and plain.
    @Test func isSmall() {
        #expect(MemoryLayout<LineEvent>.stride <= 32)
    }

    @Test func onlyLevelsHaveALevel() {
        func level(_ kind: LineEvent.Kind) -> Level? {
            LineEvent(line: LineID(0), kind: kind, at: .zero).level
        }
        expectEqual(level(.edge(.active, sequence: 1)), .active)
        expectEqual(level(.reading(.inactive)), .inactive)
        expectEqual(level(.written(.active)), .active)
        #expect(level(.overflow) == nil)
        #expect(level(.fault(errno: 1)) == nil)
        #expect(level(.restored) == nil)
    }

    /// What a backend need not say.
    private final class Plain: GPIOBackend {
        var descriptors: [Int32] { [] }
        var descriptorGeneration: UInt32 { 0 }
        var deadline: Instant { .never }
        var writes: [Level] = []
        func open(_ lines: [LineSettings]) -> [HALError] { [] }
        func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int { 0 }
        func read(_ line: LineID, now: Instant) -> LineReading? { nil }
        func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
            writes.append(level)
            return nil
        }
        func close() {}
    }

    @Test func aPlainBackendStampsNoEdgesAndCannotChange() {
        let backend = Plain()
        #expect(!backend.stampsEdges)
        let errors = backend.change(to: [ScriptedBackend.input(0, "a")], continuing: [nil])
        expectEqual(errors.map(\.code), [.unsupported])
        expectEqual(errors.map(\.line), ["a"])
        expectEqual(errors.map(\.errno), [0])
        expectEqual(backend.change(to: [], continuing: []).map(\.line), [""])
        backend.show(LineID(0), .active, now: .zero)
        expectEqual(backend.writes, [.active])
        expectEqual(ScriptedBackend.error.errno, 0)
    }
}
