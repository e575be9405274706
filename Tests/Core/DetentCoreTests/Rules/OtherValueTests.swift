import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Values of other controls in actions, and changes that count from the shown value.
@Suite struct OtherValueTests {
    private static let slow = ActionSettings(timeout: .seconds(5))

    /// Control 0 is a choice of three with an action 0; control 1 is on or off and its action 1
    /// needs the confirmed and the shown value of control 0.
    private static func bench(_ rules: ActionSettings = slow) -> Bench {
        var panel = RuledPanel()
        let own = panel.action(slow)
        _ = panel.add(
            ControlSettings(
                nature: .choice(of: 3), startup: StartupSettings(rule: .value(Value(1))),
                actions: .any(own)))
        var rules = rules
        rules.shownValues = 0b10
        let needy = panel.action(rules, values: [0, 0])
        _ = panel.add(ControlSettings(nature: .onOff(latch: .toggle), actions: .any(needy)))
        let bench = panel.bench()
        _ = bench.start()
        return bench
    }

    @Test func anAttemptIsGivenWhatItNeeds() {
        let bench = Self.bench()
        _ = bench.intent(Value(2), 10) + bench.finish(1, .succeeded, 20)
        _ = bench.intent(Value(0), 30)
        expectEqual(
            bench.intent(.on, 40, control: 1).filter {
                $0.contains("provide") || $0.contains("start")
            },
            [
                "40 provide c0 2", "40 provide c0 0", "40 start a1 r3 c1 1 after ? by web",
            ])
    }

    @Test func anUnknownValueKeepsTheAttemptFromStarting() {
        let bench = Self.bench()
        let log = bench.intent(.on, 10, control: 1)
        #expect(!log.contains { $0.contains(" start ") || $0.contains("provide") }, "\(log)")
        #expect(log.contains("10 c1 phase failed: c0 unknown"), "\(log)")
        expectEqual(bench.snapshot(1).desired, .off)
        expectEqual(bench.snapshot(1).phase, .failed)
        _ = bench.intent(Value(2), 20) + bench.finish(2, .succeeded, 30)
        #expect(bench.intent(.on, 40, control: 1).contains("40 provide c0 2"))
    }

    /// What fails so is tried again like any other failure.
    @Test func itIsTriedAgain() {
        var rules = Self.slow
        rules.onFailure = .retry(count: 2, backoff: .milliseconds(100), thenKeep: false)
        let bench = Self.bench(rules)
        _ = bench.intent(.on, 10, control: 1)
        _ = bench.intent(Value(2), 20) + bench.finish(2, .succeeded, 30)
        #expect(bench.run(200).contains { $0.contains(" start a1 ") })
    }

    // MARK: Steps

    /// Control 0 is a choice of three, 1 takes its value by the other order, 2 is the button.
    private static func copying(_ steps: [SequenceStep], isShown: Bool = false) -> Bench {
        var panel = RuledPanel()
        let own = panel.action(slow)
        _ = panel.add(
            ControlSettings(
                nature: .choice(of: 3), startup: StartupSettings(rule: .value(Value(1))),
                actions: .any(own)))
        _ = panel.add(ControlSettings(nature: .choice(of: 3)))
        let range = NumberRange(minimum: 0, maximum: 1_000)
        _ = panel.add(
            ControlSettings(
                nature: .dial(range), startup: StartupSettings(rule: .value(Value(7)))))
        _ = panel.add(ControlSettings(nature: .dial(range)))
        let action = panel.action(ActionSettings(), steps: steps)
        _ = panel.add(ControlSettings(nature: .button, actions: .any(action)))
        let bench = panel.bench()
        _ = bench.start()
        return bench
    }

    private static func choose(isShown: Bool = false) -> [SequenceStep] {
        [.choose(OtherValue(of: ControlID(0), isShown: isShown), of: 3)]
            + [2, 1, 0].map { .set(ControlID(1), Value($0)) } + [.set(ControlID(3), Value(5))]
    }

