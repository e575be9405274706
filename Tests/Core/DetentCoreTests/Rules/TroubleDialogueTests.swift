import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Conditions on all controls, and on the broker.
@Suite struct TroubleDialogueTests {
    private static let alarms: [[ConditionStep]] = [
        [.any(.failed)], [.any(.fault)], [.any(.mismatch)], [.brokerIsOffline],
        [.any(.failed), .brokerIsOffline, .or, .not],
    ]

    /// A lever with an action (0), a button with one (1), and an indicator for each alarm.
    private static func bench() -> Bench {
        var panel = RuledPanel()
        let contacts = panel.lines(2, DebounceSettings.none)
        _ = panel.add(
            ControlSettings(
                nature: .onOff(latch: .toggle),
                contacts: PlanRange(first: contacts.first, count: 1),
                decoder: .lever, startup: StartupSettings(rule: .value(.off)),
                actions: .any(panel.action())))
        _ = panel.add(
            ControlSettings(
                nature: .button, contacts: PlanRange(first: contacts.first + 1, count: 1),
                decoder: .button(ButtonSettings()), actions: .any(panel.action())))
        for alarm in alarms { _ = panel.add(ControlSettings(nature: .mirror), when: alarm) }
        let bench = panel.bench()
        _ = bench.start()
        return bench
    }

    /// Which alarms are lit.
    private static func lit(_ bench: Bench) -> [Int] {
        alarms.indices.filter { bench.snapshot(UInt16(2 + $0)).desired == .on }
    }

    @Test func eachTroubleIsSeenAndItsEnd() {
        let bench = Self.bench()
        expectEqual(Self.lit(bench), [4])
        // A device that fails leaves its lever in another position.
        _ = bench.edge(0, .active, 10)
        expectEqual(Self.lit(bench), [4])
        _ = bench.finish(1, .failed(.exit(1)), 20, control: 0)
        expectEqual(Self.lit(bench), [0, 2])
        _ = bench.run(5_000)
        expectEqual(Self.lit(bench), [2, 4])
        _ = bench.edge(0, .inactive, 6_000) + bench.finish(2, .succeeded, 6_010, control: 0)
        expectEqual(Self.lit(bench), [4])
        // A button has no value, and can fail.
        _ = bench.edge(1, .active, 7_000) + bench.edge(1, .inactive, 7_010)
        _ = bench.finish(3, .failed(.exit(1)), 7_020, control: 1)
        expectEqual(Self.lit(bench), [0])
        _ = bench.run(12_000)
        expectEqual(Self.lit(bench), [4])
        _ = bench.send(.lineFault(LineID(1)), 13_000)
        expectEqual(Self.lit(bench), [1, 4])
        _ = bench.send(.lineRestored(LineID(1)), 14_000)
        expectEqual(Self.lit(bench), [4])
    }

    @Test func theBrokerGoesAndComesBack() {
        let bench = Self.bench()
        for isOffline in [true, true, false, false, true] {
            let log = bench.send(.broker(isOffline: isOffline), 10)
            expectEqual(Self.lit(bench), isOffline ? [3] : [4], "\(log)")
        }
        // What it told is told once.
        expectEqual(bench.send(.broker(isOffline: true), 20), [])
    }

    /// Before the start it is known already.
    @Test func aPanelCanStartWithoutItsBroker() {
        var panel = RuledPanel()
        let lamp = panel.add(ControlSettings(nature: .mirror), when: [.brokerIsOffline])
        let bench = panel.bench()
        _ = bench.send(.broker(isOffline: true), 0)
        _ = bench.start()
        expectEqual(bench.snapshot(lamp).desired, .on)
    }

    /// The trouble of the control that asks is its own, also where others repeat it.
    @Test func whoAsksDoesNotCount() {
        var panel = RuledPanel()
        let asker = panel.toggle(
            ActionSettings(timeout: .seconds(5)), when: [.any(.failed), .not])
        let mirror = panel.add(ControlSettings(nature: .mirror)) { $0.shows = ControlID(asker) }
        let group = panel.add(ControlSettings(nature: .group), members: [asker])
        let other = panel.toggle(ActionSettings(timeout: .seconds(5)))
        let bench = panel.bench()
        _ = bench.start()
        _ = bench.intent(.on, 10, control: asker)
        _ = bench.finish(1, .failed(.exit(1)), 20, control: asker)
        for control in [asker, mirror, group] {
            expectEqual(bench.snapshot(control).phase, .failed)
            #expect(!bench.snapshot(control).flags.contains(.disabled))
        }
        _ = bench.intent(.on, 30, control: other)
        _ = bench.finish(2, .failed(.exit(1)), 40, control: other)
        #expect(bench.snapshot(asker).flags.contains(.disabled))
        _ = bench.run(10_000)
        #expect(!bench.snapshot(asker).flags.contains(.disabled))
    }

    /// Two that look at all controls look at each other, and come to rest.
    @Test func twoThatAskEachOtherRest() {
        var panel = RuledPanel()
        let contacts = panel.lines(2, DebounceSettings.none)
        let levers = (0..<2).map { place in
            panel.add(
                ControlSettings(
                    nature: .onOff(latch: .toggle),
                    contacts: PlanRange(first: contacts.first + UInt16(place), count: 1),
                    decoder: .lever, startup: StartupSettings(rule: .value(.off)),
                    actions: .any(panel.action())),
                when: [.any(.mismatch), .not]
            ) { $0.onEnable = .follow }
        }
        let bench = panel.bench()
        _ = bench.start()
        _ = bench.edge(0, .active, 10)
        _ = bench.finish(1, .failed(.exit(1)), 20, control: levers[0])
        #expect(bench.snapshot(levers[1]).flags.contains(.disabled))
        _ = bench.edge(1, .active, 30) + bench.run(10_000)
        #expect(bench.snapshot(levers[0]).flags.contains([.mismatch, .disabled]))
        _ = bench.edge(0, .inactive, 11_000)
        #expect(!bench.snapshot(levers[1]).flags.contains(.disabled))
        expectEqual(bench.snapshot(levers[1]).desired, .on, "it takes its position")
    }
}
