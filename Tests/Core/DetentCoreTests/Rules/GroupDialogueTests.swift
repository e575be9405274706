import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// A parent over its members: on, off or mixed.
@Suite struct GroupDialogueTests {
    /// A parent button (line 0) over three members, of which the last has an action.
    private static func house(
        _ last: ActionSettings = ActionSettings(timeout: .seconds(5)),
        when condition: [ConditionStep] = []
    ) -> (Bench, group: UInt16) {
        var panel = RuledPanel()
        let main = panel.toggle(startup: StartupSettings(rule: .value(.on)))
        let members = [panel.toggle(), panel.toggle(when: [.equal(main, .on)]), panel.toggle(last)]
        let group = panel.add(
            ControlSettings(
                nature: .group, contacts: panel.lines(1, DebounceSettings.none),
                decoder: .button(ButtonSettings()),
                indicator: IndicatorSettings(lines: panel.lines(1))),
            members: members)
        let bench = panel.bench()
        _ = bench.start()
        return (bench, group)
    }

    @Test func startsQuietlyAsItsMembersAre() {
        var panel = RuledPanel()
        let on = StartupSettings(rule: .value(.on))
        let members = [panel.toggle(startup: on), panel.toggle()]
        let inner = panel.add(ControlSettings(nature: .group), members: members)
        _ = panel.add(ControlSettings(nature: .group), members: [inner])
        expectEqual(
            panel.bench().start(),
            [
                "0 c0 changed 1 by startup", "0 c2 changed 2 by startup", "0 c2 flag mixed",
                "0 c3 changed 2 by startup", "0 c3 flag mixed",
            ])
    }

    @Test func aPressTurnsAllOnAndAnotherAllOff() {
        let (bench, group) = Self.house()
        _ = bench.finish(1, .succeeded, 5, control: 3)
        let pressed = bench.edge(0, .active, 10)
        expectEqual(
            Bench.of(group, pressed),
            [
                "10 pressed", "10 changed 1 by panel", "10 phase pending", "10 indicator steady",
            ])
        #expect(pressed.contains("10 start a0 r1 c3 1 after ? by control"))
        expectEqual(
            Bench.of(group, bench.finish(1, .succeeded, 60, control: 3)),
            [
                "60 phase idle", "60 confirmed 1", "60 no unconfirmed",
            ])
        _ = bench.edge(0, .inactive, 70)
        _ = bench.edge(0, .active, 80)
        expectEqual((1...3).map { bench.snapshot($0).desired }, [.off, .off, .off])
        expectEqual(bench.snapshot(group).desired, .off)
    }

    /// Mixed means that the next press turns all on.
    @Test func mixedIsShownAndEndsWithAllOn() {
        let (bench, group) = Self.house()
        expectEqual(
            Bench.of(group, bench.intent(.on, 10, control: 1)),
            [
                "10 changed 2 by control", "10 flag mixed", "10 indicator breathe",
            ])
        expectEqual(bench.snapshot(group).desired, .mixed)
        _ = bench.edge(0, .active, 20)
        expectEqual((1...3).map { bench.snapshot($0).desired }, [.on, .on, .on])
        #expect(!bench.snapshot(group).flags.contains(.mixed))
    }

    @Test func disabledMembersAreLeftAloneAndDoNotCount() {
        let (bench, group) = Self.house()
        _ = bench.intent(.on, 10, control: 2) + bench.intent(.off, 20, control: 0)
        expectEqual(bench.snapshot(group).desired, .off)
        expectEqual(bench.intent(.on, 30, control: group).count { $0.contains("refused") }, 0)
        expectEqual((1...3).map { bench.snapshot($0).desired }, [.on, .on, .on])
        _ = bench.intent(.off, 40, control: group)
        expectEqual((1...3).map { bench.snapshot($0).desired }, [.off, .on, .off])
        expectEqual(bench.snapshot(group).desired, .off)
        // Enabled again, it differs.
        _ = bench.intent(.on, 50, control: 0)
        expectEqual(bench.snapshot(group).desired, .mixed)
    }

