import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Members that are staged together, and applied or dropped together.
@Suite struct FormDialogueTests {
    static let main: UInt16 = 0
    static let first: UInt16 = 1
    static let second: UInt16 = 2
    static let dial: UInt16 = 3
    static let form: UInt16 = 4
    static let apply: UInt16 = 5
    static let cancel: UInt16 = 6

    /// Two on/off members with an action each, of which the second needs the main switch; a dial;
    /// a form with its two buttons (lines 1 and 2). Line 0 is the first member's button.
    private static func form(
        _ settings: ActionSettings = ActionSettings(timeout: .seconds(5))
    ) -> Bench {
        var panel = RuledPanel()
        let button = panel.lines(1, DebounceSettings.none)
        let buttons = panel.lines(2, DebounceSettings.none)
        let member = ControlID(Self.form)
        let main = panel.toggle(startup: StartupSettings(rule: .value(.on)))
        let action = panel.action(settings)
        let first = panel.add(
            ControlSettings(
                nature: .onOff(latch: .toggle), contacts: button,
                decoder: .button(ButtonSettings()), actions: .any(action),
                indicator: IndicatorSettings(lines: panel.lines(1)))
        ) { $0.form = .member(of: member) }
        let second = panel.toggle(settings, when: [.equal(main, .on)]) {
            $0.form = .member(of: member)
        }
        let dial = panel.add(
            ControlSettings(nature: .dial(NumberRange(minimum: 0, maximum: 9)))
        ) { $0.form = .member(of: member) }
        _ = panel.add(ControlSettings(nature: .form), members: [first, second, dial])
        for (place, role) in [RelationSettings.FormRole.apply(member), .cancel(member)].enumerated()
        {
            _ = panel.add(
                ControlSettings(
                    nature: .button,
                    contacts: PlanRange(first: buttons.first + UInt16(place), count: 1),
                    decoder: .button(ButtonSettings()))
            ) { $0.form = role }
        }
        let bench = panel.bench()
        _ = bench.start() + bench.answerAll()
        return bench
    }

    @Test func startsWithoutAWordOfFormsAndButtons() {
        var panel = RuledPanel()
        let member = panel.toggle { $0.form = .member(of: ControlID(1)) }
        _ = panel.add(ControlSettings(nature: .form), members: [member])
        _ = panel.add(ControlSettings(nature: .button)) { $0.form = .apply(ControlID(1)) }
        expectEqual(panel.bench().start(), [])
    }

    @Test func stagedChangesNothingButTheLampUntilApplied() {
        let bench = Self.form()
        expectEqual(
            bench.edge(0, .active, 10),
            [
                "10 c1 pressed", "10 c1 staged 1", "10 c1 indicator steady", "10 lamp l3 on",
                "10 c4 changed 1 by control", "10 c4 confirmed 1",
            ])
        let staged = bench.snapshot(Self.first)
        expectEqual(staged.desired, .off)
        expectEqual(staged.staged, .on)
        _ = bench.edge(0, .inactive, 20)
        expectEqual(
            bench.intent(Value(7), 30, control: Self.dial), ["30 c3 staged 7"])
        let applied = bench.edge(1, .active, 40)
        #expect(applied.contains("40 c1 changed 1 by control"))
        #expect(applied.contains("40 c3 changed 7 by control"))
        expectEqual(applied.count { $0.hasSuffix("staged ?") }, 2)
        #expect(applied.contains("40 start a0 r1 c1 1 after 0 by control"))
        expectEqual(
            Bench.of(Self.form, applied),
            [
                "40 changed 0 by panel", "40 phase pending", "40 confirmed 0",
            ])
        // The button shows how far the form is.
        expectEqual(Bench.of(Self.apply, applied), ["40 pressed", "40 phase pending"])
        let ended = bench.finish(1, .succeeded, 90, control: Self.first)
        expectEqual(Bench.of(Self.form, ended), ["90 phase idle"])
        #expect(Bench.of(Self.apply, ended).contains("90 phase idle"))
    }

    @Test func stagedBackToTheSameIsNothingStaged() {
        let bench = Self.form()
        _ = bench.edge(0, .active, 10) + bench.edge(0, .inactive, 20)
        expectEqual(
            bench.edge(0, .active, 30),
            [
                "30 c1 pressed", "30 c1 staged ?", "30 c1 indicator off", "30 lamp l3 off",
                "30 c4 changed 0 by control", "30 c4 confirmed 0",
            ])
        #expect(!bench.edge(1, .active, 40).contains { $0.contains("start") })
    }

    @Test func cancelDropsWhatIsStaged() {
        let bench = Self.form()
        _ = bench.edge(0, .active, 10) + bench.intent(Value(3), 20, control: Self.dial)
        let cancelled = bench.edge(2, .active, 30)
        expectEqual(cancelled.count { $0.hasSuffix("staged ?") }, 2)
        #expect(cancelled.contains("30 lamp l3 off"))
        expectEqual(cancelled.suffix(2), ["30 c4 changed 0 by control", "30 c4 confirmed 0"])
        expectEqual(bench.snapshot(Self.first).desired, .off)
        expectEqual(bench.snapshot(Self.dial).desired, Value(0))
    }

    @Test func remotesApplyAndCancelToo() {
        let bench = Self.form()
        _ = bench.intent(.on, 10, control: Self.first)
        let cancelled = bench.fire(Self.cancel, 20)
        #expect(cancelled.contains("20 c1 staged ?"))
        expectEqual(cancelled.first, "20 c\(Self.cancel) chosen 1 by web", "it is told who did it")
        _ = bench.intent(Value(5), 30, control: Self.dial)
        let applied = bench.fire(Self.apply, 40)
        #expect(applied.contains("40 c3 confirmed 5"))
        expectEqual(applied.first, "40 c\(Self.apply) chosen 1 by web")
        expectEqual(bench.snapshot(Self.form).desired, .off)
    }

