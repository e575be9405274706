import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// A line that reports the value of a device, and devices that fall silent.
@Suite struct FeedbackLineTests {
    /// A switch without a part, whose action is confirmed by line 0 after 20 ms.
    private static func bench(output: Bool = false) -> Bench {
        Bench(
            lines: [.lever, nil], actions: [ActionSettings(timeout: .seconds(1))],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle), actions: output ? .none : .any(ActionID(0)),
                    outputs: output ? PlanRange(first: 1, count: 1) : .none,
                    feedbackLine: LineID(0))
            ])
    }

    @Test func itsLevelAtTheStartIsTheValue() {
        let bench = Self.bench()
        _ = bench.send(.reading(LineID(0), .active), 0)
        expectEqual(
            bench.send(.start, 0),
            [
                "0 c0 flag unconfirmed", "0 c0 changed 1 by device", "0 c0 confirmed 1",
                "0 c0 no unconfirmed",
            ])
        expectEqual(bench.snapshot().actual, .on)
    }

    @Test func itIsDebounced() {
        let bench = Self.bench()
        _ = bench.send(.start, 0)
        expectEqual(bench.edge(0, .active, 100) + bench.edge(0, .inactive, 105), [])
        #expect(bench.run(200) == ["125 read l0"] || bench.snapshot().actual == .off)
        _ = bench.edge(0, .active, 300)
        expectEqual(bench.run(319), [])
        expectEqual(bench.run(320), ["320 c0 changed 1 by device", "320 c0 confirmed 1"])
    }

    /// A relay that does not pull in: the output is on, and the contact says off.
    @Test func anOutputThatHasNoEffectIsAMismatch() {
        let bench = Self.bench(output: true)
        _ = bench.send(.start, 0)
        _ = bench.intent(.on, 100) + bench.send(.outputWritten(LineID(1), .active), 100)
        expectEqual(bench.snapshot().flags, .mismatch)
        let log = bench.edge(0, .active, 130) + bench.run(200)
        expectEqual(log, ["150 c0 no mismatch"])
        expectEqual(bench.snapshot().actual, .on)
        // It drops out: the value follows.
        _ = bench.edge(0, .inactive, 1_000)
        #expect(bench.run(1_100).contains("1020 c0 changed 0 by device"))
    }

    @Test func aLineThatFailsIsAFaultAndIsReadWhenItIsBack() {
        let bench = Self.bench()
        _ = bench.send(.start, 0) + bench.send(.lineFault(LineID(0)), 100)
        #expect(bench.snapshot().flags.contains(.fault))
        _ = bench.send(.lineRestored(LineID(0)), 200)
        let log = bench.send(.reading(LineID(0), .active), 200)
        #expect(log.contains("200 c0 changed 1 by device"))
        #expect(bench.snapshot().actual == .on && !bench.snapshot().flags.contains(.fault))
    }

    @Test func itMustBeOnOrOff() {
        let capacity = Capacity(lines: 1, controls: 1, actions: 0)
        let storage = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Engine.byteCount(for: capacity), alignment: 16)
        defer { storage.deallocate() }
        var engine = Engine(capacity: capacity, storage: storage)
        do throws(EngineError) {
            _ = try engine.addLine(DebounceSettings.lever)
            _ = try engine.addControl(
                ControlSettings(nature: .choice(of: 3), feedbackLine: LineID(0)))
            Issue.record("a line cannot say which of three")
        } catch {
            expectEqual(error, .outOfRange)
        }
    }

    // MARK: Nothing is heard any more

    @Test func aLostDeviceIsStaleUntilItsNextWord() {
        let bench = FeedbackDialogueTests.bench()
        expectEqual(bench.send(.feedbackLost(ControlID(0)), 100), ["100 c0 flag stale"])
        expectEqual(bench.send(.feedbackLost(ControlID(0)), 110), [])
        expectEqual(bench.snapshot().actual, .off, "its last word is still shown")
        expectEqual(bench.feedback(.off, 200), ["200 c0 no stale"])
        expectEqual(bench.send(.feedbackLost(ControlID(4)), 300), [])
        expectEqual(bench.counters.ignoredEvents, 1)
    }

    /// Nobody else may say what only the device knows.
    @Test func onlyItsDeviceChangesAReportedControl() {
        let bench = Bench(
            controls: [ControlSettings(nature: .onOff(latch: .toggle), isReported: true)])
        expectEqual(bench.send(.start, 0), ["0 c0 flag unconfirmed"])
        expectEqual(bench.intent(.on, 10), ["10 c0 refused unsupported by web"])
        expectEqual(
            bench.feedback(.on, 20),
            [
                "20 c0 changed 1 by device", "20 c0 confirmed 1", "20 c0 no unconfirmed",
            ])
    }
}
