import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Gestures that act: one press does one thing, and the owner tells what comes of it.
@Suite struct GestureDialogueTests {
    /// A control on one button or encoder, with action 0, and gestures with the actions behind it.
    private static func bench(
        _ button: ButtonSettings, _ gestures: [ActingGesture],
        nature: ControlNature = .onOff(latch: .toggle), isTurned: Bool = false,
        stepFactor: Int16 = 0,
        shownHold: TimeSpan = .zero, rules: ActionSettings = ActionSettings(timeout: .seconds(5)),
        isDisabled: Bool = false
    ) -> Bench {
        var panel = RuledPanel()
        let contacts = panel.lines(isTurned ? 3 : 1, DebounceSettings.none)
        let own = panel.action(rules)
        let decoder: DecoderSettings =
            isTurned ? .encoder(EncoderSettings(transitions: 1, push: button)) : .button(button)
        _ = panel.add(
            ControlSettings(
                nature: nature, contacts: contacts, decoder: decoder,
                actions: nature.input == .none ? .none : .any(own)),
            when: isDisabled
                ? [.compare(ControlID(UInt16(gestures.count + 1)), .equal, .on)] : []
        ) {
            $0.gestures = PlanRange(first: 1, count: UInt16(gestures.count))
        }
        for gesture in gestures {
            let action = panel.action(rules)
            _ = panel.add(ControlSettings(nature: .button, actions: .any(action))) {
                $0.acting = GestureSettings(
                    of: ControlID(0), gesture, stepFactor: stepFactor, shownHold: shownHold)
            }
        }
        _ = panel.toggle()
        let bench = panel.bench()
        bench.answersReadings = true
        _ = bench.send(.start, 0)
        return bench
    }

    private static let hold = ButtonSettings(hold: .milliseconds(800), isExclusive: true)
    private static let double = ButtonSettings(
        multiClickGap: .milliseconds(300), isExclusive: true)

    // MARK: One press does one thing

    @Test func plainWorkWaitsForTheRelease() {
        let bench = Self.bench(Self.hold, [.hold])
        expectEqual(bench.press(0, 10), ["10 c0 pressed"])
        expectEqual(
            bench.release(0, 100),
            [
                "100 c0 released", "100 c0 clicked", "100 c0 changed 1 by panel",
                "100 c0 phase pending", "100 start a0 r1 c0 1 after ? by panel",
            ])
    }

    @Test func aHoldActsAndTheReleaseDoesNothing() {
        let bench = Self.bench(Self.hold, [.hold])
        _ = bench.press(0, 10)
        expectEqual(
            bench.run(900).filter { !$0.contains("read") },
            ["810 c0 held", "810 c0 phase pending", "810 start a1 r1 c0 0 after ? by panel"])
        expectEqual(bench.release(0, 950), ["950 c0 released"])
        expectEqual(bench.snapshot().desired, .off)
        expectEqual(bench.finish(1, .succeeded, 1_200).last, "1200 c0 phase idle")
    }

    @Test func plainWorkWaitsForTheGapOfADoubleClick() {
        let bench = Self.bench(Self.double, [.doubleClick])
        expectEqual(bench.click(0, 10), ["10 c0 pressed", "20 c0 released", "20 c0 clicked"])
        #expect(bench.run(400).contains("320 c0 changed 1 by panel"))
        _ = bench.finish(1, .succeeded, 410)
        _ = bench.click(0, 500) + bench.press(0, 600)
        let second = bench.release(0, 610)
        #expect(second.contains("610 c0 double-clicked"), "\(second)")
        #expect(second.contains("610 start a1 r2 c0 1 after 1 by panel"), "\(second)")
        expectEqual(bench.run(2_000).filter { $0.contains("changed") }, [])
    }

    @Test func aClickBeforeAHoldIsPlain() {
        var button = Self.double
        button.hold = .milliseconds(800)
        let bench = Self.bench(button, [.doubleClick, .hold])
        _ = bench.click(0, 10) + bench.press(0, 100)
        let log = bench.run(1_000)
        #expect(log.contains("900 c0 changed 1 by panel"), "\(log)")
        #expect(log.contains { $0.hasPrefix("900 start a2 ") }, "\(log)")
    }

    @Test func withoutExclusionThePressActsAtOnce() {
        var button = Self.hold
        button.isExclusive = false
        let bench = Self.bench(button, [.hold])
        #expect(bench.press(0, 10).contains("10 c0 changed 1 by panel"))
        #expect(bench.run(900).contains { $0.hasPrefix("810 start a1 ") })
    }

    /// One gesture for one press, however long and however close they are.
    @Test(arguments: [3, 4, 5, 6] as [UInt64]) func everyPressDoesOneThing(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var button = Self.double
        button.hold = .milliseconds(200)
        button.clickWithin = .milliseconds(120)
        button.multiClickCount = UInt8(2 + random.below(2))
        let rules = ActionSettings(timeout: nil, supersede: .cancel)
        let bench = Self.bench(
            button, [button.multiClickCount == 2 ? .doubleClick : .multiClick, .hold],
            nature: .button, rules: rules)
        var counts = [0, 0, 0]
        var presses = 0
        var now = 10
        func count(_ log: [String]) {
            for action in 0..<3 {
                counts[action] += log.count { $0.contains(" start a\(action) ") }
            }
        }
        for _ in 0..<400 {
            count(bench.press(0, now))
            now += 1 + Int(random.below(300))
            count(bench.release(0, now))
            now += 1 + Int(random.below(500))
            presses += 1
        }
        count(bench.run(now + 1_000))
        expectEqual(
            counts[0] + counts[1] * Int(button.multiClickCount) + counts[2], presses,
            "seed \(seed): \(counts)")
        #expect(counts.allSatisfy { $0 > 0 }, "seed \(seed): \(counts)")
    }

