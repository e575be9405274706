import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Segments and radio groups on an encoder: selection follows the turn, or a press chooses.
@Suite struct TurnDialogueTests {
    @Test func aValueFollowsTheTurnOnceThatHasSettled() {
        let bench = Bench.navigated(
            .choice(of: 5), .followTurn(settle: .milliseconds(300)), .encoder, count: 5)
        _ = bench.finish(0, .succeeded, 5)
        expectEqual(ofMenu(bench.turn(true, 10)), ["10 c0 opened", "10 c0 focused 1"])
        expectEqual(ofMenu(bench.turn(true, 200)), ["200 c0 focused 2"])
        expectEqual(ofMenu(bench.turn(true, 499)), ["499 c0 focused 3"])
        expectEqual(ofMenu(bench.turn(false, 700)), ["700 c0 focused 2"])
        expectEqual(
            ofMenu(bench.run(1_000)),
            [
                "1000 c0 closed", "1000 c0 changed 2 by panel", "1000 c0 phase pending",
                "1000 start a0 r1 c0 2 after ? by panel",
            ])
    }

    @Test func withoutATimeToSettleItFollowsAtOnce() {
        let bench = Bench.navigated(
            .choice(of: 5), .followTurn(settle: .zero), .encoder, count: 5)
        expectEqual(
            ofMenu(bench.turn(true, 10)),
            [
                "10 c0 opened", "10 c0 focused 1", "10 c0 closed", "10 c0 changed 1 by panel",
                "10 c0 phase pending", "10 start a0 r1 c0 1 after ? by panel",
            ])
    }

    @Test func turningForthAndBackChangesNothing() {
        let bench = Bench.navigated(
            .choice(of: 5), .followTurn(settle: .milliseconds(300)), .encoder, count: 5)
        _ = bench.intent(Value(1), 1) + bench.finish(1, .succeeded, 2)
        _ = bench.turn(true, 10) + bench.turn(false, 20)
        expectEqual(ofMenu(bench.run(9_000)), ["320 c0 closed"])
    }

    /// A settled turn is no press that could confirm.
    @Test func whatMustBeConfirmedDoesNotFollowATurn() {
        let bench = Bench.navigated(
            .choice(of: 5), .followTurn(settle: .milliseconds(300)), .encoder, count: 5,
            confirm: .hold(.seconds(1)))
        _ = bench.turn(true, 10)
        expectEqual(
            ofMenu(bench.run(9_000)),
            [
                "310 c0 closed", "310 c0 refused needsConfirmation by panel",
            ])
    }

    @Test func aFocusStaysAfterAChoiceAndLapses() {
        let bench = Bench.navigated(
            .selection(of: 4, minimum: 0, maximum: 2), .focus(closeAfter: .seconds(2)),
            .encoder, count: 4)
        expectEqual(ofMenu(bench.click(2, 5)), [], "nothing has the focus")
        expectEqual(ofMenu(bench.turn(true, 16)), ["16 c0 opened", "16 c0 focused 1"])
        #expect(ofMenu(bench.press(2, 20)).contains("20 c0 changed 2 by panel"))
        _ = bench.release(2, 30) + bench.turn(true, 40) + bench.click(2, 50)
        #expect(bench.snapshot().desired == Value(0b110) && bench.snapshot().focus == Value(2))
        _ = bench.turn(true, 70)
        expectEqual(ofMenu(bench.press(2, 80)), ["80 c0 refused outOfRange by panel"])
        _ = bench.release(2, 90)
        expectEqual(ofMenu(bench.run(9_000)).suffix(1), ["2080 c0 closed"])
        // The first of those that are chosen has the focus next.
        expectEqual(ofMenu(bench.turn(false, 10_000)), ["10000 c0 opened", "10000 c0 focused 0"])
    }

    @Test func aFocusOverCommandsFiresEachPress() {
        let bench = Bench.navigated(
            .commands(3), .focus(closeAfter: .seconds(2)), .encoder, count: 3)
        _ = bench.turn(true, 10)
        expectEqual(ofMenu(bench.press(2, 20)).first, "20 c0 chosen 1 by panel")
        _ = bench.release(2, 30)
        expectEqual(ofMenu(bench.press(2, 40)).first, "40 c0 chosen 1 by panel")
        #expect(ofMenu(bench.run(9_000)).contains("2040 c0 closed"))
    }

    @Test func withoutATimeNothingCloses() {
        let bench = Bench.navigated(
            .choice(of: 3), .focus(closeAfter: .zero), .encoder, count: 3)
        _ = bench.turn(true, 10)
        #expect(ofMenu(bench.run(100_000)) == [] && bench.nextDeadline == .never)
    }
}
