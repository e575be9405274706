import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Rows of buttons: radio groups, several of several, momentary segments and their actions.
@Suite struct RowDialogueTests {
    /// A control on `buttons` buttons, with an action for every value where `rules` are given.
    static func row(
        _ kind: ControlNature, buttons: UInt16, _ action: ActionSettings? = nil,
        confirm: ConfirmSettings? = nil, held: UInt16? = nil
    ) -> Bench {
        var relations = Relations()
        var rules = RelationID.none
        if let confirm { rules = relations.rules { $0.confirm = confirm } }
        let bench = Bench(
            lines: Array(repeating: DebounceSettings.none, count: Int(buttons))
                + Array(repeating: nil, count: Int(buttons)),
            actions: action.map { [$0] } ?? [],
            controls: [
                ControlSettings(
                    nature: kind, contacts: PlanRange(first: 0, count: buttons),
                    decoder: .buttonRow, actions: action == nil ? .none : .any(ActionID(0)),
                    indicator: IndicatorSettings(
                        style: .perOption, lines: PlanRange(first: buttons, count: buttons)),
                    relation: rules)
            ], relations: relations)
        bench.answersReadings = true
        if let held { _ = bench.send(.reading(LineID(held), .active), 0) }
        _ = bench.send(.start, 0)
        return bench
    }

    @Test func theLastButtonOfARadioGroupWins() {
        let bench = Self.row(.choice(of: 3), buttons: 3)
        expectEqual(
            bench.press(2, 10),
            [
                "10 c0 pressed 2", "10 c0 changed 2 by panel", "10 c0 confirmed 2",
                "10 lamp l3 off", "10 lamp l5 on",
            ])
        #expect(bench.press(1, 20).contains("20 c0 changed 1 by panel"), "two at once")
        expectEqual(bench.release(2, 30), ["30 c0 released 2"])
        expectEqual(bench.release(1, 40), ["40 c0 released 1"])
        expectEqual(bench.press(1, 50), ["50 c0 pressed 1"])
        expectEqual(bench.snapshot().desired, Value(1))
    }

    @Test func aFailureShowsAndReverts() {
        let bench = Self.row(
            .choice(of: 3), buttons: 3, ActionSettings(timeout: .seconds(5)))
        _ = bench.click(1, 10) + bench.finish(1, .succeeded, 30) + bench.click(2, 40)
        expectEqual(bench.snapshot().desired, Value(2))
        let failed = bench.finish(2, .failed(.exit(3)), 90)
        expectEqual(failed.prefix(2), ["90 c0 changed 1 by device", "90 c0 phase failed: code 3"])
        #expect(bench.snapshot().phase == .failed && bench.snapshot().desired == Value(1))
        #expect(bench.click(2, 100).contains("100 c0 phase pending"), "that touch also acts")
    }

    @Test func aButtonThatIsHeldAtStartIsNoPress() {
        let bench = Self.row(.choice(of: 3), buttons: 3, held: 1)
        expectEqual(bench.release(1, 10), [])
        expectEqual(bench.press(1, 20).first, "20 c0 pressed 1")
    }

    @Test func aFaultMakesUpNoPressButTellsTheRelease() {
        let bench = Self.row(.choice(of: 3), buttons: 3)
        _ = bench.press(2, 10)
        expectEqual(bench.send(.lineFault(LineID(2)), 20).first, "20 c0 fault line")
        _ = bench.send(.lineRestored(LineID(2)), 30)
        #expect(bench.send(.reading(LineID(2), .inactive), 30).contains("30 c0 released 2"))
        _ = bench.send(.lineFault(LineID(1)), 40) + bench.send(.lineRestored(LineID(1)), 50)
        _ = bench.send(.reading(LineID(1), .active), 50)
        expectEqual(bench.snapshot().desired, Value(2))
        #expect(!bench.release(1, 60).contains("60 c0 released 1"))
    }

    @Test func severalOfSeveralKeepTheirBounds() {
        let bench = Self.row(.selection(of: 4, minimum: 1, maximum: 2), buttons: 4)
        expectEqual(bench.snapshot().desired, Value(0b1), "the fewest at start")
        expectEqual(
            bench.press(0, 10), ["10 c0 pressed 0", "10 c0 refused outOfRange by panel"])
        _ = bench.release(0, 15) + bench.click(2, 20)
        #expect(bench.snapshot().desired == Value(0b101) && bench.snapshot().lamps == 0b101)
        expectEqual(bench.press(3, 40).last, "40 c0 refused outOfRange by panel")
        _ = bench.click(0, 50)
        expectEqual(bench.snapshot().desired, Value(0b100))
        expectEqual(bench.intent(Value(0b111), 60), ["60 c0 refused outOfRange by web"])
        expectEqual(bench.intent(Value(0b1010), 70).first, "70 c0 changed 10 by web")
        expectEqual(bench.intent(Value(16), 80), ["80 c0 refused outOfRange by web"])
        expectEqual(bench.intent(Value(-1), 90), ["90 c0 refused outOfRange by web"])
    }

