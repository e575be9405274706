import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Gestures of the buttons of a row: each for itself, one press does one thing.
@Suite struct RowGestureTests {
    private static let hold = RowGesture(
        buttons: 0b111, after: .milliseconds(800), isExclusive: true)

    /// A choice of three on three buttons with action 0; its gestures have the actions behind it.
    private static func bench(
        _ gestures: [(ActingGesture, RowGesture)], nature: ControlNature = .choice(of: 3),
        isDisabled: Bool = false
    ) -> Bench {
        var panel = RuledPanel()
        let contacts = panel.lines(3, DebounceSettings.none)
        let rules = ActionSettings(timeout: .seconds(5))
        let own = panel.action(rules)
        _ = panel.add(
            ControlSettings(
                nature: nature, contacts: contacts, decoder: .buttonRow, actions: .any(own)),
            when: isDisabled
                ? [.compare(ControlID(UInt16(gestures.count + 1)), .equal, .on)] : []
        ) {
            $0.gestures = PlanRange(first: 1, count: UInt16(gestures.count))
        }
        for (gesture, row) in gestures {
            let action = panel.action(rules)
            _ = panel.add(ControlSettings(nature: .button, actions: .any(action))) {
                var acting = GestureSettings(of: ControlID(0), gesture)
                acting.row = row
                $0.acting = acting
            }
        }
        _ = panel.toggle()
        let bench = panel.bench()
        bench.answersReadings = true
        _ = bench.send(.start, 0)
        return bench
    }

    private static func starts(_ log: [String]) -> [String] {
        log.filter { $0.contains(" start ") }
    }

    @Test func aHoldHasTheOptionOfItsButton() {
        let bench = Self.bench([(.hold, Self.hold)])
        expectEqual(bench.press(2, 10), ["10 c0 pressed 2"])
        let log = bench.run(900)
        #expect(log.contains("810 c0 held"), "\(log)")
        expectEqual(Self.starts(log), ["810 start a1 r1 c0 2 after ? by panel"])
        expectEqual(bench.release(2, 950), ["950 c0 released 2"])
        expectEqual(bench.snapshot().desired, Value(0), "the press does nothing else")
    }

    @Test func aShortPressChoosesAtItsRelease() {
        let bench = Self.bench([(.hold, Self.hold)])
        _ = bench.press(1, 10)
        let log = bench.release(1, 100)
        #expect(log.contains("100 c0 changed 1 by panel"), "\(log)")
        expectEqual(Self.starts(bench.run(2_000)), [])
    }

    /// Only the button that has the gesture waits.
    @Test func anOptionHasItsOwn() {
        var own = Self.hold
        own.buttons = 0b010
        let bench = Self.bench([(.hold, own)])
        #expect(bench.press(0, 10).contains { $0.hasSuffix("start a0 r1 c0 0 after ? by panel") })
        _ = bench.release(0, 20)
        expectEqual(Self.starts(bench.press(1, 100)), [])
        expectEqual(Self.starts(bench.run(1_000)), ["900 start a1 r2 c0 1 after ? by panel"])
    }

    @Test func twoButtonsDoNotDisturbEachOther() {
        let bench = Self.bench([(.hold, Self.hold)])
        _ = bench.press(0, 10)
        #expect(bench.press(1, 100).contains("100 c0 changed 1 by panel"), "it is not followed")
        expectEqual(
            Self.starts(bench.run(900)), ["810 start a1 r2 c0 0 after ? by panel"])
        expectEqual(bench.release(1, 950), ["950 c0 released 1"])
        expectEqual(bench.release(0, 960), ["960 c0 released 0"])
        expectEqual(bench.snapshot().desired, Value(1))
    }

