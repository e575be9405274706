import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Values that return by themselves: the longest time on, and overrides that expire.
@Suite struct ReturnDialogueTests {
    private static func bench(
        _ start: ReturnSettings.Start, _ settings: ActionSettings? = nil,
        startup: StartupSettings = StartupSettings(), when isConditional: Bool = false
    ) -> Bench {
        var panel = RuledPanel()
        _ = panel.toggle(
            settings, startup: startup, when: isConditional ? [.equal(1, .on)] : []
        ) { $0.returning = ReturnSettings(to: .off, after: .seconds(10), from: start) }
        if isConditional { _ = panel.toggle(startup: StartupSettings(rule: .value(.on))) }
        let bench = panel.bench()
        _ = bench.start()
        return bench
    }

    private static let off = ["changed 0 by control", "confirmed 0"]

    @Test func theLongestTimeOnCountsFromTurningOn() {
        let bench = Self.bench(.leaving)
        _ = bench.intent(.on, 1_000)
        // A further intent does not prolong it.
        expectEqual(bench.intent(.on, 5_000), [])
        expectEqual(bench.run(10_999), [])
        expectEqual(bench.run(11_000), Self.off.map { "11000 c0 " + $0 })
        expectEqual(bench.nextDeadline, .never)
        // Turned off by hand, it begins anew the next time.
        _ = bench.intent(.on, 20_000) + bench.intent(.off, 25_000) + bench.intent(.on, 26_000)
        expectEqual(bench.run(35_999), [])
        expectEqual(bench.run(36_000).count, 2)
    }

    @Test func anOverrideExpiresAfterTheLastIntent() {
        let bench = Self.bench(.lastIntent)
        _ = bench.intent(.on, 1_000) + bench.intent(.on, 5_000)
        expectEqual(bench.run(14_999), [])
        expectEqual(bench.run(15_000), Self.off.map { "15000 c0 " + $0 })
        expectEqual(bench.nextDeadline, .never)
    }

    /// A refused intent prolongs nothing.
    @Test func whatIsRefusedDoesNotProlong() {
        let bench = Self.bench(.lastIntent, when: true)
        _ = bench.intent(.on, 1_000) + bench.intent(.off, 2_000, control: 1)
        expectEqual(bench.intent(.on, 5_000), ["5000 c0 refused disabled by web"])
        // That it is disabled does not keep it on.
        expectEqual(bench.run(11_000), Self.off.map { "11000 c0 " + $0 })
    }

    @Test(arguments: [ReturnSettings.Start.leaving, .lastIntent])
    func aValueThatTheDeviceTellsReturnsToo(start: ReturnSettings.Start) {
        let bench = Self.bench(start)
        _ = bench.feedback(.on, 1_000)
        expectEqual(bench.run(11_000), Self.off.map { "11000 c0 " + $0 })
    }

    @Test func onFromTheStartCountsFromThere() {
        let bench = Self.bench(.leaving, startup: StartupSettings(rule: .value(.on)))
        expectEqual(bench.run(10_000), Self.off.map { "10000 c0 " + $0 })
    }

    /// An off that fails is shown, and tried again after as long a time.
    @Test func aReturnThatFailsIsTriedAgain() {
        let bench = Self.bench(.leaving, ActionSettings(timeout: .seconds(1)))
        _ = bench.intent(.on, 0) + bench.finish(1, .succeeded, 100)
        expectEqual(bench.run(10_000).last, "10000 start a0 r2 c0 0 after 1 by control")
        expectEqual(
            bench.finish(2, .failed(.exit(1)), 10_100),
            [
                "10100 c0 changed 1 by device", "10100 c0 phase failed: code 1",
            ])
        expectEqual(bench.run(20_100).last, "20100 start a0 r3 c0 0 after 1 by control")
    }

    /// A busy action makes it wait, not give up: the time on was over.
    @Test func aReturnIsNotIgnoredWhileAnActionRuns() {
        let bench = Self.bench(
            .leaving, ActionSettings(timeout: .seconds(60), supersede: .ignore))
        _ = bench.intent(.on, 0)
        expectEqual(bench.run(10_000).last, "10000 c0 changed 0 by control")
        expectEqual(
            bench.finish(1, .succeeded, 12_000).last, "12000 start a0 r2 c0 0 after 1 by control")
    }

    @Test func aGroupReturnsWithItsMembers() {
        var panel = RuledPanel()
        let members = [panel.toggle(), panel.toggle()]
        let group = panel.add(ControlSettings(nature: .group), members: members) {
            $0.returning = ReturnSettings(to: .off, after: .seconds(10), from: .leaving)
        }
        let bench = panel.bench()
        _ = bench.start() + bench.intent(.on, 1_000, control: members[0])
        _ = bench.run(11_000)
        expectEqual(bench.snapshot(members[0]).desired, .off)
        expectEqual(bench.snapshot(group).desired, .off)
        expectEqual(bench.nextDeadline, .never)
    }

    /// A return that fails for ever does not keep a late call busy for ever.
    @Test func aClockThatJumpsFarIsBounded() {
        let bench = Self.bench(.leaving, ActionSettings(timeout: .milliseconds(1)))
        _ = bench.intent(.on, 0)
        _ = bench.send(.actionFinished(ControlID(0), RunID(1), .succeeded), at: .zero)
        // The revert's attempt times out too, but the shown value is on.
        let log = bench.send(.tick, at: Instant(nanoseconds: .max - 1))
        #expect(log.count < 100_000)
        expectEqual(bench.nextDeadline, .never)
    }
}
