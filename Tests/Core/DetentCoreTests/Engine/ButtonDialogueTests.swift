import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Buttons: controls without a value, and the latches of those with one.
@Suite struct ButtonDialogueTests {
    static func fired(_ supersede: ActionSettings.Supersede) -> Bench {
        let bench = Bench(
            lines: [DebounceSettings.none],
            actions: [ActionSettings(timeout: .seconds(5), supersede: supersede)],
            controls: [
                ControlSettings(
                    nature: .button, contacts: PlanRange(first: 0, count: 1),
                    decoder: .button(ButtonSettings()), actions: .any(ActionID(0)))
            ])
        _ = bench.send(.start, 0)
        return bench
    }

    @Test func pressesWhileInFlightRunOnceMore() {
        let bench = Self.fired(.wait)
        expectEqual(
            bench.edge(0, .active, 10),
            [
                "10 c0 pressed", "10 c0 phase pending", "10 start a0 r1 c0 1 after ? by panel",
            ])
        expectEqual(bench.edge(0, .inactive, 20), ["20 c0 released", "20 c0 clicked"])
        expectEqual(bench.edge(0, .active, 30), ["30 c0 pressed"])
        _ = bench.edge(0, .inactive, 40)
        expectEqual(bench.edge(0, .active, 50), ["50 c0 pressed"])
        let again = bench.finish(1, .succeeded, 60)
        expectEqual(again.last, "60 start a0 r2 c0 1 after ? by panel")
        expectEqual(bench.finish(2, .succeeded, 70), ["70 c0 phase idle"])
    }

    @Test func ignoreAndCancel() {
        let ignoring = Self.fired(.ignore)
        _ = ignoring.send(.fire(ControlID(0), .on, .api, isConfirmed: false), 0)
        expectEqual(
            ignoring.send(.fire(ControlID(0), .on, .api, isConfirmed: false), 1),
            [
                "1 c0 refused busy by api"
            ])
        let cancelling = Self.fired(.cancel)
        _ = cancelling.send(.fire(ControlID(0), .on, .api, isConfirmed: false), 0)
        expectEqual(
            cancelling.send(.fire(ControlID(0), .on, .api, isConfirmed: false), 1),
            [
                "1 c0 chosen 1 by api", "1 cancel a0 r1", "1 start a0 r2 c0 1 after ? by api",
            ])
    }

    @Test func aFailureIsShownAndAButtonTakesNoValue() {
        let bench = Self.fired(.wait)
        _ = bench.send(.fire(ControlID(0), .on, .api, isConfirmed: false), 0)
        expectEqual(bench.finish(1, .failed(.exit(2)), 50), ["50 c0 phase failed: code 2"])
        expectEqual(bench.run(9_000), ["3050 c0 phase idle"])
        expectEqual(bench.intent(.on, 9_100), ["9100 c0 refused unsupported by web"])
    }

    @Test func momentaryIsOnWhileHeld() {
        let bench = Bench.latched(latch: .momentary)
        _ = bench.send(.start, 0)
        #expect(bench.edge(0, .active, 10).contains("10 c0 changed 1 by panel"))
        _ = bench.finish(1, .succeeded, 20)
        expectEqual(
            bench.edge(0, .inactive, 30),
            [
                "30 c0 released", "30 c0 clicked", "30 c0 changed 0 by panel",
                "30 c0 phase pending", "30 c0 indicator off", "30 lamp l1 off",
                "30 start a0 r2 c0 0 after 1 by panel",
            ])
    }

    @Test(arguments: [(500, [1, 1]), (501, [1, 0])])
    func tapOrHold(released: Int, values: [Int32]) {
        let bench = Bench.latched(latch: .tapOrHold(within: .milliseconds(500)))
        var seen: [Int32] = []
        _ = bench.send(.start, 0) + bench.edge(0, .active, 0)
        seen.append(bench.snapshot().desired.raw)
        _ = bench.edge(0, .inactive, released)
        seen.append(bench.snapshot().desired.raw)
        expectEqual(seen, values)
        _ = bench.edge(0, .active, 1_000) + bench.edge(0, .inactive, 1_010)
        expectEqual(bench.snapshot().desired, (values == [1, 1] ? .off : .on))
    }

    @Test func theLampOfAButtonHeldAtStartGoesDark() {
        let bench = Bench(
            lines: [DebounceSettings.none, nil],
            controls: [
                ControlSettings(
                    nature: .button, contacts: PlanRange(first: 0, count: 1),
                    decoder: .button(ButtonSettings()),
                    indicator: IndicatorSettings(lines: PlanRange(first: 1, count: 1)))
            ])
        _ = bench.send(.reading(LineID(0), .active), 0) + bench.send(.start, 0)
        expectEqual(bench.edge(0, .inactive, 10), ["10 c0 indicator off", "10 lamp l1 off"])
    }

    /// Everything that one instant can hold, in the order that the contract gives.
    @Test func theOrderAtOneInstant() {
        let bench = Bench(
            lines: [DebounceSettings.none, nil],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .momentary), contacts: PlanRange(first: 0, count: 1),
                    decoder: .button(ButtonSettings(multiClickGap: .milliseconds(400))),
                    indicator: IndicatorSettings(lines: PlanRange(first: 1, count: 1)))
            ])
        _ =
            bench.send(.start, 0) + bench.edge(0, .active, 10) + bench.edge(0, .inactive, 20)
            + bench.edge(0, .active, 30)
        expectEqual(
            bench.edge(0, .inactive, 40),
            [
                "40 c0 released", "40 c0 clicked", "40 c0 double-clicked",
                "40 c0 changed 0 by panel", "40 c0 confirmed 0", "40 c0 indicator off",
                "40 lamp l1 off",
            ])
    }
}
