import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Controls that others enable and disable.
@Suite struct ConditionDialogueTests {
    /// A main switch, and one that is enabled while the main one is on.
    private static func pair(
        main: ActionSettings? = nil, dependent: ActionSettings? = nil,
        startup: StartupSettings = StartupSettings(), onEnable: RelationSettings.OnEnable = .wait
    ) -> Bench {
        var panel = RuledPanel()
        let first = panel.toggle(main)
        _ = panel.toggle(
            dependent, lamp: true, startup: startup, when: [.equal(first, .on)]
        ) { $0.onEnable = onEnable }
        return panel.bench()
    }

    @Test func disabledFromTheStartAndRefusedUntilItIsEnabled() {
        let bench = Self.pair()
        expectEqual(
            bench.start(), ["0 c1 flag disabled", "0 c1 indicator slowWink", "0 lamp l0 on"])
        expectEqual(bench.intent(.on, 10, control: 1), ["10 c1 refused disabled by web"])
        expectEqual(bench.counters.refusedIntents, 1)
        expectEqual(
            bench.intent(.on, 20),
            [
                "20 c0 changed 1 by web", "20 c0 confirmed 1", "20 c1 no disabled",
                "20 c1 indicator off", "20 lamp l0 off",
            ])
        expectEqual(
            bench.intent(.on, 30, control: 1),
            [
                "30 c1 changed 1 by web", "30 c1 confirmed 1", "30 c1 indicator steady",
                "30 lamp l0 on",
            ])
    }

    /// Disabled in either state, and enabling is never a move.
    @Test func aControlThatIsOnStaysOnWhileDisabledAndAfter() {
        let bench = Self.pair()
        _ = bench.start() + bench.intent(.on, 10) + bench.intent(.on, 20, control: 1)
        expectEqual(
            Bench.of(1, bench.intent(.off, 30)), ["30 flag disabled", "30 indicator slowWink"])
        expectEqual(bench.snapshot(1).desired, .on)
        expectEqual(bench.intent(.off, 40, control: 1), ["40 c1 refused disabled by web"])
        expectEqual(
            Bench.of(1, bench.intent(.on, 50)), ["50 no disabled", "50 indicator steady"])
        expectEqual(bench.snapshot(1).desired, .on)
        expectEqual(bench.snapshot(1).actual, .on)
    }

    /// A condition reads what is confirmed, not what is asked for.
    @Test func whatIsInFlightDoesNotCountYet() {
        let bench = Self.pair(main: ActionSettings(timeout: .seconds(5)))
        _ = bench.start()
        expectEqual(Bench.of(1, bench.intent(.on, 10)), [])
        expectEqual(
            Bench.of(1, bench.finish(1, .succeeded, 60)), ["60 no disabled", "60 indicator off"])
        // Nobody knows what the main switch does now: unknown is not on.
        _ = bench.intent(.off, 100)
        expectEqual(
            Bench.of(1, bench.finish(2, .lost, 120)),
            [
                "120 flag disabled", "120 indicator slowWink",
            ]
        )
    }

    @Test func whatIsInFlightGoesOnWhenTheControlIsDisabled() {
        let bench = Self.pair(dependent: ActionSettings(timeout: .seconds(5)))
        _ = bench.start() + bench.intent(.on, 10) + bench.intent(.on, 20, control: 1)
        _ = bench.intent(.off, 30)
        expectEqual(bench.snapshot(1).phase, .pending)
        expectEqual(bench.intent(.off, 40, control: 1), ["40 c1 refused disabled by web"])
        expectEqual(
            bench.finish(1, .succeeded, 50, control: 1),
            [
                "50 c1 phase idle", "50 c1 confirmed 1", "50 c1 no unconfirmed",
            ])
        expectEqual(bench.snapshot(1).actual, .on)
        expectEqual(bench.snapshot(1).flags, .disabled)
    }