    // MARK: What the owner tells

    @Test func aFailureNamesTheGestureAndATouchEndsIt() {
        let bench = Self.bench(Self.hold, [.hold])
        _ = bench.press(0, 10) + bench.run(900) + bench.release(0, 950)
        let failed = bench.raw(
            .actionFinished(ControlID(0), RunID(1), .failed(.exit(2))),
            at: Instant(millisecond: 1_000))
        let reasons = failed.compactMap { effect, _ -> Reason? in
            guard case .report(let report) = effect, case .phase(.failed, let reason) = report.kind
            else { return nil }
            return reason
        }
        expectEqual(reasons, [Reason(cause: .failed(.exit(2)), of: .hold)])
        expectEqual(bench.snapshot().phase, .failed)
        #expect(bench.press(0, 1_100).contains("1100 c0 phase idle"))
    }

    @Test func theWorstPhaseIsTold() {
        let bench = Self.bench(Self.hold, [.hold])
        _ = bench.press(0, 10) + bench.run(900) + bench.release(0, 950)
        _ = bench.finish(1, .failed(.exit(2)), 960)
        let log = bench.send(.intent(ControlID(0), .on, .web), 1_000)
        #expect(!log.contains("1000 c0 phase pending"), "\(log)")
        expectEqual(bench.snapshot().phase, .failed)
        _ = bench.finish(2, .succeeded, 1_010)
        expectEqual(bench.snapshot().phase, .failed)
    }

    @Test func aLongHoldShowsHowFarItIs() {
        let bench = Self.bench(Self.hold, [.hold], shownHold: .milliseconds(800))
        _ = bench.press(0, 10)
        expectEqual(bench.snapshot().progress, 1)
        #expect(bench.run(500).contains { $0.hasSuffix("c0 progress 50") })
        #expect(bench.release(0, 510).contains("510 c0 progress 0"))
        expectEqual(bench.snapshot().progress, 0)
    }

    @Test func whileDisabledAGestureIsRefused() {
        let bench = Self.bench(Self.hold, [.hold], isDisabled: true)
        let log = bench.press(0, 10) + bench.run(900)
        #expect(log.contains("810 c0 refused disabled by panel"), "\(log)")
        #expect(!log.contains { $0.contains("start") })
    }

    // MARK: Turns

    private static let knob = ControlNature(domain: .none, role: .events, input: .none)

    /// Turns clockwise or back by one detent.
    private func turn(_ bench: Bench, _ way: Int, _ now: Int, _ levels: inout Int) -> [String] {
        // Gray code: A changes first clockwise.
        let order = [0b00, 0b10, 0b11, 0b01]
        let before = order[levels]
        levels = (levels + way + 4) % 4
        let next = order[levels]
        let isA = (before ^ next) & 2 != 0
        let isClosed = next & (isA ? 2 : 1) != 0
        return bench.edge(isA ? 0 : 1, isClosed ? .active : .inactive, now) + bench.run(now + 1)
    }

    @Test func aRunIsForAllDetentsSinceTheLast() {
        let bench = Self.bench(
            ButtonSettings(), [.turn], nature: Self.knob, isTurned: true, stepFactor: 5)
        var levels = 0
        let first = turn(bench, 1, 10, &levels)
        #expect(first.contains { $0.contains("start a1 r1 c0 5 ") }, "\(first)")
        for step in 1...4 { _ = turn(bench, 1, 10 + step * 10, &levels) }
        _ = turn(bench, -1, 80, &levels)
        let next = bench.finish(1, .succeeded, 100)
        #expect(next.contains { $0.contains("start a1 r2 c0 15 ") }, "\(next)")
        let rest = bench.finish(2, .succeeded, 200)
        #expect(!rest.contains { $0.contains("start") }, "zero runs nothing: \(rest)")
    }

    @Test func withoutStepsEachDetentHasItsRunAndWaitingOnesAreBounded() {
        let bench = Self.bench(
            ButtonSettings(), [.turnUp, .turnDown], nature: Self.knob, isTurned: true)
        var levels = 0
        var first: [String] = []
        for step in 0..<150 { first += turn(bench, 1, 10 + step * 10, &levels) }
        first = Array(first.prefix(20))
        expectEqual(bench.snapshot().lost, 49, "\(first)")
        var runs = 1
        while runs < 300 {
            let log = bench.finish(UInt32(runs), .succeeded, 2_000 + runs)
            guard log.contains(where: { $0.contains("start a1") }) else { break }
            runs += 1
        }
        expectEqual(runs, 101)
        let back = turn(bench, -1, 5_000, &levels) + bench.run(5_200)
        #expect(back.contains { $0.contains("start a2") }, "\(back)")
    }
}
