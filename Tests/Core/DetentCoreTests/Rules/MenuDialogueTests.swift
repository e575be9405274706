import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Pop-ups and pull-downs: what opens, moves, chooses and closes.
@Suite struct MenuDialogueTests {
    static let popUp = NavigationSettings.Style.menu(closeAfter: .seconds(5))

    /// Cut, More ▸ (One, Two), Erase (destructive).
    static func items(_ confirm: ConfirmSettings) -> [MenuItem] {
        [
            MenuItem(), MenuItem(isSubmenu: true), MenuItem(parent: 1), MenuItem(parent: 1),
            MenuItem(confirm: confirm),
        ]
    }

    static func pullDown(
        _ hardware: NavigationSettings.Hardware, _ confirm: ConfirmSettings = .none,
        hold: TimeSpan = .zero, closeAfter: TimeSpan = .seconds(5), hasLamps: Bool = false
    ) -> Bench {
        Bench.navigated(
            .commands(5), .menu(closeAfter: closeAfter), hardware, count: 5,
            items: items(confirm), hold: hold, hasLamps: hasLamps)
    }

    // MARK: Pop-up

    @Test func aPopUpOpensAtItsValueAndAPressCommits() {
        let bench = Bench.navigated(.choice(of: 4), Self.popUp, .encoder, count: 4)
        _ = bench.intent(Value(2), 5) + bench.finish(1, .succeeded, 6)
        expectEqual(ofMenu(bench.turn(true, 8)), [], "closed, a turn does nothing")
        expectEqual(ofMenu(bench.press(2, 10)), ["10 c0 opened", "10 c0 focused 2"])
        expectEqual(bench.snapshot().focus, Value(2))
        expectEqual(ofMenu(bench.release(2, 20)), [])
        expectEqual(ofMenu(bench.turn(true, 30)), ["30 c0 focused 3"])
        expectEqual(ofMenu(bench.turn(true, 40)), [], "held at the end")
        expectEqual(
            ofMenu(bench.press(2, 50)),
            [
                "50 c0 changed 3 by panel", "50 c0 phase pending",
                "50 start a0 r2 c0 3 after 2 by panel", "50 c0 closed",
            ])
        expectEqual(bench.snapshot().focus, .unknown)
        #expect(
            ofMenu(bench.finish(2, .failed(.exit(1)), 90)).contains("90 c0 changed 2 by device"))
    }

    @Test func aPopUpClosesByItselfWithoutChange() {
        let bench = Bench.navigated(.choice(of: 4), Self.popUp, .encoder, count: 4)
        _ = bench.click(2, 10) + bench.turn(true, 1_000)
        expectEqual(ofMenu(bench.run(9_000)), ["6000 c0 closed"])
        #expect(bench.snapshot().desired == .off && bench.snapshot().focus == .unknown)
    }

    @Test func holdingThePushGoesBackWithoutAChoice() {
        let bench = Bench.navigated(
            .choice(of: 4), Self.popUp, .encoder, count: 4, hold: .milliseconds(800))
        expectEqual(ofMenu(bench.press(2, 10)), [], "it may become a hold")
        expectEqual(ofMenu(bench.release(2, 100)), ["100 c0 opened", "100 c0 focused 0"])
        _ = bench.turn(true, 200)
        expectEqual(ofMenu(bench.press(2, 300)), [])
        expectEqual(ofMenu(bench.run(2_000)), ["1100 c0 closed"])
        expectEqual(ofMenu(bench.release(2, 2_000)), [])
        expectEqual(bench.snapshot().desired, .off)
    }

    @Test func anIntentFromElsewhereLeavesThePanelsMenuOpen() {
        let bench = Bench.navigated(.choice(of: 4), Self.popUp, .encoder, count: 4)
        _ = bench.click(2, 10) + bench.turn(true, 50) + bench.intent(Value(3), 60)
        expectEqual(bench.snapshot().focus, Value(1))
        let menu = Self.pullDown(.encoder)
        _ = menu.click(2, 10) + menu.fire(20, value: Value(0))
        expectEqual(menu.snapshot().focus, Value(0))
    }

    @Test func disablingClosesAndSaysSo() {
        let bench = Bench.navigated(.choice(of: 4), Self.popUp, .encoder, count: 4)
        _ = bench.click(2, 10)
        expectEqual(
            ofMenu(bench.intent(.off, 50, control: 1)), ["50 c0 closed", "50 c0 flag disabled"])
        expectEqual(ofMenu(bench.press(2, 60)), ["60 c0 refused disabled by panel"])
        expectEqual(ofMenu(bench.turn(true, 70)), ["70 c0 refused disabled by panel"])
        expectEqual(bench.snapshot().focus, .unknown)
        expectEqual(ofMenu(bench.intent(.on, 80, control: 1)), ["80 c0 no disabled"])
    }

    /// Nothing is chosen, and the next press opens it again.
    @Test func itIsClosedFromOutside() {
        let menu = Self.pullDown(.buttons)
        expectEqual(menu.close(5), [], "it is closed already")
        _ = menu.click(2, 10) + menu.click(1, 30) + menu.click(2, 50)
        expectEqual(menu.snapshot().focus, Value(2), "in a submenu")
        expectEqual(menu.close(70), ["70 c0 closed by web"])
        expectEqual(ofMenu(menu.click(2, 90)), ["90 c0 opened", "90 c0 focused 0"])
        let armed = Self.pullDown(.oneButton, .pressTwice(within: .seconds(3)), hold: .seconds(1))
        _ = armed.press(0, 10) + armed.release(0, 1_100) + armed.click(0, 1_200)
        _ = armed.click(0, 1_300) + armed.press(0, 1_400) + armed.release(0, 2_500)
        #expect(armed.snapshot().progress > 0)
        expectEqual(ofMenu(armed.close(2_600)), ["2600 c0 progress 0", "2600 c0 closed by web"])
        let knob = Bench.navigated(
            .choice(of: 4), .focus(closeAfter: .seconds(2)), .encoder, count: 4)
        _ = knob.turn(true, 16)
        expectEqual(ofMenu(knob.close(20)), ["20 c0 closed by web"])
        expectEqual(knob.close(30, control: 1), [], "it has no list")
        expectEqual(knob.snapshot().desired, .off)
    }

    // MARK: Pull-down

    @Test func aSubmenuOpensAndBackLeadsUp() {
        let bench = Self.pullDown(.buttons)
        expectEqual(ofMenu(bench.click(2, 10)), ["10 c0 opened", "10 c0 focused 0"])
        expectEqual(ofMenu(bench.click(1, 30)), ["30 c0 focused 1"])
        expectEqual(
            ofMenu(bench.click(1, 50)), ["50 c0 focused 4"], "items of a submenu are inside")
        expectEqual(ofMenu(bench.click(1, 70)), [])
        expectEqual(ofMenu(bench.click(0, 90)), ["90 c0 focused 1"])
        expectEqual(ofMenu(bench.click(2, 110)), ["110 c0 focused 2"])
        expectEqual(ofMenu(bench.click(1, 130)), ["130 c0 focused 3"])
        expectEqual(ofMenu(bench.click(1, 150)), [])
        expectEqual(ofMenu(bench.click(3, 170)), ["170 c0 focused 1"])
        expectEqual(ofMenu(bench.click(3, 190)), ["190 c0 closed"])
        expectEqual(ofMenu(bench.click(3, 210)), [])
        expectEqual(ofMenu(bench.click(0, 230)), [])
    }

    @Test func aCommandFiresAndCloses() {
        let bench = Self.pullDown(.encoder)
        _ = bench.click(2, 10) + bench.turn(true, 30) + bench.click(2, 50) + bench.turn(true, 70)
        expectEqual(
            ofMenu(bench.press(2, 90)),
            [
                "90 c0 chosen 3 by panel", "90 c0 phase pending",
                "90 start a0 r1 c0 3 after ? by panel", "90 c0 focused 1",
            ], "a submenu leads back to its menu")
        expectEqual(ofMenu(bench.release(2, 95)), [])
        expectEqual(bench.snapshot().focus, Value(1))
        expectEqual(
            ofMenu(bench.finish(1, .failed(.exit(7)), 99)), ["99 c0 phase failed: code 7"])
        // A touch ends the show of the failure.
        expectEqual(ofMenu(bench.press(2, 110)), ["110 c0 phase idle", "110 c0 focused 2"])
    }

    @Test func oneButtonWalksRoundAndAHoldChooses() {
        let bench = Self.pullDown(.oneButton)
        expectEqual(ofMenu(bench.click(0, 10)), [], "closed, a click does nothing")
        _ = bench.press(0, 100)
        expectEqual(ofMenu(bench.run(600)), ["600 c0 opened", "600 c0 focused 0"])
        expectEqual(ofMenu(bench.release(0, 700)), [])
        expectEqual(
            ofMenu(bench.click(0, 800) + bench.click(0, 900) + bench.click(0, 1_000)),
            [
                "810 c0 focused 1", "910 c0 focused 4", "1010 c0 focused 0",
            ])
        _ = bench.press(0, 1_100)
        expectEqual(
            ofMenu(bench.run(1_700)),
            [
                "1600 c0 chosen 0 by panel", "1600 c0 phase pending",
                "1600 start a0 r1 c0 0 after ? by panel", "1600 c0 closed",
            ])
        expectEqual(ofMenu(bench.release(0, 1_700)), [])
    }

    @Test func anyoneElseMayFireAnItemButNoSubmenu() {
        let bench = Self.pullDown(.encoder, .pressTwice(within: .seconds(3)))
        expectEqual(bench.fire(10, value: Value(1)), ["10 c0 refused outOfRange by web"])
        expectEqual(bench.fire(20, value: Value(5)), ["20 c0 refused outOfRange by web"])
        expectEqual(bench.fire(30, value: Value(4)), ["30 c0 refused needsConfirmation by web"])
        expectEqual(
            bench.fire(40, value: Value(4), isConfirmed: true).first, "40 c0 chosen 4 by web")
        expectEqual(bench.fire(50, value: Value(3)), ["50 c0 chosen 3 by web"])
    }

    // MARK: Destructive items

    /// Opens the menu and moves to Erase.
    static func atErase(
        _ confirm: ConfirmSettings, hold: TimeSpan = .zero, closeAfter: TimeSpan = .seconds(5)
    ) -> Bench {
        let bench = pullDown(.encoder, confirm, hold: hold, closeAfter: closeAfter)
        _ = bench.click(2, 10) + bench.turn(true, 30) + bench.turn(true, 40)
        expectEqual(bench.snapshot().focus, Value(4))
        return bench
    }

    static let erased = [
        "c0 progress 100", "c0 chosen 4 by panel", "c0 phase pending",
        "start a0 r1 c0 4 after ? by panel", "c0 closed",
    ]

    /// The menu stays open longer than it would, since somebody is at it.
    @Test(arguments: [0, 500, 3_000])
    func aHeldItemFiresAndItsMenuWaits(push: UInt64) {
        let bench = Self.atErase(
            .hold(.milliseconds(2_048)), hold: .milliseconds(push), closeAfter: .seconds(1))
        expectEqual(ofMenu(bench.press(2, 100)), [])
        let progress = (1...9).map { "\(100 + $0 * 204) c0 progress \($0 * 10)" }
        expectEqual(
            ofMenu(bench.run(2_200)), progress + Self.erased.map { "2148 " + $0 })
        expectEqual(ofMenu(bench.run(3_500) + bench.release(2, 3_500)), ["2298 c0 phase loading"])
        expectEqual(bench.snapshot().focus, .unknown)
    }

    @Test func aHoldThatLapsesLeavesTheMenuOpenForItsTime() {
        let bench = Self.atErase(.hold(.milliseconds(2_048)), closeAfter: .seconds(1))
        _ = bench.press(2, 100) + bench.run(1_900)
        expectEqual(ofMenu(bench.release(2, 1_920)), ["1920 c0 progress 0"])
        expectEqual(ofMenu(bench.run(9_000)), ["2920 c0 closed"])
    }

    @Test func turningOnGivesUpWhatIsBeingConfirmed() {
        for confirm in [
            ConfirmSettings.hold(.milliseconds(2_048)), .pressTwice(within: .seconds(4)),
            .arm(.seconds(4)),
        ] {
            let bench = Self.atErase(confirm)
            _ = bench.press(2, 100)
            expectEqual(ofMenu(bench.turn(false, 150)), ["150 c0 progress 0", "150 c0 focused 1"])
            _ = bench.release(2, 200)
            _ = bench.turn(true, 300)
            expectEqual(ofMenu(bench.run(1_000)), [])
            #expect(bench.snapshot().progress == 0 && bench.snapshot().focus == Value(4))
        }
    }

    @Test(arguments: [0, 500])
    func anItemThatIsPressedTwice(push: UInt64) {
        let bench = Self.atErase(
            .pressTwice(within: .seconds(4)), hold: .milliseconds(push), closeAfter: .seconds(1))
        expectEqual(ofMenu(bench.click(2, 100)), ["100 c0 armed"])
        expectEqual(ofMenu(bench.press(2, 3_000)), Self.erased.map { "3000 " + $0 })
        expectEqual(ofMenu(bench.release(2, 3_010)), [])
        expectEqual(bench.snapshot().focus, .unknown)
    }

    @Test func anItemThatIsArmedLapsesAndItsMenuCloses() {
        let bench = Self.atErase(.arm(.seconds(4)), closeAfter: .seconds(1))
        expectEqual(ofMenu(bench.click(2, 100)), ["110 c0 armed"])
        expectEqual(ofMenu(bench.run(9_000)), ["4110 c0 progress 0", "5110 c0 closed"])
        let again = Self.atErase(.arm(.seconds(4)))
        _ = again.click(2, 100)
        expectEqual(ofMenu(again.press(2, 700)), Self.erased.map { "700 " + $0 })
    }

    @Test func destructiveItemsOnButtonsAndOnOne() {
        let row = Self.pullDown(.buttons, .hold(.milliseconds(1_024)))
        _ = row.click(2, 10) + row.click(1, 30) + row.click(1, 50) + row.press(2, 100)
        // Another button that is let go is not the one that is held.
        _ = row.run(500)
        row.levels[0] = .active
        expectEqual(ofMenu(row.run(1_200)).suffix(5), Self.erased.map { "1124 " + $0 }[...])
        let one = Self.pullDown(.oneButton, .hold(.milliseconds(1_024)))
        _ = one.press(0, 100) + one.release(0, 700) + one.click(0, 800) + one.click(0, 900)
        _ = one.press(0, 1_000)
        expectEqual(ofMenu(one.run(2_600)).suffix(5), Self.erased.map { "2524 " + $0 }[...])
    }

    @Test func moreHoldsThanOneButtonDoNotConfuse() {
        let row = Self.pullDown(.buttons, .hold(.milliseconds(1_024)))
        _ = row.click(2, 10) + row.click(1, 30) + row.press(1, 50) + row.press(2, 100)
        expectEqual(ofMenu(row.release(1, 150)), [], "only the button that is held counts")
        expectEqual(ofMenu(row.run(1_200)).last, "1124 c0 closed")
    }

    @Test func aGuardOverAMenuCoversItsItems() {
        var relations = Relations()
        let items = relations.menu(MenuItem(), MenuItem(confirm: .pressTwice(within: .seconds(3))))
        let rules = relations.rules {
            $0.confirm = .guarded
            $0.navigation = NavigationSettings(
                style: .menu(closeAfter: .zero), hardware: .oneButton, count: 2, items: items)
        }
        let bench = Bench(
            lines: [DebounceSettings.none, DebounceSettings.none],
            controls: [
                ControlSettings(
                    nature: .commands(2), contacts: PlanRange(first: 0, count: 2),
                    decoder: .button(ButtonSettings(hold: .milliseconds(500))), hasGuard: true,
                    relation: rules)
            ], relations: relations)
        bench.answersReadings = true
        _ = bench.send(.start, 0) + bench.press(1, 5)
        _ = bench.press(0, 10) + bench.release(0, 600) + bench.press(0, 700)
        expectEqual(ofMenu(bench.run(1_300)), ["1200 c0 refused guarded by panel"])
        _ = bench.release(0, 1_300) + bench.release(1, 1_400) + bench.press(0, 1_500)
        expectEqual(
            ofMenu(bench.run(2_100)), ["2000 c0 chosen 0 by panel", "2000 c0 closed"])
    }

    // MARK: Lamps

    @Test func theLampOfWhatHasTheFocusIsLit() {
        let bench = Self.pullDown(.encoder, hasLamps: true)
        #expect(bench.press(2, 10).contains("10 lamp l4 on"))
        _ = bench.release(2, 20)
        expectEqual(bench.snapshot().lamps, 1)
        _ = bench.turn(true, 30)
        expectEqual(bench.snapshot().lamps, 2)
        _ = bench.run(9_000)
        expectEqual(bench.snapshot().lamps, 0)
    }
}