    @Test func aGroupOfDisabledMembersIsDisabled() {
        var panel = RuledPanel()
        let main = panel.toggle()
        let members = (0..<2).map { _ in panel.toggle(when: [.equal(main, .on)]) }
        let group = panel.add(ControlSettings(nature: .group), members: members)
        let outer = panel.add(ControlSettings(nature: .group), members: [group])
        let bench = panel.bench()
        _ = bench.start()
        #expect(bench.snapshot(outer).flags.contains(.disabled))
        expectEqual(
            bench.intent(.on, 10, control: outer), ["10 c4 refused disabled by web"])
        _ = bench.intent(.on, 20)
        #expect(!bench.snapshot(outer).flags.contains(.disabled))
        _ = bench.intent(.on, 30, control: outer)
        expectEqual(members.map { bench.snapshot($0).actual }, [.on, .on])
        expectEqual(bench.snapshot(outer).actual, .on)
    }

    @Test func aGroupHasItsOwnCondition() {
        var panel = RuledPanel()
        let main = panel.toggle()
        let member = panel.toggle()
        let group = panel.add(
            ControlSettings(nature: .group), when: [.equal(main, .on)], members: [member])
        let bench = panel.bench()
        #expect(bench.start().contains("0 c2 flag disabled"))
        expectEqual(bench.intent(.on, 10, control: group), ["10 c2 refused disabled by web"])
        #expect(bench.intent(.on, 20, control: member).contains("20 c2 changed 1 by control"))
        #expect(bench.intent(.on, 30).contains("30 c2 no disabled"))
    }

    @Test func nestedGroupsAreSetAtOnceAndSummedUp() {
        var panel = RuledPanel()
        let first = panel.toggle()
        let second = panel.toggle()
        let inner = panel.add(ControlSettings(nature: .group), members: [first])
        let outer = panel.add(ControlSettings(nature: .group), members: [inner, second])
        let bench = panel.bench()
        _ = bench.start()
        expectEqual(
            bench.intent(.on, 10, control: outer),
            [
                "10 c0 changed 1 by control", "10 c0 confirmed 1",
                "10 c2 changed 1 by control", "10 c2 confirmed 1",
                "10 c1 changed 1 by control", "10 c1 confirmed 1",
                "10 c3 changed 1 by web", "10 c3 confirmed 1",
            ])
        expectEqual(
            bench.intent(.off, 20, control: first).suffix(5),
            [
                "20 c2 changed 0 by control", "20 c2 confirmed 0", "20 c3 changed 2 by control",
                "20 c3 confirmed 2", "20 c3 flag mixed",
            ])
    }

    @Test func aMemberThatFailsLeavesTheGroupMixedAndFailed() {
        let (bench, group) = Self.house()
        _ = bench.feedback(.off, 5, control: 3) + bench.edge(0, .active, 10)
        expectEqual(
            Bench.of(group, bench.finish(1, .failed(.exit(3)), 60, control: 3)),
            [
                "60 changed 2 by control", "60 phase failed: code 3", "60 flag mixed",
                "60 indicator flashBurst",
            ])
        expectEqual(bench.snapshot(group).actual, .mixed)
        // It shows no longer than the member's.
        let over = Bench.of(group, bench.run(10_000))
        expectEqual(over, ["3060 phase idle", "3060 indicator breathe"])
    }

    /// The phase is the worst of the members': failed, loading, pending, idle.
    @Test func thePhaseIsTheWorstOfTheMembers() {
        var panel = RuledPanel()
        let members = (0..<3).map { _ in panel.toggle(ActionSettings(timeout: .seconds(60))) }
        let group = panel.add(ControlSettings(nature: .group), members: members)
        let bench = panel.bench()
        _ = bench.start()
        var phases: [Phase] = []
        func note(_ log: [String]) { phases.append(bench.snapshot(group).phase) }
        note(bench.intent(.on, 0, control: 0))
        note(bench.run(200))
        note(bench.intent(.on, 300, control: 1))
        note(bench.finish(1, .succeeded, 310, control: 0))
        note(bench.intent(.on, 320, control: 2))
        note(bench.finish(3, .failed(.exit(1)), 330, control: 2))
        note(bench.finish(2, .succeeded, 340, control: 1))
        note(bench.run(4_000))
        expectEqual(
            phases,
            [
                .pending, .loading, .loading, .pending, .pending, .failed, .failed, .idle,
            ])
    }

