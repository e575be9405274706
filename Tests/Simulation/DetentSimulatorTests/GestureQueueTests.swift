import DetentCore
import DetentPanel
import DetentRuntime
import DetentScenario
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentSimulator

/// Gestures on one contact are played one after the other, and none is lost without a word.
@Suite struct GestureQueueTests {
    private let ann = InputSourceID(7)
    private let bob = InputSourceID(8)

    private func rig() throws -> DeskRig { try PacedPanelTests.rig() }

    /// How often a control told an event.
    private func count(_ event: String, _ id: String, _ rig: DeskRig) -> Int {
        rig.events().split(separator: "\n").count {
            $0.contains("\"control\": \"\(id)\"") && $0.contains("\"event\": \"\(event)\"")
        }
    }

    private func make(
        _ gesture: Gesture, _ rig: DeskRig, by source: InputSourceID = InputSourceID(7)
    ) -> SimulationError? {
        do throws(SimulationError) {
            try rig.live.make(gesture, by: source)
            return nil
        } catch {
            return error
        }
    }

    /// Keys of one part: a click waits for those before it, and a second finger does not.
    @Test func gesturesOfOneControlKeepTheirOrder() {
        var queue = GestureQueue()
        let (menu, other) = (ControlID(0), ControlID(1))
        func at(_ milliseconds: UInt64) -> Instant { .zero + .milliseconds(milliseconds) }
        func click(_ button: Int) -> Gesture {
            .click(menu, button: button, hold: Gesture.clickHold)
        }
        queue.occupy(.button(menu, 1), until: at(160))
        #expect(!queue.isFree(click(2), at: at(100)))
        #expect(queue.isFree(.press(menu, button: 2), at: at(100)), "two fingers are down together")
        #expect(queue.isFree(.click(other, hold: Gesture.clickHold), at: at(100)))
        for gesture in [click(1), click(2), .press(menu, button: 0)] {
            let isAdded = queue.add(.init(gesture: gesture, source: ann))
            #expect(isAdded)
        }
        #expect(!queue.isFree(.press(menu, button: 3), at: at(500)), "others came before it")
        expectEqual(queue.next, at(160))
        expectEqual(queue.pop(by: at(159)), nil)
        expectEqual(queue.pop(by: at(160))?.gesture, click(1))
        queue.occupy(.button(menu, 1), until: at(320))
        expectEqual(queue.pop(by: at(319)), nil)
        expectEqual(queue.pop(by: at(320))?.gesture, click(2))
        queue.occupy(.button(menu, 2), until: at(480))
        expectEqual(queue.pop(by: at(320))?.gesture, .press(menu, button: 0))
        expectEqual(queue.next, .never)
    }

    @Test func everyClickIsAPress() throws {
        let rig = try rig()
        let button = try PacedPanelTests.control("calibrate", rig)
        for source in [ann, ann, bob] {
            #expect(make(.click(button, hold: Gesture.clickHold), rig, by: source) == nil)
        }
        expectEqual(rig.live.state().waitingGestures, 2)
        rig.pass(.milliseconds(120))
        expectEqual(count("pressed", "calibrate", rig), 1)
        rig.pass(.seconds(2))
        expectEqual(count("pressed", "calibrate", rig), 3)
        expectEqual(rig.live.state().waitingGestures, 0)
    }

