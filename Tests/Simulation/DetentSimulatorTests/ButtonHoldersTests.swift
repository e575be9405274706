import DetentRuntime
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentSimulator

/// A button is down while anybody holds it.
@Suite struct ButtonHoldersTests {
    private let button = ControlID(4)
    private let ann = InputSourceID(1)
    private let bob = InputSourceID(2)

    private func at(_ milliseconds: UInt64) -> Instant { .zero + .milliseconds(milliseconds) }
    private func press() -> Gesture { .press(button) }
    private func release() -> Gesture { .release(button) }

    @Test func theLastToLetGoLetsGo() {
        var hands = ButtonHolders()
        expectEqual(hands.hold(button, 0, by: ann, from: at(0), until: .never), press())
        expectEqual(hands.hold(button, 0, by: bob, from: at(1), until: .never), press())
        expectEqual(hands.release(button, 0, by: ann, at: at(2)), press(), "Bob holds it")
        #expect(hands.release(button, 0, by: ann, at: at(3)) == nil)
        expectEqual(hands.release(button, 0, by: bob, at: at(100)), release())
        expectEqual(hands, ButtonHolders())
    }

    @Test func aReleaseByWhoDoesNotHoldItEndsNothing() {
        var hands = ButtonHolders()
        _ = hands.hold(button, 0, by: ann, from: at(0), until: .never)
        #expect(hands.release(button, 0, by: bob, at: at(1)) == nil)
        var free = ButtonHolders()
        expectEqual(free.release(button, 0, by: bob, at: at(1)), release(), "nobody minds")
    }

    @Test func aClickOverAHoldLeavesItDown() {
        var hands = ButtonHolders()
        _ = hands.hold(button, 0, by: ann, from: at(0), until: .never)
        expectEqual(hands.hold(button, 0, by: bob, from: at(1), until: at(81)), press())
        expectEqual(
            hands.release(button, 0, by: ann, at: at(21)), .click(button, hold: .milliseconds(60))
        )
        expectEqual(hands.hold(button, 0, by: ann, from: at(100), until: .never), press())
        expectEqual(hands.release(button, 0, by: ann, at: at(201)), release(), "the click is over")
    }

    @Test func aPressLastsAsLongAsThatOfAHand() {
        var hands = ButtonHolders()
        _ = hands.hold(button, 0, by: ann, from: at(0), until: .never)
        expectEqual(
            hands.release(button, 0, by: ann, at: at(0)), .click(button, hold: .milliseconds(80)))
        expectEqual(
            hands.release(button, 0, by: ann, at: at(30)), .click(button, hold: .milliseconds(50)),
            "told twice")
        expectEqual(hands.releaseAll(ann, at: at(40)), [], "it ends by itself")
        expectEqual(hands.hold(button, 0, by: ann, from: at(200), until: .never), press())
        expectEqual(hands.release(button, 0, by: ann, at: at(280)), release())
    }

    @Test func theLongerOfTwoHoldsCounts() {
        var hands = ButtonHolders()
        expectEqual(
            hands.hold(button, 0, by: ann, from: at(0), until: at(500)),
            .click(button, hold: .milliseconds(500)))
        expectEqual(
            hands.hold(button, 0, by: bob, from: at(100), until: at(180)),
            .click(button, hold: .milliseconds(400)))
    }

    @Test func oneFingerIsInOnePlace() {
        var hands = ButtonHolders()
        _ = hands.hold(button, 0, by: ann, from: at(0), until: .never)
        expectEqual(
            hands.hold(button, 0, by: ann, from: at(10), until: at(90)),
            .click(button, hold: .milliseconds(80)), "a click after a press ends it")
    }

    @Test func whoIsGoneHoldsNothing() {
        var hands = ButtonHolders()
        _ = hands.hold(button, 0, by: ann, from: at(0), until: .never)
        _ = hands.hold(button, 1, by: ann, from: at(0), until: .never)
        _ = hands.hold(button, 1, by: bob, from: at(0), until: .never)
        _ = hands.hold(ControlID(2), 0, by: ann, from: at(0), until: at(60_000))
        expectEqual(
            hands.releaseAll(ann, at: at(1_000)),
            [
                .release(ControlID(2)), release(), .press(button, button: 1),
            ])
        expectEqual(hands.releaseAll(ann, at: at(1_001)), [])
        expectEqual(hands.releaseAll(bob, at: at(1_002)), [.release(button, button: 1)])
    }

    @Test func aClickThatHasBegunComesToItsEnd() {
        var hands = ButtonHolders()
        _ = hands.hold(button, 0, by: ann, from: at(0), until: at(80))
        expectEqual(hands.releaseAll(ann, at: at(1)), [])
        var long = ButtonHolders()
        _ = long.hold(button, 0, by: ann, from: at(0), until: at(5_000))
        expectEqual(long.releaseAll(ann, at: at(20)), [.click(button, hold: .milliseconds(60))])
    }
}