    // MARK: Momentary segments

    @Test func segmentsFireAndKeepNoState() {
        let bench = Self.row(.commands(3), buttons: 4)
        expectEqual(
            bench.press(1, 10),
            [
                "10 c0 pressed 1", "10 c0 chosen 1 by panel", "10 c0 indicator steady",
                "10 lamp l5 on",
            ])
        expectEqual(
            bench.release(1, 20), ["20 c0 released 1", "20 c0 indicator off", "20 lamp l5 off"])
        #expect(!bench.press(3, 30).contains("30 c0 chosen 3 by panel"), "no such segment")
        expectEqual(bench.intent(Value(1), 40), ["40 c0 refused unsupported by web"])
    }

    static let slow = ActionSettings(timeout: .seconds(60), loadingAfter: .seconds(30))

    static func starts(_ log: [String]) -> [String] { log.filter { $0.contains("start") } }

    @Test func eventsInFlightRunOnceMoreInTheirOrder() {
        let bench = Self.row(.commands(4), buttons: 4, Self.slow)
        expectEqual(Self.starts(bench.click(2, 10)), ["10 start a0 r1 c0 2 after ? by panel"])
        _ = bench.click(1, 30) + bench.fire(50, value: Value(0)) + bench.click(1, 60)
        _ = bench.click(2, 80) + bench.click(0, 100)
        // However often, once; for whoever asked first.
        expectEqual(
            Self.starts(bench.finish(1, .succeeded, 200)),
            [
                "200 start a0 r2 c0 1 after ? by panel"
            ])
        expectEqual(bench.snapshot().phase, .pending)
        expectEqual(
            Self.starts(bench.finish(2, .succeeded, 300)),
            [
                "300 start a0 r3 c0 0 after ? by web"
            ])
        expectEqual(
            Self.starts(bench.finish(3, .succeeded, 400)),
            [
                "400 start a0 r4 c0 2 after ? by panel"
            ])
        expectEqual(bench.finish(4, .succeeded, 500), ["500 c0 phase idle"])
    }

    @Test func theNinthThatWouldWaitIsRefused() {
        let bench = Self.row(.commands(12), buttons: 12, Self.slow)
        for button in 0..<9 as Range<UInt16> {
            #expect(bench.click(button, 10 + Int(button) * 20).contains { $0.contains("chosen") })
        }
        let refused = bench.press(9, 300)
        #expect(refused.contains("300 c0 refused busy by panel"))
        #expect(!refused.contains { $0.contains("chosen") })
        #expect(bench.press(8, 320).contains("320 c0 chosen 8 by panel"), "it waits already")
        var order: [String] = []
        for run in 1...9 as ClosedRange<UInt32> {
            order += Self.starts(bench.finish(run, .succeeded, 400 + Int(run)))
        }
        expectEqual(order.map { $0.split(separator: " ")[5] }, (1...8).map { "\($0)" })
    }

    @Test func aFailureIsToldAlsoWhereAnotherWaits() {
        let bench = Self.row(.commands(3), buttons: 3, Self.slow)
        _ = bench.click(0, 10) + bench.click(1, 30)
        expectEqual(
            bench.finish(1, .failed(.exit(4)), 100),
            [
                "100 c0 phase pending: code 4", "100 start a0 r2 c0 1 after ? by panel",
            ])
        expectEqual(bench.finish(2, .failed(.exit(5)), 200).first, "200 c0 phase failed: code 5")
    }

    @Test func loadingGoesOnFromOneToTheNext() {
        let bench = Self.row(
            .commands(3), buttons: 3, ActionSettings(timeout: .seconds(60)))
        _ = bench.click(0, 10) + bench.click(1, 30)
        #expect(bench.run(200).contains("160 c0 phase loading"))
        #expect(
            !bench.finish(1, .succeeded, 300).contains { $0.contains("phase") },
            "still loading, without a flicker")
        expectEqual(bench.snapshot().phase, .loading)
    }

    // MARK: Contracts on a row

    @Test func onlyTheButtonThatIsHeldCounts() {
        let bench = Self.row(
            .commands(3), buttons: 3, confirm: .hold(.milliseconds(1_024)))
        _ = bench.press(2, 10) + bench.press(1, 100)
        #expect(!bench.release(2, 150).contains { $0.contains("progress") })
        let log = bench.run(1_200)
        #expect(log.contains("1124 read l1") && log.contains("1124 c0 chosen 1 by panel"))
        #expect(!log.contains { $0.contains("chosen 2") })
    }

    @Test func anotherButtonGivesUpTheFirst() {
        let bench = Self.row(
            .commands(3), buttons: 3, confirm: .pressTwice(within: .seconds(3)))
        _ = bench.click(0, 10)
        expectEqual(
            bench.press(1, 100).filter { !$0.contains("lamp") && !$0.contains("indicator") },
            [
                "100 c0 pressed 1", "100 c0 progress 0", "100 c0 armed",
            ])
        _ = bench.release(1, 110)
        #expect(!bench.press(0, 200).contains { $0.contains("chosen") })
    }
}
