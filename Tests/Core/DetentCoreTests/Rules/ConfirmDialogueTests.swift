import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Destructive controls: what besides a press it takes, and what gives it up.
@Suite struct ConfirmDialogueTests {
    /// 1,024 ms, so that its tenths are whole milliseconds: 102 each.
    static let hold = ConfirmSettings.hold(.milliseconds(1_024))

    static func progress(_ percents: ClosedRange<Int>, from start: Int) -> [String] {
        percents.map { "\(start + $0 * 102) c0 progress \($0 * 10)" }
    }

    // MARK: Hold

    @Test func aHoldTellsEachTenthAndReadsTheLevelBeforeItFires() {
        let bench = Bench.destructive(Self.hold)
        expectEqual(bench.press(0, 100), ["100 c0 pressed"])
        expectEqual(bench.snapshot().progress, 1)
        expectEqual(
            bench.run(1_200),
            Self.progress(1...9, from: 100) + [
                "1124 read l0", "1124 c0 progress 100", "1124 c0 phase pending",
                "1124 start a0 r1 c0 1 after ? by panel",
            ])
        expectEqual(bench.snapshot().progress, 0)
        expectEqual(bench.release(0, 1_210), ["1210 c0 released", "1210 c0 clicked"])
    }

    @Test func aReleaseGivesAHoldUp() {
        let bench = Bench.destructive(Self.hold)
        _ = bench.press(0, 100)
        expectEqual(
            bench.release(0, 1_123),
            Self.progress(1...9, from: 100) + [
                "1123 c0 released", "1123 c0 clicked", "1123 c0 progress 0",
            ])
        #expect(bench.run(9_000) == [] && bench.snapshot().progress == 0)
        _ = bench.press(0, 10_000)
        expectEqual(bench.run(11_024).last, "11024 start a0 r1 c0 1 after ? by panel")
    }

    /// The edge of the release was lost: the level tells.
    @Test func anOpenContactFiresNothingAtTheEndOfAHold() {
        let bench = Bench.destructive(Self.hold)
        _ = bench.press(0, 100)
        bench.levels[0] = .inactive
        expectEqual(
            bench.run(9_000),
            Self.progress(1...9, from: 100) + [
                "1124 read l0", "1124 c0 lost 1", "1124 c0 released", "1124 c0 clicked",
                "1124 c0 progress 0",
            ])
    }

    @Test func aHoldWaitsForTheReading() {
        let bench = Bench.destructive(Self.hold)
        bench.answersReadings = false
        _ = bench.press(0, 100)
        expectEqual(bench.run(5_000).last, "1124 read l0")
        expectEqual(bench.snapshot().progress, 10)
        let late = bench.send(.reading(LineID(0), .active), 5_000)
        expectEqual(late.last, "5000 start a0 r1 c0 1 after ? by panel")
        expectEqual(bench.send(.reading(LineID(0), .active), 5_001), [])
    }

    @Test func aReadingBeforeTheTimeFiresNothing() {
        let bench = Bench.destructive(Self.hold)
        _ = bench.press(0, 100)
        expectEqual(bench.send(.reading(LineID(0), .active), 150), [])
        expectEqual(bench.snapshot().progress, 1)
    }

    @Test func aFaultGivesAHoldUp() {
        let bench = Bench.destructive(Self.hold)
        _ = bench.press(0, 100)
        expectEqual(
            bench.send(.lineFault(LineID(0)), 150), ["150 c0 fault line", "150 c0 progress 0"])
        expectEqual(bench.run(2_000), [])
        _ = bench.send(.lineRestored(LineID(0)), 2_100)
        expectEqual(bench.send(.reading(LineID(0), .active), 2_100), [])
        expectEqual(bench.run(9_000), [], "a button that is held on is no new press")
        expectEqual(bench.release(0, 9_100), ["9100 c0 released"])
    }

    @Test func disablingGivesAHoldUpAndEnablingIsNoPress() {
        let bench = Bench.destructive(Self.hold, isConditional: true)
        _ = bench.press(0, 100)
        expectEqual(
            bench.intent(.off, 150, control: 1),
            [
                "150 c1 changed 0 by web", "150 c1 confirmed 0", "150 c0 progress 0",
                "150 c0 flag disabled",
            ])
        _ = bench.intent(.on, 160, control: 1)
        expectEqual(bench.run(9_000), [])
        _ = bench.intent(.off, 9_000, control: 1) + bench.release(0, 9_010)
        expectEqual(
            bench.press(0, 9_100), ["9100 c0 pressed", "9100 c0 refused disabled by panel"])
    }

    @Test func aPressEndsTheShowOfAFailure() {
        let bench = Bench.destructive(Self.hold)
        _ = bench.fire(10, isConfirmed: true)
        expectEqual(bench.finish(1, .failed(.exit(1)), 20), ["20 c0 phase failed: code 1"])
        expectEqual(bench.press(0, 100), ["100 c0 pressed", "100 c0 phase idle"])
    }