    @Test func oneThatFailsRevertsAndTheOthersStay() {
        let bench = Self.form()
        _ = bench.intent(.on, 10, control: Self.first) + bench.intent(.on, 20, control: Self.second)
        _ = bench.intent(Value(5), 25, control: Self.dial)
        _ = bench.fire(Self.apply, 30)
        _ = bench.finish(1, .succeeded, 40, control: Self.first)
        let failed = bench.finish(2, .failed(.exit(1)), 50, control: Self.second)
        expectEqual(Bench.of(Self.form, failed), ["50 phase failed: code 1"])
        expectEqual(Bench.of(Self.apply, failed), ["50 phase failed: code 1"])
        expectEqual(bench.snapshot(Self.first).actual, .on)
        expectEqual(bench.snapshot(Self.second).desired, .off)
        expectEqual(bench.snapshot(Self.dial).actual, Value(5))
        expectEqual(Bench.of(Self.form, bench.run(10_000)), ["3050 phase idle"])
    }

    /// Nothing that was staged is lost to a member that cannot take it now.
    @Test func aDisabledMemberKeepsWhatIsStaged() {
        let bench = Self.form()
        _ = bench.intent(.on, 10, control: Self.first) + bench.intent(.on, 20, control: Self.second)
        _ = bench.intent(.off, 30, control: Self.main)
        let apply = ControlID(Self.apply)
        let effects = bench.raw(
            .fire(apply, .on, .web, isConfirmed: false, request: RequestID(9)),
            at: Instant(millisecond: 40))
        let applied = effects.map { Words.line($0.0, $0.1) }
        #expect(applied.contains("40 c2 refused disabled by control"))
        #expect(effects.contains { $0.0 == .answer(RequestID(9), apply, .refused(.disabled)) })
        expectEqual(bench.snapshot(Self.first).desired, .on)
        expectEqual(bench.snapshot(Self.second).staged, .on)
        expectEqual(bench.snapshot(Self.form).desired, .on)
        _ = bench.intent(.on, 50, control: Self.main)
        #expect(bench.fire(Self.apply, 60).contains("60 c2 changed 1 by control"))
        expectEqual(bench.snapshot(Self.form).desired, .off)
    }

    /// What the device does by itself needs no apply.
    @Test func feedbackMayMakeTrueWhatIsStaged() {
        let bench = Self.form()
        _ = bench.intent(.on, 10, control: Self.first)
        expectEqual(
            bench.feedback(.on, 20, control: Self.first),
            [
                "20 c1 changed 1 by device", "20 c1 confirmed 1", "20 c1 staged ?",
                "20 c4 changed 0 by control", "20 c4 confirmed 0",
            ])
        // Away from what is staged, it stays staged.
        _ = bench.intent(Value(4), 30, control: Self.dial)
        _ = bench.feedback(Value(2), 40, control: Self.dial)
        expectEqual(bench.snapshot(Self.dial).staged, Value(4))
    }

    @Test func aDisabledFormTakesNothing() {
        var panel = RuledPanel()
        let main = panel.toggle()
        let member = panel.toggle { $0.form = .member(of: ControlID(2)) }
        let form = panel.add(
            ControlSettings(nature: .form), when: [.equal(main, .on)], members: [member])
        let apply = panel.add(ControlSettings(nature: .button)) {
            $0.form = .apply(ControlID(form))
        }
        let bench = panel.bench()
        _ = bench.start()
        expectEqual(bench.intent(.on, 10, control: member), ["10 c1 refused disabled by web"])
        expectEqual(bench.fire(apply, 20), ["20 c3 refused disabled by web"])
        _ = bench.intent(.on, 30)
        _ = bench.intent(.on, 40, control: member) + bench.intent(.off, 50)
        expectEqual(bench.fire(apply, 60), ["60 c3 refused disabled by web"])
        expectEqual(bench.snapshot(member).staged, .on)
    }

    /// An output follows what is applied, and so does an indicator's.
    @Test func outputsDoNotFollowWhatIsStaged() {
        var panel = RuledPanel()
        let outputs = panel.lines(2)
        let member = panel.add(
            ControlSettings(
                nature: .onOff(latch: .toggle), outputs: PlanRange(first: 0, count: 1))
        ) { $0.form = .member(of: ControlID(1)) }
        _ = panel.add(ControlSettings(nature: .form), members: [member])
        _ = panel.add(
            ControlSettings(nature: .mirror, outputs: PlanRange(first: 1, count: 1))
        ) { $0.shows = ControlID(member) }
        let apply = panel.add(ControlSettings(nature: .button)) { $0.form = .apply(ControlID(1)) }
        let bench = panel.bench()
        _ = bench.start()
        #expect(!bench.intent(.on, 10).contains { $0.contains("drive") })
        let driven = bench.fire(apply, 20).filter { $0.contains("drive") }
        expectEqual(driven, ["20 drive l0 on", "20 drive l1 on"])
        expectEqual(outputs.count, 2)
    }
}

extension Bench {
    /// The devices of the members tell that they are off.
    fileprivate func answerAll() -> [String] {
        feedback(.off, 0, control: FormDialogueTests.first)
            + feedback(.off, 0, control: FormDialogueTests.second)
    }
}
