import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Dimmed lamps and lamp tests against a twin panel that has neither: whatever happens, a dimmed
/// lamp is the twin's lamp where a square wave of the clock is high, a tested one is lit, and
/// nothing but lamps notices.
@Suite struct DimmingTests {
    /// A plain square wave: lit for `share` microseconds of each 10,000, of the clock itself.
    static func isHigh(_ share: Int, at now: Instant) -> Bool {
        Int(now.nanoseconds / 1_000) % 10_000 < share
    }

    static func share(brightness: Int, dial: Int32) -> Int {
        let dimmer = Int(dial + 10) * 100 / 20
        return brightness * dimmer == 0 ? 0 : max(brightness * dimmer, 100)
    }

    @Test(arguments: TestLength.seeds(0..<60))
    func aDimmedPanelIsItsTwinTimesASquareWave(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let brightness = (0..<3).map { _ in [1, 7, 40, 99, 100][random.below(5)] as UInt8 }
        let rig = LampRig(brightness: brightness, panel: LampRig.everything)
        let twin = LampRig()
        for panel in [rig, twin] { panel.send(.start, at: .zero) }
        var now = Instant.zero
        var runs: UInt32 = 0
        var isTested = false
        for place in 0..<400 {
            // Most steps are short against the period of the wave.
            let step = random.chance(90) ? 3_000 : 900_000
            now = now + .microseconds(UInt64(1 + random.below(step)))
            for panel in [rig, twin] { panel.run(to: now) }
            if random.chance(30) {
                let event = LampRig.event(&random, run: &runs)
                if case .lampTest(let isOn, _) = event {
                    isTested = isOn
                } else {
                    twin.send(event, at: now)
                }
                rig.send(event, at: now)
            }
            let isHeld = rig.bench.snapshot(1).closedContacts != 0
            let dial = rig.bench.snapshot(2).desired.raw
            let expected = zip(twin.lit, [0, 0, 0, 1, 2]).map { level, lamp in
                let share = Self.share(brightness: Int(brightness[lamp]), dial: dial)
                let isLit = level == .active && Self.isHigh(share, at: now)
                return Level(isTested || isHeld || isLit)
            }
            let told = rig.told.filter { !$0.contains("lamp test") }
            guard rig.lit == expected, told == twin.told else {
                Issue.record("seed \(seed), step \(place), \(now.nanoseconds) ns: \(rig.lit)")
                return
            }
            for control in 0..<3 as Range<UInt16> {
                expectEqual(rig.bench.snapshot(control), twin.bench.snapshot(control))
            }
        }
        #expect(!rig.told.contains { $0.contains("lamp l") })
    }

    /// Two changes in each hundredth of a second, however many lamps are equally bright.
    @Test func equalLampsWakeTheProcessOnce() {
        for (brightness, wakes) in [([40, 40, 40] as [UInt8], 200), ([40, 40, 60], 300)] {
            let rig = LampRig(brightness: brightness)
            rig.send(.start, at: .zero)
            rig.send(.intent(ControlID(0), .on, .web), 1)
            rig.send(.edge(LineID(LampRig.testContact), .active, sequence: 0), 2)
            rig.send(.actionFinished(ControlID(0), RunID(1), .succeeded), 3)
            rig.run(to: Instant(millisecond: 1_000))
            expectEqual(rig.run(to: Instant(millisecond: 2_000)), wakes)
        }
    }

    /// Lamps that are dark, full on, or dimmed to nothing need no wave.
    @Test func fullAndDarkLampsCostNoWakeUp() {
        let dark = LampRig(brightness: [40, 40, 100])
        dark.send(.start, at: .zero)
        expectEqual(dark.lit, [.inactive, .inactive, .inactive, .inactive, .active])
        expectEqual(dark.bench.nextDeadline, .never)

        let rig = LampRig(brightness: [100, 100, 40], panel: LampRig.everything)
        rig.send(.start, at: .zero)
        expectEqual(rig.bench.nextDeadline, Instant(millisecond: 4))
        rig.send(.intent(LampRig.dial, Value(-10), .web), 1)
        #expect(rig.lit.allSatisfy { $0 == .inactive } && rig.bench.nextDeadline == .never)
        rig.send(.lampTest(isOn: true), 2)
        #expect(rig.lit.allSatisfy { $0 == .active } && rig.bench.nextDeadline == .never)
    }

    /// A process that slept through a thousand periods writes each lamp at most once.
    @Test func aLateCallCatchesNothingUp() {
        let rig = LampRig(brightness: [40, 40, 40])
        rig.send(.start, at: .zero)
        let before = rig.written.count
        rig.send(.tick, at: Instant(millisecond: 10_005))
        expectEqual(rig.written.count, before + 1, "dark since 10,004 ms")
        expectEqual(rig.lit[4], .inactive)
        expectEqual(rig.bench.nextDeadline, Instant(millisecond: 10_010))
    }

    @Test func remaindersAreThoseOfDivision() {
        var random = SplitMix(seed: 5)
        for _ in 0..<20_000 {
            let value = random.next() >> UInt64(random.below(64))
            let divisor = max(1, random.next() >> UInt64(random.below(64)))
            expectEqual(Pattern.remainder(value, divisor), value % divisor)
        }
        for value in [0, 1, .max] as [UInt64] {
            for divisor in [1, 2, 10_000_000, .max] as [UInt64] {
                expectEqual(Pattern.remainder(value, divisor), value % divisor)
            }
        }
    }

    @Test func hundredthsOfEveryRange() {
        var random = SplitMix(seed: 3)
        for _ in 0..<20_000 {
            let bits = UInt32(random.below(32))
            let low = Int32(truncatingIfNeeded: random.next()) >> Int32(bits)
            let high = Int32(truncatingIfNeeded: random.next()) >> Int32(bits)
            let value = Int32(truncatingIfNeeded: random.next()) >> Int32(bits)
            let held = Int64(min(max(value, low), max(low, high)))
            let expected =
                low < high ? (held - Int64(low)) * 100 / (Int64(high) - Int64(low)) : 100
            expectEqual(Int(Dimming.hundredths(of: value, from: low, to: high)), Int(expected))
        }
    }
}