    // MARK: Press twice

    @Test func aSecondPressInTimeFires() {
        let bench = Bench.destructive(.pressTwice(within: .seconds(3)))
        expectEqual(bench.press(0, 100), ["100 c0 pressed", "100 c0 armed"])
        expectEqual(bench.snapshot().progress, 5)
        expectEqual(bench.release(0, 200), ["200 c0 released", "200 c0 clicked"])
        expectEqual(
            bench.press(0, 3_099),
            [
                "3099 c0 pressed", "3099 c0 progress 100", "3099 c0 phase pending",
                "3099 start a0 r1 c0 1 after ? by panel",
            ])
    }

    /// What confirms must have been seen: a double click fires nothing, on no kind of control.
    @Test(arguments: [ConfirmSettings.pressTwice(within: .seconds(3)), .arm(.seconds(3))])
    func aDoubleClickFiresNothing(confirm: ConfirmSettings) {
        for gap in stride(from: 20, through: 480, by: 20) {
            let bench = Bench.destructive(confirm)
            var log = bench.click(0, 100)
            log += bench.click(0, 100 + gap)
            #expect(!log.contains { $0.contains("start ") }, "\(gap) ms: \(log)")
            #expect(log.filter { $0.contains("armed") }.count == 1, "\(gap) ms: \(log)")
            #expect(bench.press(0, 1_500).last?.contains("start a0") == true, "\(gap) ms")
        }
    }

    @Test func aSecondPressTooLateIsAFirst() {
        let bench = Bench.destructive(.pressTwice(within: .seconds(3)))
        _ = bench.click(0, 100)
        expectEqual(
            bench.press(0, 3_100),
            [
                "3100 c0 progress 0", "3100 c0 pressed", "3100 c0 armed",
            ])
    }

    // MARK: Arm

    @Test func anArmedButtonFiresAfterTheArmingPause() {
        let bench = Bench.destructive(.arm(.seconds(5)))
        expectEqual(bench.press(0, 100), ["100 c0 pressed"])
        expectEqual(bench.snapshot().progress, 5)
        expectEqual(
            bench.release(0, 1_000), ["1000 c0 released", "1000 c0 clicked", "1000 c0 armed"])
        expectEqual(bench.press(0, 1_499), ["1499 c0 pressed"], "a nervous second press")
        expectEqual(bench.release(0, 1_550), ["1550 c0 released", "1550 c0 clicked"])
        expectEqual(bench.press(0, 5_999).last, "5999 start a0 r1 c0 1 after ? by panel")
        expectEqual(bench.release(0, 6_100), ["6100 c0 released", "6100 c0 clicked"])
    }

    @Test func anArmingLapses() {
        let bench = Bench.destructive(.arm(.seconds(5)))
        _ = bench.press(0, 100) + bench.release(0, 1_000)
        // The press that came too soon does not make it last longer.
        _ = bench.click(0, 1_200)
        expectEqual(bench.run(9_000), ["6000 c0 progress 0"])
        expectEqual(bench.press(0, 9_000), ["9000 c0 pressed"])
    }

    // MARK: Guard

    /// Line 1 is the contact of the cover, closed while it is shut.
    @Test func aShutGuardRefuses() {
        let bench = Bench.destructive(.guarded, hasGuard: true)
        expectEqual(bench.press(1, 10), [], "the cover is no button")
        expectEqual(
            bench.press(0, 20), ["20 c0 pressed", "20 c0 refused guarded by panel"])
        _ = bench.release(0, 30)
        expectEqual(bench.release(1, 40), [], "opening it fires nothing")
        expectEqual(bench.press(0, 50).last, "50 start a0 r1 c0 1 after ? by panel")
    }

    @Test func aGuardOnAFaultyLineRefuses() {
        let bench = Bench.destructive(.guarded, hasGuard: true)
        _ = bench.send(.lineFault(LineID(1)), 10)
        expectEqual(bench.press(0, 20).last, "20 c0 refused guarded by panel")
    }

    static func guarded(
        _ kind: ControlNature, _ decoder: DecoderSettings, _ contacts: UInt16
    ) -> Bench {
        var relations = Relations()
        let rules = relations.rules { $0.confirm = .guarded }
        let bench = Bench(
            lines: Array(repeating: DebounceSettings.none, count: Int(contacts)),
            controls: [
                ControlSettings(
                    nature: kind, contacts: PlanRange(first: 0, count: contacts), decoder: decoder,
                    startup: StartupSettings(rule: .panel), hasGuard: true, relation: rules)
            ], relations: relations)
        _ = bench.send(.start, 0)
        return bench
    }

