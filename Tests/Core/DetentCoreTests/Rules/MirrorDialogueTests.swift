import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Indicators: lamps of other controls, and of expressions.
@Suite struct MirrorDialogueTests {
    /// A lever with an action, a lamp (line 1) and a device that may be silent, and an indicator of
    /// it (line 2).
    private static func bench() -> Bench {
        var panel = RuledPanel()
        let contact = panel.lines(1, DebounceSettings.none)
        let lamps = panel.lines(2)
        let main = panel.toggle(startup: StartupSettings(rule: .value(.on)))
        let source = panel.add(
            ControlSettings(
                nature: .onOff(latch: .toggle), contacts: contact, decoder: .lever,
                startup: StartupSettings(rule: .value(.off)), actions: .any(panel.action()),
                indicator: IndicatorSettings(lines: PlanRange(first: lamps.first, count: 1))),
            when: [.equal(main, .on)]
        ) { $0.staleAfter = .seconds(60) }
        _ = panel.add(
            ControlSettings(
                nature: .mirror,
                indicator: IndicatorSettings(lines: PlanRange(first: lamps.first + 1, count: 1)))
        ) { $0.shows = ControlID(source) }
        let bench = panel.bench()
        _ = bench.start() + bench.feedback(.off, 0, control: source)
        return bench
    }

    /// The same pattern as the lamp of what it shows, at every step.
    @Test func showsAllThatTheOtherShows() {
        let bench = Self.bench()
        func check(_ pattern: Pattern, _ flags: Flag, _ phase: Phase, _ log: [String]) {
            let (source, mirror) = (bench.snapshot(1), bench.snapshot(2))
            expectEqual(source.pattern, pattern, "\(log)")
            expectEqual(mirror.pattern, pattern, "\(log)")
            expectEqual(mirror.flags, flags, "\(log)")
            expectEqual(mirror.flags, source.flags, "\(log)")
            expectEqual(mirror.phase, phase, "\(log)")
            expectEqual(mirror.desired, source.desired, "\(log)")
            expectEqual(mirror.lamps, source.lamps, "\(log)")
        }
        check(.off, [], .idle, [])
        check(.steady, [], .pending, bench.edge(0, .active, 10))
        check(.blink, [], .loading, bench.run(200))
        check(.flashBurst, .mismatch, .failed, bench.finish(1, .failed(.exit(1)), 600, control: 1))
        check(.wink, .mismatch, .idle, bench.run(4_000))
        check(.wink, [.mismatch, .disabled], .idle, bench.intent(.off, 5_000))
        check(.wink, [.mismatch], .idle, bench.intent(.on, 6_000))
        check(.off, [], .idle, bench.edge(0, .inactive, 7_000))
        check(.slowWink, .disabled, .idle, bench.intent(.off, 8_000))
        check(.off, [], .idle, bench.intent(.on, 9_000))
        check(.doubleWink, .stale, .idle, bench.run(60_000))
        check(.tripleWink, [.stale, .fault], .idle, bench.send(.lineFault(LineID(0)), 61_000))
        check(.doubleWink, .stale, .idle, bench.send(.lineRestored(LineID(0)), 62_000))
        _ = bench.feedback(.on, 63_000, control: 1)
        _ = bench.send(.reading(LineID(0), .active), 63_000)
        check(.steady, [], .idle, [])
        _ = bench.intent(.off, 65_000, control: 1)
        check(
            .flashBurst, .unconfirmed, .failed, bench.finish(2, .lost, 65_001, control: 1))
    }

    /// It is told as any control without an action is.
    @Test func isToldInTheContractsOrder() {
        let bench = Self.bench()
        expectEqual(
            Bench.of(2, bench.edge(0, .active, 10)),
            [
                "10 changed 1 by control", "10 phase pending", "10 confirmed 1",
                "10 indicator steady",
            ])
        expectEqual(
            Bench.of(2, bench.finish(1, .failed(.exit(1)), 20, control: 1)),
            [
                "20 changed 0 by control", "20 phase failed: code 1", "20 confirmed 0",
                "20 flag mismatch", "20 indicator flashBurst",
            ])
    }

    @Test func takesNothingItself() {
        let bench = Self.bench()
        expectEqual(bench.intent(.on, 10, control: 2), ["10 c2 refused unsupported by web"])
        expectEqual(bench.fire(2, 20), ["20 c2 refused unsupported by web"])
        expectEqual(bench.feedback(.on, 30, control: 2), [])
    }

    @Test func showsAnExpression() {
        var panel = RuledPanel()
        let dial = panel.add(ControlSettings(nature: .dial(NumberRange(minimum: 0, maximum: 9))))
        let lever = panel.toggle()
        let mirror = panel.add(
            ControlSettings(
                nature: .mirror, indicator: IndicatorSettings(lines: panel.lines(1)),
                outputs: panel.lines(1)),
            when: [
                .compare(ControlID(dial), .greater, Value(4)), .equal(lever, .on), .not, .and,
            ])
        let dependent = panel.toggle(when: [.equal(mirror, .on)])
        let bench = panel.bench()
        _ = bench.start()
        expectEqual(bench.snapshot(mirror).desired, .off)
        expectEqual(bench.snapshot(dependent).flags, .disabled)
        let log = bench.intent(Value(5), 10, control: dial)
        expectEqual(
            Bench.of(mirror, log),
            [
                "10 changed 1 by control", "10 confirmed 1", "10 indicator steady",
                "10 output l1 on",
            ])
        // Others may depend on it.
        expectEqual(bench.snapshot(dependent).flags, [])
        _ = bench.intent(.on, 20, control: lever)
        expectEqual(bench.snapshot(mirror).desired, .off)
        expectEqual(bench.snapshot(dependent).flags, .disabled)
    }

    @Test func aMenuLikeButtonIsShownWhileItIsHeld() {
        var panel = RuledPanel()
        let button = panel.add(
            ControlSettings(
                nature: .button, contacts: panel.lines(1, DebounceSettings.none),
                decoder: .button(ButtonSettings())))
        let mirror = panel.add(ControlSettings(nature: .mirror)) { $0.shows = ControlID(button) }
        let bench = panel.bench()
        _ = bench.start() + bench.edge(0, .active, 10)
        expectEqual(bench.snapshot(mirror).desired, .on)
        _ = bench.edge(0, .inactive, 20)
        expectEqual(bench.snapshot(mirror).desired, .off)
    }

    /// How far a confirmation is shows as well.
    @Test func showsTheProgressOfAConfirmation() {
        var panel = RuledPanel()
        let lamp = panel.lines(1)
        let button = panel.add(
            ControlSettings(
                nature: .button, contacts: panel.lines(1, DebounceSettings.none),
                decoder: .button(ButtonSettings()))
        ) { $0.confirm = .hold(.seconds(2)) }
        let mirror = panel.add(
            ControlSettings(nature: .mirror, indicator: IndicatorSettings(lines: lamp))
        ) { $0.shows = ControlID(button) }
        let bench = panel.bench()
        _ = bench.start() + bench.edge(1, .active, 10) + bench.run(1_100)
        expectEqual(bench.snapshot(button).progress, 5)
        expectEqual(bench.snapshot(mirror).progress, 5)
        _ = bench.edge(1, .inactive, 1_200)
        expectEqual(bench.snapshot(mirror).progress, 0)
    }
}