    @Test func nothingRunsWhileDisabledAtStart() {
        let startup = StartupSettings(rule: .value(.on), runsAction: true)
        let bench = Self.pair(dependent: ActionSettings(timeout: .seconds(5)), startup: startup)
        #expect(!bench.start().contains { $0.contains("start") && !$0.contains("startup") })
        // Enabled, it still waits for a touch.
        expectEqual(Bench.of(1, bench.intent(.on, 10)), ["10 no disabled", "10 indicator steady"])
        #expect(
            bench.intent(.on, 20, control: 1).contains("20 start a0 r1 c1 1 after ? by web"))
    }

    @Test func onEnableFollowMakesTheShownValueTrue() {
        let startup = StartupSettings(rule: .value(.on), runsAction: true)
        let bench = Self.pair(
            dependent: ActionSettings(timeout: .seconds(5)), startup: startup, onEnable: .follow)
        _ = bench.start()
        expectEqual(
            Bench.of(1, bench.intent(.on, 10)),
            [
                "10 no disabled", "10 indicator steady", "10 phase pending",
                "10 start a0 r1 1 after ? by control",
            ])
        _ = bench.finish(1, .succeeded, 20, control: 1)
        // What is confirmed needs no second action.
        _ = bench.intent(.off, 30)
        expectEqual(Bench.of(1, bench.intent(.on, 40)), ["40 no disabled", "40 indicator steady"])
    }

    /// The position is tracked all the while, and taken where the panel file says so.
    @Test(
        arguments: [RelationSettings.OnEnable.wait, .follow], [MismatchPolicy.follow, .detached])
    func leversAreTrackedWhileDisabled(
        onEnable: RelationSettings.OnEnable, mismatch: MismatchPolicy
    ) {
        var panel = RuledPanel()
        let main = panel.toggle()
        let lever = panel.add(
            ControlSettings(
                nature: .onOff(latch: .toggle), contacts: panel.lines(1, DebounceSettings.none),
                decoder: .lever, mismatch: mismatch, startup: StartupSettings(rule: .panel)),
            when: [.equal(main, .on)]
        ) { $0.onEnable = onEnable }
        let bench = panel.bench()
        _ = bench.start()
        let moved = Bench.of(lever, bench.edge(0, .active, 10))
        expectEqual(bench.snapshot(lever).position, .on)
        expectEqual(bench.snapshot(lever).desired, .off)
        switch mismatch {
        case .follow:
            expectEqual(
                moved, ["10 moved 1", "10 refused disabled by panel", "10 flag mismatch"])
        case .detached, .toggle, .catchUp:
            expectEqual(moved, ["10 moved 1"])
        }
        let enabled = Bench.of(lever, bench.intent(.on, 20))
        let follows = onEnable == .follow && mismatch == .follow
        expectEqual(
            enabled,
            (follows
                ? [
                    "20 no disabled", "20 changed 1 by panel", "20 confirmed 1",
                    "20 no mismatch",
                ]
                : ["20 no disabled"]))
        expectEqual(bench.snapshot(lever).desired, (follows ? .on : .off))
    }

    @Test func selectorsFollowTheirPositionWhenEnabled() {
        var panel = RuledPanel()
        let main = panel.toggle()
        let selector = panel.add(
            ControlSettings(
                nature: .choice(of: 3), contacts: panel.lines(3, DebounceSettings.none),
                decoder: .selector(SelectorSettings(positions: 3)),
                startup: StartupSettings(rule: .panel)),
            when: [.equal(main, .on)]
        ) { $0.onEnable = .follow }
        let bench = panel.bench()
        _ = bench.send(.reading(LineID(0), .active), 0) + bench.start()
        _ = bench.edge(0, .inactive, 10) + bench.edge(2, .active, 20)
        expectEqual(
            Bench.of(selector, bench.run(100)),
            [
                "50 moved 2", "50 refused disabled by panel", "50 flag mismatch",
            ])
        expectEqual(
            Bench.of(selector, bench.intent(.on, 200)),
            [
                "200 no disabled", "200 changed 2 by panel", "200 confirmed 2", "200 no mismatch",
            ])
    }

    /// Those that others depend on start first, wherever they stand in the file.
    @Test func sourcesStartBeforeThoseThatDependOnThem() {
        var panel = RuledPanel()
        let on = StartupSettings(rule: .value(.on), runsAction: true)
        _ = panel.toggle(
            ActionSettings(timeout: .seconds(5)), startup: on, when: [.equal(1, .on)])
        _ = panel.toggle(startup: on)
        let bench = panel.bench()
        let log = bench.start()
        expectEqual(
            log,
            [
                "0 c1 changed 1 by startup", "0 c0 changed 1 by startup", "0 c0 phase pending",
                "0 c0 flag unconfirmed", "0 start a0 r1 c0 1 after ? by startup",
            ])
    }

    /// What starts late is looked at when it starts.
    @Test func aDelayedStartLooksAtItsConditionThen() {
        for isOn in [false, true] {
            let startup = StartupSettings(
                rule: .value(.on), runsAction: true, delay: .milliseconds(500))
            let bench = Self.pair(dependent: ActionSettings(timeout: .seconds(5)), startup: startup)
            _ = bench.start()
            if isOn { _ = bench.intent(.on, 10) }
            let begun = bench.run(1_000).filter { $0.contains("start a") }
            expectEqual(begun, (isOn ? ["500 start a0 r1 c1 1 after ? by startup"] : []))
        }
    }

    /// A press that was accepted ends with its release, whatever came between.
    @Test(arguments: [Latch.momentary, .tapOrHold(within: .milliseconds(200))])
    func aReleaseEndsWhatItsPressBegan(latch: Latch) {
        var panel = RuledPanel()
        let main = panel.toggle()
        let horn = panel.add(
            ControlSettings(
                nature: .onOff(latch: latch), contacts: panel.lines(1, DebounceSettings.none),
                decoder: .button(ButtonSettings())),
            when: [.equal(main, .on)])
        let bench = panel.bench()
        _ = bench.start() + bench.intent(.on, 10) + bench.edge(0, .active, 20)
        expectEqual(bench.snapshot(horn).desired, .on)
        _ = bench.intent(.off, 30)
        expectEqual(
            Bench.of(horn, bench.edge(0, .inactive, 900)).suffix(3),
            [
                "900 clicked", "900 changed 0 by panel", "900 confirmed 0",
            ])
        // A press that was refused has nothing to end.
        expectEqual(
            Bench.of(horn, bench.edge(0, .active, 1_000)),
            [
                "1000 pressed", "1000 refused disabled by panel",
            ])
        expectEqual(bench.snapshot(horn).desired, .off)
    }

    /// Its release counts even where a busy action makes others wait in vain.
    @Test func aReleaseIsNotIgnoredWhileThePressIsInFlight() {
        var panel = RuledPanel()
        let action = panel.action(ActionSettings(timeout: .seconds(5), supersede: .ignore))
        let horn = panel.add(
            ControlSettings(
                nature: .onOff(latch: .momentary), contacts: panel.lines(1, DebounceSettings.none),
                decoder: .button(ButtonSettings()), actions: .any(action)))
        let bench = panel.bench()
        _ = bench.start() + bench.edge(0, .active, 10) + bench.edge(0, .inactive, 20)
        expectEqual(bench.intent(.on, 30), ["30 c0 changed 1 by web"])
        expectEqual(bench.snapshot(horn).desired, .on)
        _ = bench.edge(0, .active, 40) + bench.edge(0, .inactive, 50)
        #expect(
            bench.finish(1, .succeeded, 60).contains("60 start a0 r2 c0 0 after 1 by panel"))
    }
}