    @Test func aGuardedLeverSeesOnlyItsOwnContact() {
        let bench = Self.guarded(.onOff(latch: .toggle), .lever, 2)
        expectEqual(bench.press(1, 10), [])
        expectEqual(
            bench.press(0, 20),
            [
                "20 c0 moved 1", "20 c0 refused guarded by panel", "20 c0 flag mismatch",
            ])
        expectEqual(bench.release(1, 30), [], "opening the cover is no throw")
        _ = bench.press(1, 40)
        expectEqual(bench.send(.resync(), 50), [], "nor does anything else open it")
        _ = bench.release(1, 60)
        expectEqual(bench.send(.resync(), 70).first, "70 c0 changed 1 by panel")
        expectEqual(bench.intent(.off, 80), ["80 c0 refused guarded by web"])
        expectEqual(bench.snapshot().closedContacts, 1)
    }

    @Test func aGuardedSelectorAndRowSeeOnlyTheirOwnContacts() {
        let selector = Self.guarded(
            .choice(of: 3),
            .selector(SelectorSettings(positions: 3, nonePosition: 2)), 3)
        expectEqual(selector.press(2, 10) + selector.run(500), [])
        expectEqual(selector.press(1, 600), [])
        expectEqual(
            selector.run(700),
            [
                "630 c0 moved 1", "630 c0 refused guarded by panel", "630 c0 flag mismatch",
            ])
        let row = Self.guarded(.choice(of: 2), .buttonRow, 3)
        expectEqual(row.press(2, 10) + row.release(2, 20), [])
        expectEqual(row.press(1, 30).last, "30 c0 confirmed 1")
    }

    /// Closing the cover over a held button must not leave it on.
    @Test func aReleaseEndsWhatItsPressBeganAndNothingElse() {
        let bench = Self.guarded(.onOff(latch: .momentary), .button(ButtonSettings()), 2)
        _ = bench.press(0, 10) + bench.press(1, 20)
        expectEqual(bench.snapshot().desired, .on)
        #expect(bench.release(0, 30).contains("30 c0 changed 0 by panel"))
        expectEqual(
            bench.press(0, 40), ["40 c0 pressed", "40 c0 refused guarded by panel"])
        expectEqual(bench.release(0, 50), ["50 c0 released", "50 c0 clicked"])
    }

    // MARK: From elsewhere

    /// Also what needs no confirmation: a press from afar leaves nothing else.
    @Test func aPressFromAfarIsToldWithItsOrigin() {
        var panel = RuledPanel()
        let button = panel.add(ControlSettings(nature: .button))
        let bench = panel.bench()
        _ = bench.start()
        expectEqual(bench.fire(button, 10), ["10 c\(button) chosen 1 by web"])
    }

    @Test(arguments: [
        hold, .pressTwice(within: .seconds(3)), .arm(.seconds(5)),
    ])
    func whoeverIsNotAtThePanelMustConfirm(confirm: ConfirmSettings) {
        let bench = Bench.destructive(confirm)
        expectEqual(bench.fire(10), ["10 c0 refused needsConfirmation by web"])
        expectEqual(
            bench.fire(20, isConfirmed: true),
            [
                "20 c0 chosen 1 by web", "20 c0 phase pending",
                "20 start a0 r1 c0 1 after ? by web",
            ], "it is told who did it")
        expectEqual(bench.counters.refusedIntents, 1)
    }

    @Test func aGuardAndAChordCannotBeConfirmedFromElsewhere() {
        let guarded = Bench.destructive(.guarded, hasGuard: true)
        expectEqual(guarded.fire(10, isConfirmed: true), ["10 c0 refused guarded by web"])
        let chord = Bench.chord()
        expectEqual(
            chord.fire(10, control: 2, isConfirmed: true), ["10 c2 refused guarded by web"])
    }

    // MARK: Controls with a value

    @Test func aToggleThatIsConfirmedTurnsTheOtherWay() {
        var relations = Relations()
        let rules = relations.rules { $0.confirm = .pressTwice(within: .seconds(3)) }
        let bench = Bench(
            lines: [DebounceSettings.none],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle), contacts: PlanRange(first: 0, count: 1),
                    decoder: .button(ButtonSettings()), relation: rules)
            ], relations: relations)
        _ = bench.send(.start, 0) + bench.click(0, 10)
        expectEqual(bench.snapshot().desired, .off)
        _ = bench.click(0, 600)
        expectEqual(bench.snapshot().desired, .on)
        // Somebody else turns it off meanwhile: the second press would do something else.
        _ = bench.click(0, 1_200) + bench.intent(.off, 1_250) + bench.click(0, 1_800)
        expectEqual(bench.snapshot().desired, .off)
        _ = bench.click(0, 2_400)
        expectEqual(bench.snapshot().desired, .on)
    }
}