    @Test func aSecondPressWhileAMemberIsSlow() {
        let (bench, group) = Self.house()
        _ = bench.edge(0, .active, 10) + bench.edge(0, .inactive, 20)
        _ = bench.edge(0, .active, 30)
        expectEqual(bench.snapshot(group).desired, .off)
        expectEqual(bench.snapshot(group).phase, .pending)
        let ended = bench.finish(1, .succeeded, 60, control: 3)
        #expect(ended.contains("60 start a0 r2 c3 0 after 1 by control"))
        _ = bench.finish(2, .succeeded, 90, control: 3)
        expectEqual(bench.snapshot(group).actual, .off)
        expectEqual(bench.snapshot(group).phase, .idle)
    }

    @Test func aMemberThatRefusesIsToldAndTheOthersMove() {
        let (bench, group) = Self.house(
            ActionSettings(timeout: .seconds(5), supersede: .ignore))
        _ = bench.intent(.on, 10, control: group)
        #expect(
            bench.intent(.off, 20, control: group).contains("20 c3 refused busy by control"))
        expectEqual((1...3).map { bench.snapshot($0).desired }, [.off, .off, .on])
        expectEqual(bench.snapshot(group).desired, .mixed)
    }

    /// A group is unknown where one of its members is, also when nothing else tells it.
    @Test func conditionsSeeAGroupBecomeUnknown() {
        var panel = RuledPanel()
        let slow = panel.toggle(ActionSettings(timeout: .seconds(9), onFailure: .keep))
        let failing = panel.toggle(ActionSettings(timeout: .seconds(9), onFailure: .keep))
        let group = panel.add(ControlSettings(nature: .group), members: [slow, failing])
        let fan = panel.toggle(when: [.equal(group, .on)])
        let bench = panel.bench()
        _ = bench.start()
        _ = bench.intent(.on, 10, control: group)
        _ =
            bench.finish(1, .succeeded, 20, control: slow)
            + bench.finish(2, .succeeded, 20, control: failing)
        #expect(!bench.snapshot(fan).flags.contains(.disabled))
        // One fails and shows it, though its device still is on.
        _ = bench.intent(.off, 30, control: slow) + bench.finish(3, .failed(.exit(1)), 40)
        expectEqual(bench.snapshot(group).phase, .failed)
        _ = bench.intent(.off, 50, control: failing)
        _ = bench.finish(4, .failed(.exit(1)), 60, control: failing)
        expectEqual(bench.snapshot(fan).flags, [])
        _ = bench.intent(.off, 70, control: failing)
        _ = bench.finish(5, .lost, 80, control: failing)
        expectEqual(bench.snapshot(group).actual, .unknown)
        #expect(bench.snapshot(group).flags.contains(.unconfirmed))
        expectEqual(bench.snapshot(fan).flags, .disabled)
    }

    @Test func mixedIsAValueThatConditionsRead() {
        var panel = RuledPanel()
        let members = [panel.toggle(), panel.toggle()]
        let group = panel.add(ControlSettings(nature: .group), members: members)
        let lamp = panel.add(
            ControlSettings(nature: .mirror), when: [.equal(group, .mixed)])
        let bench = panel.bench()
        _ = bench.start()
        expectEqual(
            bench.intent(.on, 10).suffix(2), ["10 c3 changed 1 by control", "10 c3 confirmed 1"])
        _ = bench.intent(.on, 20, control: 1)
        expectEqual(bench.snapshot(lamp).desired, .off)
    }

    @Test func aGroupTakesNeitherMixedNorAnEvent() {
        let (bench, group) = Self.house()
        expectEqual(bench.intent(.mixed, 10, control: group), ["10 c4 refused outOfRange by web"])
        expectEqual(bench.fire(group, 20), ["20 c4 refused unsupported by web"])
        expectEqual(bench.feedback(.on, 30, control: group), [])
        #expect(bench.counters.ignoredEvents > 0)
    }

    /// A lamp that follows others holds loading as long as the others' lamps do.
    @Test func loadingOfAGroupDoesNotFlicker() {
        let (bench, group) = Self.house()
        _ = bench.edge(0, .active, 0)
        _ = bench.run(155) + bench.finish(1, .succeeded, 160, control: 3)
        expectEqual(bench.snapshot(group).phase, .idle)
        expectEqual(bench.snapshot(group).pattern, .blink)
        _ = bench.run(449)
        expectEqual(bench.snapshot(group).pattern, .blink)
        _ = bench.run(450)
        expectEqual(bench.snapshot(group).pattern, .steady)
    }
}
