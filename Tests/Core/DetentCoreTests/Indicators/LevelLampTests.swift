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
}