    /// A line that comes back without its press is let go, and nothing else happens.
    @Test(arguments: [ActingGesture.hold, .doubleClick])
    func aFaultIsNoPress(gesture: ActingGesture) {
        let bench = Self.bench([(gesture, gesture == .hold ? Self.hold : Self.double)])
        _ = bench.press(1, 10)
        _ = bench.send(.lineFault(LineID(1)), 100)
        bench.levels[1] = .inactive
        _ = bench.send(.lineRestored(LineID(1)), 200)
        let log = bench.send(.reading(LineID(1), .inactive), 200) + bench.run(2_000)
        #expect(log.contains("200 c0 released 1"), "\(log)")
        expectEqual(Self.starts(log), [])
        expectEqual(log.filter { $0.contains("changed") }, [])
        _ = bench.press(2, 3_000)
        #expect(
            (bench.release(2, 3_050) + bench.run(4_000)).contains { $0.contains("c0 changed 2") })
    }

    private static let double = RowGesture(
        buttons: 0b111, after: .milliseconds(300), isExclusive: true)

    @Test func twoClicksOfOneButtonAreADoubleClick() {
        let bench = Self.bench([(.doubleClick, Self.double)])
        _ = bench.click(1, 10) + bench.press(1, 100)
        let log = bench.release(1, 110)
        #expect(log.contains("110 c0 double-clicked"), "\(log)")
        expectEqual(Self.starts(log), ["110 start a1 r1 c0 1 after ? by panel"])
        expectEqual(bench.run(2_000).filter { $0.contains("changed") }, [])
    }

    /// A click that waits counts when another button is pressed.
    @Test func aClickOfAnotherButtonEndsTheGap() {
        let bench = Self.bench([(.doubleClick, Self.double)])
        _ = bench.click(1, 10)
        #expect(bench.press(2, 100).contains("100 c0 changed 1 by panel"))
        _ = bench.release(2, 120)
        #expect(bench.run(500).contains("420 c0 changed 2 by panel"))
    }

    @Test func aRepetitionNeverDelays() {
        let every = RowGesture(
            buttons: 0b111, after: .milliseconds(500), every: .milliseconds(200))
        let bench = Self.bench([(.repetition, every)])
        #expect(bench.press(1, 10).contains("10 c0 changed 1 by panel"))
        let log = bench.run(1_000)
        expectEqual(log.filter { $0.contains("repeated") }.count, 3, "\(log)")
        expectEqual(Self.starts(log).first, "510 start a1 r2 c0 1 after ? by panel")
    }

    @Test func whatIsDisabledActsOnNothing() {
        let bench = Self.bench([(.hold, Self.hold)], isDisabled: true)
        _ = bench.press(0, 10)
        let log = bench.run(1_000) + bench.release(0, 1_100)
        expectEqual(Self.starts(log), [])
        #expect(log.contains { $0.contains("refused disabled") }, "\(log)")
    }

    /// Of several options, the value is that of the one alone.
    @Test func oneOfSeveralIsMeant() {
        let bench = Self.bench(
            [(.hold, Self.hold)], nature: .selection(of: 3, minimum: 0, maximum: 3))
        _ = bench.press(2, 10)
        expectEqual(Self.starts(bench.run(900)), ["810 start a1 r1 c0 4 after ? by panel"])
    }

    /// Whatever the hands do: each press acts once, as a hold or as a choice.
    @Test(arguments: TestLength.seeds(1...64))
    func onePressDoesOneThing(seed: UInt64) {
        var random = SplitMix64(seed: seed, stream: 3)
        let bench = Self.bench([(.hold, Self.hold)], nature: .commands(3))
        var now = 10
        var run: UInt32 = 0
        for _ in 0..<40 {
            let button = UInt16(random.below(3))
            let length = 20 + Int(random.below(1_600))
            var log = bench.press(button, now)
            log += bench.run(now + length - 1) + bench.release(button, now + length)
            log += bench.run(now + length + 50)
            let starts = Self.starts(log)
            expectEqual(starts.count, 1, "seed \(seed) at \(now): \(log)")
            let isHold = length >= 800
            #expect(
                starts.first?.contains(isHold ? " start a1 " : " start a0 ") == true,
                "seed \(seed) at \(now), \(length): \(starts)")
            #expect(starts.first?.contains(" c0 \(button) after") == true, "\(starts)")
            run += 1
            now += length + 60
            _ = bench.finish(run, .succeeded, now)
            now += 10
        }
    }
}
