import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// A press that the lockout drops is told, once it is over.
@Suite struct LockoutTests {
    private static func bench() -> Bench {
        let bench = Bench(
            lines: [DebounceSettings(lockout: .milliseconds(100))],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle), contacts: PlanRange(first: 0, count: 1),
                    decoder: .button(ButtonSettings()))
            ])
        _ = bench.send(.start, 0)
        return bench
    }

    @Test func aPressTooSoonIsRefusedWhenItIsOver() {
        let bench = Self.bench()
        _ = bench.edge(0, .active, 10) + bench.edge(0, .inactive, 20)
        expectEqual(bench.edge(0, .active, 30), [], "held to the end it would be a press")
        expectEqual(bench.edge(0, .inactive, 40), ["40 c0 refused lockedOut by panel"])
        expectEqual(bench.run(1_000), ["110 read l0"], "after a burst the line is read")
        expectEqual(bench.snapshot().desired, .on)
        expectEqual(bench.counters.refusedIntents, 1)
    }

    @Test func aPressThatIsHeldToTheEndIsOne() {
        let bench = Self.bench()
        _ = bench.edge(0, .active, 10) + bench.edge(0, .inactive, 20) + bench.edge(0, .active, 30)
        expectEqual(bench.run(200).first, "110 c0 pressed")
        #expect(!bench.edge(0, .inactive, 300).contains { $0.contains("refused") })
    }

    /// A glitch filter or a debounce that tells the release late changes nothing about it.
    @Test func behindADebounceItIsToldAsWell() {
        let bench = Bench(
            lines: [
                DebounceSettings(
                    algorithm: .defer(time: .milliseconds(5)), lockout: .milliseconds(100))
            ],
            controls: [
                ControlSettings(
                    nature: .button, contacts: PlanRange(first: 0, count: 1),
                    decoder: .button(ButtonSettings()))
            ])
        _ = bench.send(.start, 0) + bench.edge(0, .active, 10) + bench.edge(0, .inactive, 30)
        _ = bench.edge(0, .active, 50) + bench.edge(0, .inactive, 70)
        expectEqual(bench.run(1_000).first, "75 c0 refused lockedOut by panel")
    }
}
