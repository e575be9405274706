import DetentHAL
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentDevices

/// Chips of pulses: what is written, on which thread, and when they do not answer.
@Suite struct PulseTests {
    @Test func aChannelIsPreparedAndWrittenOnItsThread() {
        let pulses = FakePulses("written")
        pulses.add("pwmchip0", place: "1-0040")
        let bench = LevelBench(nil, pulses)
        expectEqual(bench.backend.open([FakePulses.line(0, "pca9685", 1)]), [])
        expectEqual(pulses.take("pwmchip0/pwm1/period"), "1000000")
        expectEqual(pulses.take("pwmchip0/pwm1/enable"), "1")
        expectEqual(pulses.take("pwmchip0/pwm1/duty_cycle"), "0")
        expectEqual(bench.backend.deadline, .never)
        bench.backend.adjust(LineID(0), to: Strength(tenThousandths: 2_500), now: .zero)
        #expect(bench.backend.write(LineID(0), .active, now: .zero) == nil)
        #expect(bench.waits(for: .written(.active)))
        expectEqual(pulses.take("pwmchip0/pwm1/duty_cycle"), "250000")
        expectEqual(bench.backend.deadline, .never)
        expectEqual(
            bench.backend.places.map(\.file), ["\(pulses.root)/pwmchip0/pwm1/duty_cycle"])
        expectEqual(bench.backend.places.map(\.active), ["1000000"])
        bench.backend.close()
        expectEqual(pulses.take("pwmchip0/pwm1/duty_cycle"), "0")
        #expect(bench.events == [.written(.active)])
    }

    @Test func chipsAreNamedInThreeWays() throws {
        let pulses = FakePulses("names")
        pulses.add("pwmchip0", place: "1-0040")
        pulses.add("pwmchip4", place: "1-0041", channels: 1)
        pulses.add("pwmchip8", name: "other", place: "1-0042", channels: 0)
        let inventory = PWMInventory.scan(pulses.root)
        expectEqual(inventory.records.map(inventory.ownName), ["1-0040", "1-0041", "other"])
        let lines = [
            FakePulses.line(0, "pca9685", 0), FakePulses.line(1, "1-0041", 0),
            FakePulses.line(2, "pwmchip0", 0), FakePulses.line(3, "pca9686", 0),
            FakePulses.line(4, "1-0040", 2),
        ]
        expectEqual(
            lines.map { inventory.problem(of: $0)?.cause },
            [
                "2 PWM chips are called \"pca9685\"", nil, nil,
                "no PWM chip is called \"pca9686\"", "\"1-0040\" has no channel 2",
            ])
        expectEqual(
            inventory.problem(of: lines[0])?.remedy,
            "write `chip: \"1-0040\"` or `chip: \"1-0041\"`")
        expectEqual(inventory.problem(of: lines[4])?.remedy, "it has 0 to 1")
        let none = PWMInventory.scan("/nowhere").problem(of: lines[0])
        #expect(none?.remedy.contains("dtoverlay=pwm") == true)
    }

    @Test func aChipThatDoesNotAnswerIsAFaultAndStopsNoOther() {
        let pulses = FakePulses("stuck")
        pulses.add("pwmchip0", place: "1-0040")
        pulses.add("pwmchip1", name: "other", place: "1-0041")
        let bench = LevelBench(nil, pulses, longestWrite: .milliseconds(50))
        _ = bench.backend.open([FakePulses.line(0, "pca9685", 0), FakePulses.line(1, "other", 0)])
        pulses.stick("pwmchip0")
        #expect(bench.backend.write(LineID(0), .active, now: .zero) == nil)
        #expect(bench.backend.write(LineID(1), .active, now: .zero) == nil)
        #expect(bench.waits(for: .written(.active)))
        #expect(bench.waits(for: .fault(errno: ETIMEDOUT)))
        pulses.stick(nil)
        #expect(bench.waits(for: .restored))
        expectEqual(pulses.take("pwmchip0/pwm0/duty_cycle"), "1000000")
    }

    /// The guardian writes to this file after a crash: the old one may be that of another chip.
    @Test func aChipThatIsBackWithAnotherNumberIsToldWithItsFile() {
        let pulses = FakePulses("back")
        pulses.add("pwmchip0", place: "1-0040")
        let bench = LevelBench(nil, pulses, longestWrite: .milliseconds(50))
        var files: [String] = []
        bench.backend.didFind = { files.append($0.file) }
        _ = bench.backend.open([FakePulses.line(0, "pca9685", 0)])
        expectEqual(files, ["\(pulses.root)/pwmchip0/pwm0/duty_cycle"])
        pulses.stick("pwmchip0")
        #expect(rename("\(pulses.root)/pwmchip0", "\(pulses.root)/pwmchip7") == 0)
        _ = bench.backend.write(LineID(0), .active, now: .zero)
        #expect(bench.waits(for: .fault(errno: ETIMEDOUT)))
        #expect(bench.waits(for: .restored))
        pulses.stick(nil)
        expectEqual(files.dropFirst(), ["\(pulses.root)/pwmchip7/pwm0/duty_cycle"])
    }

    /// The first level that waits is told, so that an interlock knows of it; then the last one.
    @Test func ofManyLevelsTheFirstAndTheLastAreWritten() {
        let pulses = FakePulses("many")
        pulses.add("pwmchip0", place: "1-0040")
        let bench = LevelBench(nil, pulses)
        _ = bench.backend.open([FakePulses.line(0, "pca9685", 0)])
        pulses.stick("pwmchip0")
        for level in [Level.active, .inactive, .active, .inactive, .active, .inactive] {
            _ = bench.backend.write(LineID(0), level, now: .zero)
        }
        expectEqual(bench.backend.read(LineID(0), now: .zero)?.level, .inactive)
        pulses.stick(nil)
        #expect(bench.waits(for: .written(.inactive)))
        #expect(bench.events.first == .written(.active) && bench.events.count <= 3)
    }
}
