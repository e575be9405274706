import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// A value is confirmed when its interlocked output is really on.
@Suite struct OutputConfirmTests {
    /// Three options with an output for the first two, 50 ms of dead time.
    private static func bench(_ action: ActionSettings? = nil) -> Bench {
        let bench = Bench(
            lines: [nil, nil], actions: action.map { [$0] } ?? [],
            controls: [
                ControlSettings(
                    nature: .choice(of: 3), startup: StartupSettings(rule: .value(Value(2))),
                    actions: action == nil ? .none : .any(ActionID(0)),
                    outputs: PlanRange(first: 0, count: 2), outputsPresent: 0b11,
                    transition: .breakBeforeMake(deadTime: .milliseconds(50)))
            ])
        _ = bench.send(.start, 0)
        return bench
    }

    private static func written(
        _ bench: Bench, _ line: UInt16, _ level: Level, _ now: Int
    ) -> [String] {
        bench.run(now) + bench.send(.outputWritten(LineID(line), level), now)
    }

    @Test func confirmedComesAfterTheWrite() {
        let bench = Self.bench()
        expectEqual(
            bench.intent(Value(0), 100),
            [
                "100 c0 changed 0 by web", "100 c0 phase pending", "100 drive l0 on",
                "100 c0 output l0 on",
            ])
        expectEqual(bench.snapshot().actual, Value(2))
        expectEqual(
            Self.written(bench, 0, .active, 101), ["101 c0 phase idle", "101 c0 confirmed 0"])
        expectEqual(
            bench.intent(Value(1), 200),
            [
                "200 c0 changed 1 by web", "200 c0 phase pending", "200 drive l0 off",
                "200 c0 output l0 off",
            ])
        expectEqual(
            Self.written(bench, 0, .inactive, 201) + bench.run(251),
            [
                "251 drive l1 on", "251 c0 output l1 on",
            ])
        expectEqual(bench.snapshot().actual, Value(0), "it is not on yet")
        expectEqual(
            Self.written(bench, 1, .active, 253), ["253 c0 phase idle", "253 c0 confirmed 1"])
    }

    @Test func theLastOffIsWaitedForToo() {
        let bench = Self.bench()
        _ = bench.intent(Value(0), 100) + Self.written(bench, 0, .active, 101)
        _ = bench.intent(Value(2), 200)
        expectEqual(bench.snapshot().phase, .pending)
        expectEqual(Self.written(bench, 0, .inactive, 202).last, "202 c0 confirmed 2")
        expectEqual(bench.run(10_000), [])
    }

    @Test func backAgainBeforeTheWriteWaitsForItsOwn() {
        let bench = Self.bench()
        _ = bench.intent(Value(0), 100) + Self.written(bench, 0, .active, 101)
        _ = bench.intent(Value(1), 200) + bench.intent(Value(0), 201)
        #expect(!Self.written(bench, 0, .inactive, 202).contains { $0.contains("confirmed") })
        #expect(bench.run(252).contains("252 drive l0 on"))
        expectEqual(
            Self.written(bench, 0, .active, 253), ["253 c0 phase idle", "253 c0 confirmed 0"])
    }

    /// Whatever comes last is waited for: the program or the relay.
    @Test(arguments: [false, true])
    func anActionAndAnOutputAreBothNeeded(isActionLast: Bool) {
        let bench = Self.bench(ActionSettings(timeout: .seconds(5)))
        _ = bench.feedback(Value(2), 50) + bench.intent(Value(0), 100)
        if isActionLast {
            expectEqual(Self.written(bench, 0, .active, 110), [])
            expectEqual(
                bench.finish(1, .succeeded, 120), ["120 c0 phase idle", "120 c0 confirmed 0"])
        } else {
            expectEqual(bench.finish(1, .succeeded, 110), [])
            expectEqual(
                Self.written(bench, 0, .active, 120), ["120 c0 phase idle", "120 c0 confirmed 0"])
        }
    }

    /// A chip that cannot write leaves the value unconfirmed, and the wait is seen.
    @Test func whatIsNeverWrittenIsNeverConfirmed() {
        let bench = Self.bench()
        _ = bench.intent(Value(0), 100)
        expectEqual(bench.run(600_000), ["250 c0 phase loading"])
        #expect(bench.snapshot().actual == Value(2) && bench.nextDeadline == .never)
        // An intent ends the wait as it would end an action's.
        #expect(bench.intent(Value(2), 700_000).contains("700000 drive l0 off"))
        expectEqual(Self.written(bench, 0, .inactive, 700_001).last, "700001 c0 confirmed 2")
    }
}