    /// Eight clicks within a moment last longer than the half second in which no press confirms.
    @Test func pressesThatWaitedConfirmNothing() throws {
        let text = """
            {panel: P, board: none, controls: {format: {kind: button, role: destructive,
              label: Format, input: A, confirm: {press-twice: 3s},
              action: {run: [format], timeout: 5s}}}}
            """
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        let rig = try DeskRig(
            SimulationOptions(
                plan: try #require(reading.plan), bounce: .named("none"), takes: .milliseconds(400))
        )
        rig.pass(.seconds(2))
        let button = ControlID(0)
        for _ in 0..<8 {
            #expect(make(.press(button), rig) == nil)
            #expect(make(.release(button), rig) == nil)
        }
        rig.pass(.milliseconds(1_800))
        let (asked, fired) = (count("armed", "format", rig), count("phase", "format", rig))
        expectEqual(asked, 1)
        expectEqual(fired, 0, "nobody has read the question")
        #expect(make(.click(button, hold: Gesture.clickHold), rig) == nil)
        rig.pass(.milliseconds(200))
        #expect(count("phase", "format", rig) > 0, "and now it is meant")
    }

    @Test func aPressThatWaitedOnAnotherButtonLeadsAway() throws {
        let text = """
            {panel: P, board: none, controls: {tools: {kind: pull-down, label: Tools,
              buttons: {up: A, down: B, select: C}, close-after: 1min,
              items: [{name: Report},
                {name: Erase, role: destructive, confirm: {press-twice: 20s}}]}}}
            """
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        let rig = try DeskRig(
            SimulationOptions(
                plan: try #require(reading.plan), bounce: .named("none"), takes: .milliseconds(400))
        )
        rig.pass(.seconds(2))
        for button in [2, 1] {
            let click = Gesture.click(ControlID(0), button: button, hold: Gesture.clickHold)
            #expect(make(click, rig) == nil)
            rig.pass(.milliseconds(600))
        }
        expectEqual(count("focused", "tools", rig), 2)
        for button in [2, 0] {
            let click = Gesture.click(ControlID(0), button: button, hold: Gesture.clickHold)
            #expect(make(click, rig) == nil)
        }
        rig.pass(.milliseconds(600))
        expectEqual(count("armed", "tools", rig), 1)
        expectEqual(count("focused", "tools", rig), 3, "the focus is back at Report")
        expectEqual(count("chosen", "tools", rig), 0)
    }

    @Test func pressesAndReleasesKeepTheirOrder() throws {
        let rig = try rig()
        let button = try PacedPanelTests.control("calibrate", rig)
        for _ in 0..<2 {
            #expect(make(.press(button), rig) == nil)
            #expect(make(.release(button), rig) == nil)
        }
        rig.pass(.seconds(2))
        expectEqual(count("pressed", "calibrate", rig), 2)
        expectEqual(count("released", "calibrate", rig), 2)
    }

    @Test func noDetentOfATurnIsLost() throws {
        let rig = try rig()
        let dial = try PacedPanelTests.control("set-point", rig)
        let before = try #require(rig.live.machine.snapshot(of: dial)).desired.raw
        for detents in [5, 7, -2] {
            #expect(make(.turn(dial, detents: detents, perSecond: 20), rig) == nil)
            rig.pass(.milliseconds(3))
        }
        rig.pass(.seconds(3))
        let steps = rig.events().split(separator: "\n").count { $0.contains("\"stepped\"") }
        let after = try #require(rig.live.machine.snapshot(of: dial)).desired.raw
        expectEqual(steps, 14, "\(before) to \(after)")
    }

    @Test func aLeverThatIsFlippedBackAtOnceIsHeardTwice() throws {
        let rig = try rig()
        let output = try PacedPanelTests.control("output", rig)
        #expect(make(.flip(output, to: 1), rig) == nil)
        #expect(make(.flip(output, to: 0), rig) == nil)
        rig.pass(.seconds(1))
        expectEqual(count("moved", "output", rig), 2)
    }

    @Test func aSelectorGoesToEveryPositionInTurn() throws {
        let rig = try rig()
        let range = try PacedPanelTests.control("range", rig)
        #expect(make(.select(range, 2), rig) == nil)
        #expect(make(.select(range, 0), rig) == nil)
        rig.pass(.seconds(2))
        let values = rig.events().split(separator: "\n")
            .filter { $0.contains("\"moved\"") && $0.contains("range") }
        #expect(values.contains { $0.contains("200 V") }, "\(values)")
        expectEqual(rig.live.state().partPositions[Int(range.index)].position, 0)
    }

    @Test func whatDoesNotFitIsRefusedAndCounted() throws {
        let rig = try rig()
        let button = try PacedPanelTests.control("calibrate", rig)
        let click = Gesture.click(button, hold: Gesture.clickHold)
        for _ in 0...SimulatorLimits.waitingGestures { #expect(make(click, rig) == nil) }
        let refusal = make(click, rig)
        expectEqual(refusal?.sort, .tooMuch)
        expectEqual(refusal?.cause.contains("64 gestures already wait"), true)
        expectEqual(rig.live.state().refusedGestures, 1)
        let output = try PacedPanelTests.control("output", rig)
        #expect(make(.flip(output, to: 1), rig) == nil, "another contact has room")
        rig.pass(.milliseconds(100))
        expectEqual(count("moved", "output", rig), 1, "and does not wait")
        rig.pass(.seconds(60))
        expectEqual(count("pressed", "calibrate", rig), 1 + SimulatorLimits.waitingGestures)
        rig.perform(.clock(.restart))
        expectEqual(rig.live.state().refusedGestures, 0)
    }

    @Test func whatIsImpossibleIsRefusedAtOnce() throws {
        let rig = try rig()
        let output = try PacedPanelTests.control("output", rig)
        #expect(make(.flip(output, to: 1), rig) == nil)
        expectEqual(make(.flip(output, to: 9), rig)?.sort, .impossible)
        expectEqual(rig.live.state().waitingGestures, 0)
    }

    @Test func whoIsGoneHoldsNothingThatWaited() throws {
        let rig = try rig()
        let button = try PacedPanelTests.control("calibrate", rig)
        #expect(make(.click(button, hold: Gesture.clickHold), rig, by: bob) == nil)
        #expect(make(.press(button), rig, by: ann) == nil)
        rig.live.releaseAll(ann, realNow: rig.real)
        rig.pass(.seconds(2))
        expectEqual(count("pressed", "calibrate", rig), 2)
        expectEqual(count("released", "calibrate", rig), 2)
    }

    @Test func aHoldIsEndedByItsOwnRelease() throws {
        let rig = try rig()
        let button = try PacedPanelTests.control("calibrate", rig)
        #expect(make(.click(button, hold: .seconds(60)), rig) == nil)
        rig.pass(.milliseconds(500))
        #expect(make(.release(button), rig) == nil)
        rig.pass(.milliseconds(100))
        expectEqual(count("released", "calibrate", rig), 1)
    }

    @Test func whileTheClockStandsGesturesWait() throws {
        let rig = try rig()
        let button = try PacedPanelTests.control("calibrate", rig)
        rig.perform(.clock(.pause))
        for _ in 0..<3 { #expect(make(.click(button, hold: Gesture.clickHold), rig) == nil) }
        rig.pass(.seconds(10))
        expectEqual(rig.live.turn(realNow: rig.real), .never)
        rig.perform(.clock(.run))
        rig.pass(.seconds(2))
        expectEqual(count("pressed", "calibrate", rig), 3)
    }

    @Test func thePanelEndsOnlyAfterWhatWaits() throws {
        let rig = try rig()
        let button = try PacedPanelTests.control("calibrate", rig)
        for _ in 0..<40 { #expect(make(.click(button, hold: .seconds(1)), rig) == nil) }
        rig.live.endsAtRest = true
        for _ in 0..<10_000 where !rig.live.isAtRest {
            rig.real = max(rig.real, rig.live.turn(realNow: rig.real))
        }
        expectEqual(count("pressed", "calibrate", rig), 40)
    }
}
