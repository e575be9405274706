import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// The confirmation by itself, at its exact moments.
@Suite struct ConfirmationTests {
    /// The library of tests has a type of this name.
    private typealias Confirming = DetentCore.Confirmation
    private typealias Step = Confirming.Step

    private func at(_ millisecond: Int) -> Instant { Instant(millisecond: millisecond) }

    @Test func whatNeedsNoSecondStepFiresAtOnce() {
        for settings in [ConfirmSettings.none, .guarded, .chord(hold: .seconds(1))] {
            var machine = Confirming()
            expectEqual(machine.press(.on, settings, at: at(0)), Step(fires: .on))
            #expect(machine.value == nil && machine.tenth == 0)
        }
    }

    @Test(arguments: [(999, false), (1_000, true)])
    func anArmedPressCountsFromItsPauseOn(millisecond: Int, fires: Bool) {
        var machine = Confirming()
        let arm = ConfirmSettings.arm(.seconds(4))
        expectEqual(machine.press(.on, arm, at: at(0)), Step())
        expectEqual(machine.deadline, .never, "it is armed when it is released")
        expectEqual(machine.release(at: at(500)), Step(isArmed: true))
        #expect(machine.tenth == 5 && machine.value == .on)
        expectEqual(machine.deadline, at(4_500))
        let step = machine.press(.on, arm, at: at(millisecond))
        expectEqual(step, (fires ? Step(fires: .on, progress: 100) : Step()))
        expectEqual(machine.value, (fires ? nil : .on))
    }

    @Test func aShortArmingPausesAsLong() {
        for (millisecond, fires) in [(599, false), (600, true)] {
            var machine = Confirming()
            let arm = ConfirmSettings.arm(.milliseconds(501))
            _ = machine.press(.on, arm, at: at(0))
            _ = machine.release(at: at(100))
            expectEqual((machine.press(.on, arm, at: at(millisecond)).fires != nil), fires)
        }
    }

    @Test func whatIsArmedLapsesAtItsEnd() {
        var machine = Confirming()
        let twice = ConfirmSettings.pressTwice(within: .seconds(1))
        expectEqual(machine.press(.on, twice, at: at(0)), Step(isArmed: true))
        expectEqual(machine.release(at: at(10)), Step())
        expectEqual(machine.deadlineReached(at: at(999)), Step())
        expectEqual(machine.deadlineReached(at: at(1_000)), Step(progress: 0))
        #expect(machine.value == nil && machine.deadline == .never)
        expectEqual(machine.press(.on, twice, at: at(1_001)), Step(isArmed: true))
        expectEqual(machine.press(.off, twice, at: at(1_002)), Step(isArmed: true), "another value")
        expectEqual(machine.press(.off, twice, at: at(1_501)), Step(), "its question was not seen")
        expectEqual(machine.press(.off, twice, at: at(1_502)), Step(fires: .off, progress: 100))
    }

    /// A holding of 10,240 ns has tenths of 1,020 ns.
    @Test func aHoldTellsItsTenthsAndReadsTheLevelAtItsEnd() {
        func at(_ nanoseconds: UInt64) -> Instant { Instant(nanoseconds: nanoseconds) }
        var machine = Confirming()
        let hold = ConfirmSettings.hold(TimeSpan(nanoseconds: 10_240))
        expectEqual(machine.press(.on, hold, at: at(0)), Step())
        expectEqual(machine.tenth, 1)
        expectEqual(machine.deadlineReached(at: at(1_019)), Step())
        for tenth in 1...9 as ClosedRange<UInt8> {
            let due = at(UInt64(tenth) * 1_020)
            expectEqual(machine.deadline, due)
            expectEqual(machine.deadlineReached(at: due), Step(progress: tenth * 10))
            expectEqual(machine.tenth, tenth)
        }
        expectEqual(machine.deadline, at(10_240))
        #expect(!machine.isVerifying)
        expectEqual(machine.deadlineReached(at: at(10_240)), Step(wantsReading: true))
        #expect(machine.isVerifying && machine.tenth == 10 && machine.value == .on)
        expectEqual(machine.levelRead(.active), Step(fires: .on, progress: 100))
    }

    /// A hold that waits for the levels of its contacts.
    private func verifying() -> Confirming {
        var machine = Confirming()
        _ = machine.press(.on, .hold(.seconds(1)), at: at(0))
        _ = machine.deadlineReached(at: at(1_000))
        return machine
    }

    @Test func everyAwaitedContactIsRead() {
        var machine = verifying()
        expectEqual(machine.await(0b101), Step())
        expectEqual(machine.levelRead(.active, of: 0b010), Step(), "nobody asked for it")
        expectEqual(machine.levelRead(.active, of: 0b100), Step())
        expectEqual(machine.levelRead(.active, of: 0b100), Step())
        expectEqual(machine.levelRead(.active, of: 0b001), Step(fires: .on, progress: 100))
    }

    @Test func oneContactIsAwaitedAsWell() {
        var machine = verifying()
        expectEqual(machine.await(1), Step())
        expectEqual(machine.levelRead(.inactive), Step(progress: 0))
        #expect(machine.value == nil)
        machine = verifying()
        expectEqual(machine.await(0), Step(fires: .on, progress: 100), "nothing can be read")
    }

    @Test func aReleaseOrAnEndGivesItUp() {
        var machine = verifying()
        expectEqual(machine.release(at: at(1_001)), Step(progress: 0))
        _ = machine.press(.on, .hold(.seconds(1)), at: at(2_000))
        expectEqual(machine.release(at: at(2_001)), Step(progress: 0))
        expectEqual(machine.abandon(), Step(), "it is idle")
        #expect(machine.await(0) == Step() && machine.levelRead(.active) == Step())
        _ = machine.press(.on, .arm(.seconds(1)), at: at(3_000))
        expectEqual(machine.abandon(), Step(progress: 0))
    }

    @Test func aChordHoldsUntilTheEngineGivesItUp() {
        var machine = Confirming()
        expectEqual(machine.chord(.on, .zero, at: at(0)), Step(fires: .on))
        expectEqual(machine.chord(.on, .seconds(1), at: at(0)), Step())
        expectEqual(machine.release(at: at(10)), Step())
        expectEqual(machine.value, .on)
        expectEqual(machine.deadlineReached(at: at(1_000)), Step(wantsReading: true))
        expectEqual(machine.release(at: at(1_001)), Step())
        #expect(machine.isVerifying)
    }
}
