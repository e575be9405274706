import DetentCore
import DetentPanel
import DetentRuntime
import DetentScenario
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentSimulator

/// What can be done at the desk of a simulated panel, and what it tells of it.
@Suite struct PacedPanelTests {
    static let plan = Result { try ExamplePanel.plan("lab-supply") }

    static func rig(
        _ name: String = "lab-supply", bounce: BounceSelection = .named("none"),
        takes: TimeSpan = .milliseconds(400)
    ) throws -> DeskRig {
        let rig = try DeskRig(
            SimulationOptions(plan: try ExamplePanel.plan(name), bounce: bounce, takes: takes))
        rig.pass(.seconds(2))
        return rig
    }

    static func control(_ id: String, _ rig: DeskRig) throws -> ControlID {
        ControlID(UInt16(try #require(rig.live.plan.controls.firstIndex { $0.id == id })))
    }

    private func line(_ name: String, _ rig: DeskRig) throws -> LineID {
        LineID(UInt16(try #require(rig.live.plan.lines.firstIndex { $0.name == name })))
    }

    private func state(_ id: String, _ rig: DeskRig) throws -> ControlSnapshot {
        try #require(rig.live.machine.snapshot(of: try Self.control(id, rig)))
    }

    // MARK: Time

    @Test func thingsHappenAtTheirOwnMoments() throws {
        let rig = try Self.rig()
        let output = try Self.control("output", rig)
        #expect(rig.move(output, .flip, .word("on")) == nil)
        // Nobody looks for a minute; the debounced edge is where it belongs all the same.
        rig.oversleep(.seconds(60))
        _ = rig.live.turn(realNow: rig.real)
        #expect(rig.events().contains(#"{"at": 2020000000, "control": "output", "event": "moved""#))
        expectEqual(rig.live.now, .zero + .seconds(62))
    }

    @Test func aPanelWithNothingToDoWantsNoTurn() throws {
        let rig = try Self.rig()
        expectEqual(rig.live.turn(realNow: rig.real), .never)
    }

    @Test func whileTheClockStandsNothingHappens() throws {
        let rig = try Self.rig()
        let output = try Self.control("output", rig)
        #expect(rig.perform(.clock(.pause)) == nil)
        let before = rig.live.now
        #expect(rig.move(output, .flip, .word("on")) == nil)
        rig.pass(.seconds(10))
        expectEqual(rig.live.now, before)
        expectEqual(try state("output", rig).desired, .off)
        expectEqual(rig.live.turn(realNow: rig.real), .never)
        expectEqual(rig.live.state().isRunning, false)
        #expect(rig.perform(.clock(.step(.milliseconds(19)))) == nil)
        rig.pass(.zero)
        expectEqual(try state("output", rig).desired, .off)
        #expect(rig.perform(.clock(.step(.milliseconds(1)))) == nil)
        rig.pass(.zero)
        expectEqual(try state("output", rig).desired, .on)
        expectEqual(rig.live.now, before + .milliseconds(20))
        #expect(rig.perform(.clock(.run)) == nil)
        rig.pass(.seconds(1))
        expectEqual(rig.live.now, before + .milliseconds(1_020))
        expectEqual(try state("output", rig).phase, .idle)
    }

    @Test func aLongStepIsMadeInManyTurns() throws {
        let rig = try Self.rig()
        rig.perform(.clock(.pause))
        // A failed button blinks its lamp for a while; a glitch storm keeps the panel busy.
        let calibrate = try Self.control("calibrate", rig)
        rig.perform(.bounce(calibrate, .named("worn")))
        for _ in 0..<3 { rig.move(calibrate, .hold, nil, time: .seconds(2)) }
        let before = rig.live.now
        #expect(rig.perform(.clock(.step(.seconds(3_600)))) == nil)
        var turns = 0
        while rig.live.turn(realNow: rig.real) == .zero { turns += 1 }
        expectEqual(rig.live.now, before + .seconds(3_600), "after \(turns) turns")
    }

    @Test(arguments: [(100, 100), (10_000, 10_000), (100_000, 100_000)])
    func theClockGoesFasterAndSlower(_ rate: Int, _ milliseconds: UInt64) throws {
        let rig = try Self.rig()
        let before = rig.live.now
        #expect(rig.perform(.clock(.rate(rate))) == nil)
        expectEqual(rig.live.state().rate, rate)
        rig.pass(.seconds(1))
        expectEqual(rig.live.now, before + .milliseconds(milliseconds))
    }

    @Test func aPanelThatCannotKeepUpSetsItsClockBack() throws {
        let rig = try Self.rig("greenhouse", bounce: .typical)
        let controls = rig.live.plan.controls.indices.map { ControlID(UInt16($0)) }
        rig.perform(.clock(.rate(100_000)))
        for control in controls {
            rig.perform(.action(control, ActionScript(takes: .seconds(80_000), then: .succeed)))
            rig.move(control, .flip, .number(1))
            rig.move(control, .click, nil)
        }
        rig.oversleep(.seconds(300))
        let wanted = rig.live.clock.moment(at: rig.real)
        let turns = SimulatorLimits.momentsBehind / SimulatorLimits.momentsPerTurn
        for turn in 1...turns {
            expectEqual(rig.live.turn(realNow: rig.real), .zero, "it wants to go on at once")
            #expect(rig.live.now < wanted)
            let moment = rig.live.clock.moment(at: rig.real)
            expectEqual(moment, (turn < turns ? wanted : rig.live.now))
        }
        // From here on it goes as if nothing had been missed.
        let reached = rig.live.now
        rig.pass(.milliseconds(1))
        expectEqual(rig.live.now, reached + .milliseconds(100))
    }

    @Test func startingOverDoesTheSameAgain() throws {
        let rig = try Self.rig(bounce: .typical)
        let output = try Self.control("output", rig)
        let line = try line("GPIO17", rig)
        func play() -> String {
            rig.pass(.seconds(1))
            rig.move(output, .flip, .word("on"))
            rig.pass(.seconds(3))
            return rig.events()
        }
        rig.perform(.clock(.restart))
        _ = rig.notes()
        let first = play()
        rig.perform(.gesture(.cut(line)))
        rig.perform(.bounce(output, .named("worn")))
        rig.perform(.action(output, ActionScript(takes: .zero, then: .hang)))
        rig.perform(.clock(.restart))
        expectEqual(rig.live.now, .zero)
        let state = rig.live.state()
        #expect(state.faults.isEmpty && state.bounces.isEmpty && state.recordedSteps == 0)
        expectEqual(state.actions[output]?.ending, .succeed)
        let notes = rig.notes()
        #expect(notes.contains { $0.update == .restarted })
        let count = notes.drop { $0.update != .restarted }.first {
            if case .report = $0.update { true } else { false }
        }
        guard case .report(_, number: 1) = count?.update else {
            Issue.record("reports do not count from 1: \(String(describing: count))")
            return
        }
        expectEqual(play(), first)
    }

    // MARK: Accidents

    @Test func faultsOfALineAreToldAndMended() throws {
        let rig = try Self.rig()
        rig.updates.setWatched(true)
        let line = try line("GPIO17", rig)
        #expect(rig.live.state().faults.isEmpty)
        _ = rig.notes()
        rig.perform(.gesture(.stick(line, .active)))
        rig.pass(.milliseconds(100))
        expectEqual(rig.live.state().faults, [line: .stuck(.active)])
        #expect(rig.notes().contains { $0.update == .simulation })
        expectEqual(try state("output", rig).position, .on)
        rig.perform(.gesture(.stick(line, .inactive)))
        rig.pass(.milliseconds(100))
        expectEqual(rig.live.state().faults, [line: .stuck(.inactive)])
        rig.perform(.gesture(.cut(line)))
        rig.pass(.milliseconds(100))
        expectEqual(rig.live.state().faults, [line: .cut])
        rig.perform(.gesture(.restore(line)))
        rig.pass(.milliseconds(100))
        #expect(rig.live.state().faults.isEmpty)
        expectEqual(try state("output", rig).position, .off)
    }

    @Test func aGlitchPassesAndTheFilterHoldsIt() throws {
        let rig = try Self.rig()
        let line = try line("GPIO17", rig)
        rig.updates.trace([line])
        _ = rig.live.turn(realNow: rig.real)
        _ = rig.notes()
        rig.perform(.gesture(.glitch(line, width: .microseconds(50))))
        rig.pass(.milliseconds(100))
        let levels = rig.notes().filter {
            if case .level = $0.update { true } else { false }
        }
        // The engine may look again, which tells nothing new.
        expectEqual(
            levels.prefix(2).map(\.update), [.level(line, .active), .level(line, .inactive)])
        #expect(levels.dropFirst(2).allSatisfy { $0.update == .level(line, .inactive) })
        #expect(levels.count >= 2 && levels[1].at - levels[0].at == .microseconds(50))
        expectEqual(try state("output", rig).desired, .off)
    }

    // MARK: Contacts and devices

    @Test func contactsBounceAsTheyAreTold() throws {
        let rig = try Self.rig()
        let output = try Self.control("output", rig)
        let line = try line("GPIO17", rig)
        rig.updates.trace([line])
        func edges(_ position: Int) -> Int {
            _ = rig.live.turn(realNow: rig.real)
            _ = rig.notes()
            rig.move(output, .flip, .number(position))
            rig.pass(.seconds(1))
            return rig.notes().count { if case .level = $0.update { true } else { false } }
        }
        expectEqual(edges(1), 1)
        rig.perform(.bounce(output, .named("worn")))
        expectEqual(rig.live.state().bounces, [output: "worn"])
        #expect(edges(0) > 1)
        rig.perform(
            .bounce(
                output, .profile(BounceProfile(closes: .milliseconds(3), opens: .milliseconds(1)))))
        expectEqual(rig.live.state().bounces, [output: "closes 3ms, opens 1ms"])
        #expect(edges(1) > 1)
        rig.perform(.bounce(output, .original))
        #expect(rig.live.state().bounces.isEmpty)
        expectEqual(edges(0), 1)
        rig.perform(.bounce(output, .typical))
        expectEqual(rig.live.state().bounces, [output: "typical"])
    }

    @Test(arguments: [
        (ActionScript.Ending.fail(code: 3), "exit 3"), (.lose, "lost"), (.hang, "timed out"),
    ])
    func actionsEndAsTheyAreTold(_ ending: ActionScript.Ending, _ reason: String) throws {
        let rig = try Self.rig()
        let output = try Self.control("output", rig)
        let script = ActionScript(takes: .milliseconds(50), then: ending)
        rig.perform(.action(output, script))
        expectEqual(rig.live.state().actions[output], script)
        rig.move(output, .flip, .word("on"))
        rig.pass(.seconds(8))
        #expect(rig.events().contains("\"reason\": \"\(reason)\""), "\(rig.events())")
        if ending != .hang {
            #expect(rig.words.contains { $0.contains("output: action failed: \(reason)") })
        }
    }

    @Test func anAttemptInFlightCanFail() throws {
        let rig = try Self.rig(takes: .seconds(2))
        let output = try Self.control("output", rig)
        rig.move(output, .flip, .word("on"))
        rig.pass(.seconds(1))
        #expect(rig.perform(.fail(output, code: 9)) == nil)
        rig.pass(.seconds(3))
        #expect(rig.events().contains("\"reason\": \"exit 9\""))
    }

    @Test func anAttemptThatHangsFailsAtOnce() throws {
        let rig = try Self.rig(takes: .seconds(2))
        let output = try Self.control("output", rig)
        rig.pass(.seconds(3))
        rig.perform(.action(output, ActionScript(takes: .zero, then: .hang)))
        rig.move(output, .flip, .word("on"))
        rig.pass(.seconds(1))
        #expect(rig.perform(.fail(output, code: 9)) == nil)
        rig.pass(.milliseconds(1))
        #expect(rig.events().contains("\"reason\": \"exit 9\""), "long before its timeout")
    }

    @Test func anAttemptThatHangsSucceedsByHand() throws {
        let rig = try Self.rig(takes: .seconds(2))
        let output = try Self.control("output", rig)
        rig.pass(.seconds(3))
        expectEqual(rig.perform(.finish(output))?.sort, .impossible, "none runs")
        rig.perform(.action(output, ActionScript(takes: .zero, then: .hang)))
        rig.move(output, .flip, .word("on"))
        rig.pass(.seconds(1))
        #expect(rig.perform(.finish(output)) == nil)
        rig.pass(.milliseconds(1))
        expectEqual(rig.live.session.steps.last?.stimulus, .finishAction(output))
        expectEqual(rig.perform(.finish(output))?.sort, .impossible)
        expectEqual(try state("output", rig).actual, .on)
        expectEqual(try state("output", rig).phase, .idle)
    }

    /// What a hand has a device say is a step of the recorded scenario.
    @Test func aDeviceNearbyTalksAsAHandWants() throws {
        let file = Repository.path("simulator/scenarios/panels/bench.yaml")
        let plan = try #require(PanelReader.read(file: file).plan)
        let rig = try DeskRig(SimulationOptions(plan: plan, bounce: .named("none"), takes: .zero))
        rig.pass(.seconds(2))
        let gear = try Self.control("gear", rig)
        #expect(rig.perform(.feedback(gear, .on)) == nil)
        expectEqual(try state("gear", rig).actual, .on)
        #expect(rig.perform(.report(gear, "FLAPS 3\nGEAR 0\n", times: 1)) == nil)
        rig.pass(.milliseconds(100))
        expectEqual(try state("gear", rig).actual, .off)
        #expect(rig.perform(.report(gear, "", times: 1)) == nil)
        expectEqual(rig.live.session.steps.last?.stimulus, .report(gear, DeviceReports([""])))
        rig.pass(.seconds(11))
        expectEqual(try state("gear", rig).flags, .stale)
        expectEqual(rig.perform(.report(gear, "a", times: 0))?.sort, .impossible)
        let long = String(repeating: "a", count: SimulatorLimits.saidBytes + 1)
        expectEqual(rig.perform(.report(gear, long, times: 1))?.sort, .impossible)
    }

    @Test func aDeviceCanHaveAnotherValue() throws {
        let rig = try Self.rig("home-lights")
        let plan = rig.live.plan
        let place = try #require(plan.controls.firstIndex { $0.settings.query != nil })
        let control = ControlID(UInt16(place))
        let value: Value = .on
        #expect(rig.perform(.device(control, value)) == nil)
        expectEqual(rig.perform(.device(control, Value(99)))?.sort, .impossible)
        expectEqual(rig.live.session.steps.last?.stimulus, .device(control, value))
    }

    // MARK: Hands

    @Test func whereTheHandHasAPartIsTold() throws {
        let rig = try Self.rig()
        rig.updates.setWatched(true)
        let range = try Self.control("range", rig)
        let output = try Self.control("output", rig)
        let stands = rig.live.state().partPositions
        expectEqual(stands[Int(range.index)], SimulationState.PartPosition(position: 0))
        expectEqual(
            stands[Int(try Self.control("calibrate", rig).index)], SimulationState.PartPosition())
        rig.pass(.zero)
        _ = rig.notes()
        rig.move(range, .select, .word("200 V"))
        _ = rig.notes()
        rig.pass(.seconds(1))
        #expect(rig.notes().contains { $0.update == .simulation }, "it moves by itself on its way")
        expectEqual(rig.live.state().partPositions[Int(range.index)].position, 2)
        // The lever stands where the hand has it, whatever its wire says.
        rig.perform(.gesture(.cut(try line("GPIO17", rig))))
        rig.move(output, .flip, .number(1))
        rig.pass(.seconds(1))
        expectEqual(rig.live.state().partPositions[Int(output.index)].position, 1)
        expectEqual(try state("output", rig).position, .off)
    }

    @Test func aCoverIsToldToo() throws {
        let rig = try Self.rig("flight-overhead")
        let place = try #require(rig.live.plan.controls.firstIndex { $0.settings.hasGuard })
        let control = ControlID(UInt16(place))
        expectEqual(rig.live.state().partPositions[place].isCoverOpen, false)
        #expect(rig.move(control, .cover, .word("open")) == nil)
        expectEqual(rig.live.state().partPositions[place].isCoverOpen, true)
        #expect(rig.move(control, .cover, .word("up")) != nil)
    }

    @Test func whoIsGoneLetsGo() throws {
        let rig = try Self.rig()
        let calibrate = try Self.control("calibrate", rig)
        let (ann, bob) = (InputSourceID(7), InputSourceID(8))
        rig.move(calibrate, .press, nil, by: ann)
        rig.move(calibrate, .press, nil, by: bob)
        rig.pass(.milliseconds(200))
        rig.live.releaseAll(ann, realNow: rig.real)
        rig.pass(.milliseconds(200))
        expectEqual(try state("calibrate", rig).closedContacts, 1)
        rig.live.releaseAll(bob, realNow: rig.real)
        rig.pass(.milliseconds(200))
        expectEqual(try state("calibrate", rig).closedContacts, 0)
        expectEqual(rig.events().ranges(of: "\"released\"").count, 1)
    }

    static let refused: [(id: String, verb: GestureVerb, GestureArguments.Target?, says: String)] =
        [
            ("output", .press, nil, "does not support this gesture"),
            ("output", .flip, nil, "needs a position"),
            ("output", .flip, .word("sideways"), "no position `sideways`"),
            ("output", .flip, .number(2), "no such position"),
            ("output", .flip, .number(-1), "no such position"),
            ("output", .flip, .number(.min), "no such position"),
            ("output", .turn, .number(1), "does not support this gesture"),
            ("output", .cover, .word("open"), "does not support this gesture"),
            ("set-point", .turn, .number(1_001), "that far"),
            ("set-point", .turn, .number(.min), "that far"),
            ("set-point", .turn, .word("many"), "a number of detents"),
            ("set-point", .turn, nil, "a number of detents"),
            ("calibrate", .click, .word("CAM 1"), "no button `CAM 1`"),
            ("calibrate", .press, .number(1), "no such position or button"),
            ("calibrate", .hold, nil, "needs a time"),
            ("calibrate", .flip, .word("on"), "no position `on`"),
            ("calibrate", .flip, .number(0), "does not support this gesture"),
        ]

    @Test(arguments: refused) func whatAPartCannotDoIsRefused(
        _ id: String, _ verb: GestureVerb, _ target: GestureArguments.Target?, _ says: String
    ) throws {
        let rig = try Self.rig()
        let refusal = rig.move(try Self.control(id, rig), verb, target)
        expectEqual(refusal?.cause.contains(says), true, "\(String(describing: refusal))")
        expectEqual(refusal?.remedy.isEmpty, false)
        #expect(rig.live.session.steps.isEmpty, "nothing is recorded")
    }

    @Test func whatDoesNotExistOrIsTooMuchIsRefused() throws {
        let rig = try Self.rig()
        let output = try Self.control("output", rig)
        let calibrate = try Self.control("calibrate", rig)
        let tests = try Self.control("test-lamps", rig)
        let nobody = ControlID(999)
        let lamp = try line("GPIO27", rig)
        let day = TimeSpan.seconds(86_401)
        let requests: [SimulationCommand] = [
            .gesture(.press(nobody)), .gesture(.flip(nobody, to: 1)),
            .gesture(.click(calibrate, hold: day)), .bounce(nobody, .original),
            .bounce(output, .named("rubber")), .bounce(output, .named("original")),
            .bounce(output, .profile(BounceProfile(closes: .seconds(2)))),
            .action(nobody, ActionScript(takes: .zero, then: .succeed)),
            .action(tests, ActionScript(takes: .zero, then: .succeed)),
            .action(output, ActionScript(takes: day, then: .succeed)),
            .fail(output, code: 600), .fail(output, code: -2), .fail(tests, code: 1),
            .feedback(output, .on), .report(nobody, "a", times: 1),
            .report(output, "a", times: 1),
            .device(nobody, .on), .device(calibrate, .on), .device(output, .unknown),
            .gesture(.cut(lamp)),
            .gesture(.cut(LineID(9_999))),
            .gesture(.glitch(LineID(0), width: day)),
            .clock(.rate(99)), .clock(.rate(100_001)), .clock(.rate(.min)),
            .clock(.step(.seconds(1))),
        ]
        for request in requests {
            let refusal = rig.perform(request)
            expectEqual(refusal?.cause.isEmpty, false, "\(request)")
            expectEqual(refusal?.remedy.isEmpty, false, "\(request)")
        }
        rig.perform(.clock(.pause))
        #expect(rig.perform(.clock(.step(day))) != nil)
        #expect(rig.live.session.steps.isEmpty)
        #expect(!rig.live.send(.tick, realNow: rig.real))
        #expect(!rig.live.send(.edge(LineID(0), .active, sequence: 1), realNow: rig.real))
    }

    @Test func somebodyElseMayAsk() throws {
        let rig = try Self.rig()
        let output = try Self.control("output", rig)
        #expect(rig.live.send(.intent(output, .on, .web), realNow: rig.real))
        expectEqual(try state("output", rig).desired, .on, "at once")
        #expect(rig.live.send(.feedback(output, .off), realNow: rig.real))
        expectEqual(try state("output", rig).actual, .off)
    }
}
