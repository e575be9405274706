import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Lamps whose lines have levels: they are told how bright to be, and never switched for it.
@Suite struct LevelLampTests {
    private func adjusted(_ rig: LampRig) -> [String] { rig.told.filter { $0.contains("adjust") } }

    @Test func theStartTellsTheStrengthOfEachLine() {
        let rig = LampRig(brightness: [40, 100, 7], levels: [true, false, true])
        rig.send(.start, at: .zero)
        expectEqual(
            adjusted(rig),
            [
                "0 adjust l2 4000", "0 adjust l3 4000", "0 adjust l4 4000",
                "0 adjust l6 700",
            ])
        rig.send(.start, at: .zero)
        expectEqual(adjusted(rig).count, 4)
    }

    /// A dimmed lamp with levels is lit all the time, and costs no wake-up.
    @Test func aLampWithLevelsIsNotSwitched() {
        let rig = LampRig(brightness: [40, 40, 40], levels: [true, true, true])
        rig.send(.start, at: .zero)
        rig.send(.intent(ControlID(0), .on, .web), 1)
        rig.send(.actionFinished(ControlID(0), RunID(1), .succeeded), 3)
        rig.run(to: Instant(millisecond: 1_000))
        #expect(rig.lit[1] == .active && rig.lit[4] == .active)
        expectEqual(rig.run(to: Instant(millisecond: 9_000)), 0)
        let switched = LampRig(brightness: [40, 40, 40], levels: [false, true, true])
        switched.send(.start, at: .zero)
        switched.send(.intent(ControlID(0), .on, .web), 1)
        switched.send(.actionFinished(ControlID(0), RunID(1), .succeeded), 3)
        switched.run(to: Instant(millisecond: 1_000))
        expectEqual(switched.run(to: Instant(millisecond: 2_000)), 200)
    }

    /// The dial of the panel goes from -10 to 10.
    @Test func theDimmerAndTheLampTestAreStrengthsToo() {
        let rig = LampRig(
            brightness: [50, 100, 100], panel: LampRig.everything, levels: [true, false, false])
        rig.send(.start, at: .zero)
        for value in [0, -9, -10, 10] as [Int32] {
            rig.send(.intent(LampRig.dial, Value(value), .web), Int(value) + 100)
        }
        rig.send(.lampTest(isOn: true), 200)
        rig.send(.intent(LampRig.dial, Value(0), .web), 300)
        rig.send(.lampTest(isOn: false), 400)
        let strengths = adjusted(rig).filter { $0.contains(" l2 ") }.map {
            $0.split(separator: " ")[3]
        }
        expectEqual(
            strengths, ["5000", "2500", "250", "0", "5000", "10000", "10000", "2500"])
        // Dark only by the dimmer, but lit: the line itself stays as it is.
        expectEqual(
            rig.written.filter { $0.contains(" l2 ") }, ["200 lamp l2 on", "400 lamp l2 off"])
    }

    /// From -10 to 10: the output is told how strong it is before it is switched on.
    @Test func anOutputFollowsTheNumberOfADial() {
        let bench = Bench(
            lines: [nil],
            controls: [
                ControlSettings(
                    nature: .dial(NumberRange(minimum: -10, maximum: 10)),
                    startup: StartupSettings(rule: .value(Value(0))),
                    outputs: PlanRange(first: 0, count: 1))
            ])
        var told: [String] = []
        func send(_ event: Event, _ millisecond: Int) {
            for (effect, _) in bench.raw(event, at: Instant(millisecond: millisecond)) {
                let text = Words.text(effect)
                if text.hasPrefix("adjust") || text.hasPrefix("drive") { told.append(text) }
                guard case .drive(let line, let level) = effect else { continue }
                send(.outputWritten(line, level), millisecond)
            }
        }
        send(.start, 0)
        for (place, value) in [5, 5, -9, -10, 10].enumerated() {
            send(.intent(ControlID(0), Value(Int32(value)), .web), 10 + place)
        }
        expectEqual(
            told,
            [
                "adjust l0 5000", "drive l0 on", "adjust l0 7500", "adjust l0 500",
                "adjust l0 0", "drive l0 off", "adjust l0 10000", "drive l0 on",
            ])
    }

    @Test(
        arguments: [
            (0, 0, 100, 0), (1, 0, 100, 100), (100, 0, 100, 10_000), (200, 0, 100, 10_000),
            (1, 0, 100_000, 1), (0, -1, 2, 3_333), (7, 7, 7, 10_000),
            (Int32.max, Int32.min + 1, Int32.max, 10_000), (0, Int32.min + 1, Int32.max, 5_000),
        ] as [(Int32, Int32, Int32, UInt16)])
    func aNumberHasAStrength(value: Int32, low: Int32, high: Int32, share: UInt16) {
        let strength = Dimming.strength(of: value, from: low, to: high)
        expectEqual(strength, Strength(tenThousandths: share))
    }
}