    @Test func oneOfSeveralStepsIsDone() {
        let bench = Self.copying(Self.choose())
        _ = bench.intent(Value(2), 10) + bench.finish(1, .succeeded, 20)
        let log = bench.fire(4, 30)
        #expect(!log.contains { $0.contains(" c1 changed 1") || $0.contains(" c1 changed 2") })
        expectEqual(bench.snapshot(1).actual, Value(0))
        expectEqual(bench.snapshot(3).actual, Value(5), "the steps behind them follow")
        expectEqual(bench.snapshot(4).phase, .idle)
    }

    @Test func anUnknownChoiceDoesNothing() {
        let bench = Self.copying(Self.choose())
        let log = bench.fire(4, 30)
        #expect(log.contains("30 c4 phase failed: c0 unknown"), "\(log)")
        expectEqual(bench.snapshot(3).actual, .off)
    }

    @Test func theShownValueIsKnownBefore() {
        let bench = Self.copying(Self.choose(isShown: true))
        _ = bench.intent(Value(0), 10)
        _ = bench.fire(4, 30)
        expectEqual(bench.snapshot(1).actual, Value(2))
    }

    @Test func aNumberIsCopiedInItsUnits() {
        let bench = Self.copying([
            .copy(ControlID(3), from: OtherValue(of: ControlID(2)), times: 10)
        ])
        _ = bench.fire(4, 30)
        expectEqual(bench.snapshot(3).actual, Value(70))
        _ = bench.intent(Value(900), 40, control: 2)
        _ = bench.fire(4, 50)
        expectEqual(bench.snapshot(3).actual, Value(70), "9000 is beyond the range")
        expectEqual(bench.snapshot(4).phase, .failed)
    }

    @Test func plansThatCannotBeAreRefused() {
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { storage.deallocate() }
        var engine = Engine(
            capacity: Capacity(lines: 0, controls: 1, actions: 2, links: 1), storage: storage)
        var action = ActionSettings()
        action.values = PlanRange(first: 0, count: 1)
        #expect(throws: EngineError.noSuchRelation) { _ = try engine.addAction(action) }
        action.values.count = 9
        #expect(throws: EngineError.outOfRange) { _ = try engine.addAction(action) }
    }

    // MARK: Changes from outside

    private static func change(
        _ bench: Bench, _ control: UInt16, _ distance: Int32, _ millisecond: Int
    ) -> [String] {
        bench.run(millisecond)
            + bench.send(
                .change(ControlID(control), by: distance, .mqtt, request: RequestID(9)),
                millisecond)
    }

    @Test func aChangeCountsFromTheShownValue() {
        let bench = Self.copying([])
        #expect(Self.change(bench, 0, 1, 10).contains("10 c0 changed 2 by mqtt"))
        #expect(Self.change(bench, 0, 1, 20).contains("20 c0 changed 0 by mqtt"), "it goes round")
        expectEqual(Self.change(bench, 0, -1, 30).last, "30 answer q9 c0 accepted")
        expectEqual(bench.snapshot(0).desired, Value(2))
        _ = Self.change(bench, 2, 5_000, 40)
        expectEqual(bench.snapshot(2).desired, Value(1_000), "a number stops at its end")
        _ = Self.change(bench, 2, -1_500, 50)
        expectEqual(bench.snapshot(2).desired, Value(0))
    }

    @Test func whatHasNoValueIsNotChanged() {
        let bench = Self.copying([])
        let log = Self.change(bench, 4, 1, 10)
        #expect(log.contains("10 c4 refused unsupported by mqtt"), "\(log)")
        #expect(log.last?.hasPrefix("10 answer q9 c4 refused") == true, "\(log)")
        expectEqual(Self.change(bench, 99, 1, 20), ["20 answer q9 c99 noControl"])
    }

    @Test func aMasterTurnsItsMembersTheOtherWay() {
        var panel = RuledPanel()
        _ = panel.toggle()
        _ = panel.toggle()
        _ = panel.add(ControlSettings(nature: .group), members: [0, 1])
        let bench = panel.bench()
        _ = bench.start()
        _ = bench.intent(.on, 10, control: 0)
        _ = Self.change(bench, 2, 1, 20)
        expectEqual([0, 1].map { bench.snapshot($0).desired }, [.on, .on])
        _ = Self.change(bench, 2, 1, 30)
        expectEqual([0, 1].map { bench.snapshot($0).desired }, [.off, .off])
    }
}
