import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// A lever over its members: it sets all of them, and shows what they are.
@Suite struct MasterDialogueTests {
    /// A lever (line 0) over two members.
    private static func hall(
        _ mismatch: MismatchPolicy = .follow, level: Level = .inactive,
        _ change: (inout RelationSettings) -> Void = { _ in },
        when condition: (UInt16) -> [ConditionStep] = { _ in [] }
    ) -> (Bench, master: UInt16) {
        var panel = RuledPanel()
        let lines = panel.lines(1, DebounceSettings.none)
        let members = [panel.toggle(), panel.toggle()]
        let main = panel.toggle()
        let master = panel.add(
            ControlSettings(
                nature: .group, contacts: lines, decoder: .lever, mismatch: mismatch,
                indicator: IndicatorSettings(lines: panel.lines(1))),
            when: condition(main), members: members, change)
        let bench = panel.bench()
        _ = bench.edge(0, level, 0)
        _ = bench.start()
        return (bench, master)
    }

    private static func members(_ bench: Bench) -> [Value] {
        (0...1).map { bench.snapshot($0).desired }
    }

    @Test func aThrowSetsAllMembers() {
        let (bench, master) = Self.hall()
        expectEqual(
            Bench.of(master, bench.edge(0, .active, 10)),
            [
                "10 moved 1", "10 changed 1 by panel", "10 confirmed 1", "10 indicator steady",
            ])
        expectEqual(Self.members(bench), [.on, .on])
        _ = bench.edge(0, .inactive, 20)
        expectEqual(Self.members(bench), [.off, .off])
        expectEqual(bench.snapshot(master).flags, [])
    }

    /// No position of a lever says mixed, so that is no mismatch; all on under a lever at off is.
    @Test func itFollowsItsMembers() {
        let (bench, master) = Self.hall()
        expectEqual(
            Bench.of(master, bench.intent(.on, 10, control: 0)),
            [
                "10 changed 2 by control", "10 confirmed 2", "10 flag mixed",
                "10 indicator breathe",
            ])
        expectEqual(bench.snapshot(master).flags, .mixed)
        _ = bench.intent(.on, 20, control: 1)
        expectEqual(bench.snapshot(master).desired, .on)
        expectEqual(bench.snapshot(master).flags, .mismatch)
    }

    /// The position of the lever is believed when it moves, not when the panel starts.
    @Test func itStartsAsItsMembersAre() {
        let (bench, master) = Self.hall(level: .active)
        expectEqual(Self.members(bench), [.off, .off])
        expectEqual(bench.snapshot(master).desired, .off)
        expectEqual(bench.snapshot(master).flags, .mismatch)
    }

    @Test(
        arguments: [
            (MismatchPolicy.follow, [Value.on, .on]), (.toggle, [.on, .on]),
            (.catchUp, [.on, .off]), (.detached, [.on, .off]),
        ])
    func aThrowFromMixed(policy: MismatchPolicy, wanted: [Value]) {
        let (bench, _) = Self.hall(policy)
        _ = bench.intent(.on, 10, control: 0)
        _ = bench.edge(0, .active, 20)
        expectEqual(Self.members(bench), wanted)
    }

    @Test func aResyncSetsThemToThePosition() {
        let (bench, master) = Self.hall(level: .active)
        _ = bench.send(.resync(), 10)
        expectEqual(Self.members(bench), [.on, .on])
        expectEqual(bench.snapshot(master).flags, [])
    }

    @Test func enablingCanSetThemToThePosition() {
        let (bench, master) = Self.hall(
            .follow, { $0.onEnable = .follow }, when: { [.equal($0, .on)] })
        let refused = Bench.of(master, bench.edge(0, .active, 10))
        #expect(refused.contains("10 refused disabled by panel"))
        expectEqual(Self.members(bench), [.off, .off])
        _ = bench.intent(.on, 20, control: 2)
        expectEqual(Self.members(bench), [.on, .on])
    }
}
