import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Two or three buttons that fire one control together.
@Suite struct ChordDialogueTests {
    static let fired = ["c2 phase pending", "start a0 r1 c2 1 after ? by panel"]

    static func about2(_ log: [String]) -> [String] {
        log.filter { line in
            line.contains("c2")
                && !["pressed", "released", "clicked"].contains { line.hasSuffix(" " + $0) }
        }
    }

    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func anyOrderFiresAtTheLast(order: [UInt16]) {
        let bench = Bench.chord(hasOwn: true)
        var log: [String] = []
        for (place, line) in order.enumerated() {
            expectEqual(Self.about2(log), [])
            log += bench.press(line, 10 + place)
        }
        expectEqual(Self.about2(log), Self.fired.map { "12 " + $0 })
        for line in order { expectEqual(Self.about2(bench.release(line, 20)), []) }
    }

    @Test func oneReleasedAndPressedAgainFiresAgain() {
        let bench = Bench.chord()
        _ = bench.press(0, 10) + bench.press(1, 20)
        _ = bench.finish(1, .succeeded, 30, control: 2)
        expectEqual(Self.about2(bench.release(1, 40)), [])
        expectEqual(Self.about2(bench.press(1, 50)).last, "50 start a0 r2 c2 1 after ? by panel")
    }

    @Test func oneAfterTheOtherIsNoChord() {
        let bench = Bench.chord()
        expectEqual(Self.about2(bench.click(0, 10) + bench.click(1, 30) + bench.press(0, 50)), [])
    }

    @Test func aChordMayBeHeld() {
        let bench = Bench.chord(hold: .milliseconds(1_024))
        expectEqual(Self.about2(bench.press(0, 10) + bench.press(1, 100)), [])
        let expected = (1...9).map { "\(100 + $0 * 102) c2 progress \($0 * 10)" }
        expectEqual(
            Self.about2(bench.run(1_200)),
            expected + ["1124 c2 progress 100"] + Self.fired.map { "1124 " + $0 })
    }

    /// As with a hold: what was let go without a word fires nothing.
    @Test(arguments: [0, 1] as [UInt16])
    func aHeldChordReadsItsLevelsOnceMore(open: UInt16) {
        let bench = Bench.chord(hold: .milliseconds(1_024))
        _ = bench.press(0, 10) + bench.press(1, 100)
        bench.levels[open] = .inactive
        let log = bench.run(1_200)
        #expect(log.contains("1124 read l0") && log.contains("1124 read l1"))
        #expect(!log.contains { $0.contains("start") })
        expectEqual(Self.about2(log).last, "1124 c2 progress 0")
    }

    /// It waits for all of them, and each counts once.
    @Test func aHeldChordFiresAtTheLastReading() {
        let bench = Bench.chord(hold: .milliseconds(1_024))
        _ = bench.press(0, 10) + bench.press(1, 100)
        bench.answersReadings = false
        _ = bench.run(1_124)
        let first = Event.reading(LineID(0), .active)
        expectEqual(Self.about2(bench.send(first, 1_125) + bench.send(first, 1_126)), [])
        expectEqual(
            Self.about2(bench.send(.reading(LineID(1), .active), 1_130)).last,
            "1130 start a0 r1 c2 1 after ? by panel")
    }

    @Test func lettingOneGoGivesAHeldChordUp() {
        let bench = Bench.chord(hold: .milliseconds(1_024))
        _ = bench.press(0, 10) + bench.press(1, 100) + bench.run(350)
        expectEqual(Self.about2(bench.release(0, 350)), ["350 c2 progress 0"])
        expectEqual(Self.about2(bench.run(5_000)), [])
        _ = bench.press(0, 6_000)
        expectEqual(Self.about2(bench.run(7_100)).last, "7024 start a0 r1 c2 1 after ? by panel")
    }

    @Test func buttonsThatAreHeldAtStartAreNoChord() {
        let bench = Bench.chord(startsHeld: true)
        expectEqual(Self.about2(bench.run(1_000)), [])
        _ = bench.release(0, 1_000)
        expectEqual(Self.about2(bench.press(0, 1_100)), [], "the other one is still held")
        _ = bench.release(1, 1_200)
        expectEqual(
            Self.about2(bench.press(1, 1_300)).last, "1300 start a0 r1 c2 1 after ? by panel")
    }

    @Test func aFaultGivesAChordUpAndItsEndIsNoPress() {
        let bench = Bench.chord(hold: .milliseconds(1_024))
        _ = bench.press(0, 10) + bench.press(1, 20)
        expectEqual(Self.about2(bench.send(.lineFault(LineID(1)), 50)), ["50 c2 progress 0"])
        _ = bench.send(.lineRestored(LineID(1)), 60)
        expectEqual(Self.about2(bench.send(.reading(LineID(1), .active), 60)), [])
        expectEqual(Self.about2(bench.run(5_000)), [])
        _ = bench.release(1, 5_100) + bench.press(1, 5_200)
        expectEqual(Self.about2(bench.run(6_300)).last, "6224 start a0 r1 c2 1 after ? by panel")
    }

    @Test func aDisabledChordRefusesAndEnablingItFiresNothing() {
        let bench = Bench.chord()
        _ = bench.intent(.off, 5, control: 3) + bench.press(0, 10)
        expectEqual(Self.about2(bench.press(1, 20)), ["20 c2 refused disabled by panel"])
        expectEqual(
            Self.about2(bench.intent(.on, 30, control: 3)), ["30 c2 no disabled"])
        expectEqual(Self.about2(bench.run(5_000)), [])
    }

    @Test func disablingGivesAHeldChordUp() {
        let bench = Bench.chord(hold: .milliseconds(1_024))
        _ = bench.press(0, 10) + bench.press(1, 20)
        expectEqual(
            Self.about2(bench.intent(.off, 30, control: 3)),
            [
                "30 c2 progress 0", "30 c2 flag disabled",
            ])
        expectEqual(Self.about2(bench.intent(.on, 40, control: 3) + bench.run(5_000)).count, 1)
    }

    @Test func aChordLatchesAControlWithAValue() {
        let bench = Bench.chord(kind: .onOff(latch: .toggle))
        _ = bench.press(0, 10) + bench.press(1, 20)
        expectEqual(bench.snapshot(2).desired, .on)
        _ = bench.finish(1, .succeeded, 30, control: 2) + bench.release(0, 40)
        _ = bench.press(0, 50)
        expectEqual(bench.snapshot(2).desired, .off)
    }

    @Test func aMomentaryChordIsOnWhileHeld() {
        let bench = Bench.chord(kind: .onOff(latch: .momentary))
        _ = bench.press(0, 10) + bench.press(1, 20)
        expectEqual(bench.snapshot(2).desired, .on)
        _ = bench.release(0, 40)
        expectEqual(bench.snapshot(2).desired, .off)
    }
}
