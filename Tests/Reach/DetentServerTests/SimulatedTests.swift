import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld
import Synchronization
import TestSupport
import Testing

@testable import DetentServer

/// What only a simulated panel has, and the levels of its lines.
@Suite struct SimulatedTests {
    private func bench() throws -> (HubBench, ScriptedDesk) {
        let bench = try HubBench(isSimulated: true)
        return (bench, try #require(bench.panel.simulation))
    }

    private func change(
        _ bench: HubBench, _ desk: ScriptedDesk, _ body: (inout SimulationState) -> Void
    ) {
        desk.script.withLock { body(&$0.state) }
        bench.panel.tell(.simulation)
        bench.pass(.milliseconds(100))
    }

    @Test func theSnapshotHasClockAndSimulation() throws {
        let (bench, _) = try bench()
        let (ear, _) = bench.listen()
        let snapshot = try #require(ear.last("snapshot"))
        expectEqual(snapshot["mode"]?.text, "simulated")
        expectEqual(snapshot["clock"]?.line, #"{"running": true, "rate": 1}"#)
        expectEqual(
            snapshot["simulation"]?.line,
            #"{"faults": {}, "bounce": {}, "actions": {}, "#
                + #""asked": {}, "firstBounce": "", "profiles": ["none", "typical"], "#
                + #""waiting": 0, "refused": 0, "recorded": 0, "recording": true, "#
                + #""realActions": false}"#)
        expectEqual(
            snapshot["state"]?["arm"]?["stands"]?.line, #"{"position": null, "cover": null}"#)
    }

    @Test func whatChangesOnTheDeskIsTold() throws {
        let (bench, desk) = try bench()
        let (ear, _) = bench.listen()
        ear.forget()
        change(bench, desk) { $0.partPositions[4].isCoverOpen = true }
        expectEqual(ear.types, ["state"])
        expectEqual(ear.last("state")?["state"]?["arm"]?["stands"]?["cover"]?.truth, true)
        ear.forget()
        change(bench, desk) {
            $0.faults[LineID(0)] = .stuck(.active)
            $0.actions[bench.panel.control("output")] = ActionScript(
                takes: .milliseconds(800), then: .fail(code: 3))
            $0.bounces[bench.panel.control("output")] = "cherry-mx"
            $0.asked[bench.panel.control("output")] = "run: [supply, on]"
        }
        expectEqual(ear.types, ["simulation"])
        let message = try #require(ear.last("simulation"))
        expectEqual(message["faults"]?.line, #"{"I1": "stuck-active"}"#)
        expectEqual(message["bounce"]?.line, #"{"output": "cherry-mx"}"#)
        expectEqual(message["asked"]?.line, #"{"output": "run: [supply, on]"}"#)
        expectEqual(
            message["actions"]?.line, #"{"output": {"takes": "800ms", "then": "fail", "code": 3}}"#)
        ear.forget()
        change(bench, desk) { $0.now = .zero + .seconds(5) }
        #expect(ear.types.isEmpty, "that time passes is no news")
    }

    @Test func theClockIsToldEachSecondAtAnotherRate() throws {
        let (bench, desk) = try bench()
        let (ear, _) = bench.listen()
        ear.forget()
        change(bench, desk) { $0.rate = 100 }
        expectEqual(ear.last("clock")?["rate"], .number("0.1"))
        for _ in 0..<30 {
            bench.now = min(bench.hub.deadline, bench.now + .milliseconds(100))
            bench.hub.settle(now: bench.now)
        }
        #expect((3...4).contains(ear.all("clock").count), "\(ear.all("clock").count)")
        change(bench, desk) { $0.isRunning = false }
        expectEqual(ear.last("clock")?["running"]?.truth, false)
        expectEqual(bench.hub.deadline, .never, "a clock that stands is told once")
    }

    @Test func aStepOfAClockThatStandsIsTold() throws {
        let (bench, desk) = try bench()
        let (ear, _) = bench.listen()
        change(bench, desk) { $0.isRunning = false }
        ear.forget()
        change(bench, desk) { $0.now = .zero + .milliseconds(10) }
        expectEqual(ear.types, ["clock"])
        expectEqual(ear.last("clock")?["at"], .number("10000000"))
        ear.forget()
        change(bench, desk) { _ in }
        #expect(ear.types.isEmpty, "nothing was stepped")
    }

    @Test(arguments: [
        (
            #""type": "gesture", "verb": "press", "control": "mode", "value": "Eco""#,
            SimulationCommand.gesture(.press(ControlID(2), button: 0))
        ),
        (
            #""type": "gesture", "verb": "turn", "control": "level", "value": -3"#,
            .gesture(.turn(ControlID(1), detents: -3, perSecond: Gesture.turnsPerSecond))
        ),
        (
            #""type": "gesture", "verb": "hold", "control": "erase", "for": "2s""#,
            .gesture(.click(ControlID(3), hold: .seconds(2)))
        ),
        (
            #""type": "gesture", "verb": "stick", "line": "I1", "value": "active""#,
            .gesture(.stick(LineID(0), .active))
        ),
        (
            #""type": "gesture", "verb": "glitch", "line": "I1", "for": "50us""#,
            .gesture(.glitch(LineID(0), width: .microseconds(50)))
        ),
        (#""type": "clock", "do": "pause""#, .clock(.pause)),
        (#""type": "clock", "do": "run""#, .clock(.run)),
        (#""type": "clock", "do": "restart""#, .clock(.restart)),
        (#""type": "clock", "do": "step", "by": "10ms""#, .clock(.step(.milliseconds(10)))),
        (#""type": "clock", "do": "rate", "rate": 0.1"#, .clock(.rate(100))),
        (
            #""type": "simulate", "control": "output", "bounce": "cherry-mx""#,
            .bounce(ControlID(0), .named("cherry-mx"))
        ),
        (
            #""type": "simulate", "control": "output", "bounce": null"#,
            .bounce(ControlID(0), .original)
        ),
        (
            #""type": "simulate", "control": "output", "#
                + #""bounce": {"closes": "3ms", "opens": "1ms"}"#,
            .bounce(
                ControlID(0),
                .profile(BounceProfile(closes: .milliseconds(3), opens: .milliseconds(1))))
        ),
        (
            #""type": "simulate", "control": "output", "#
                + #""action": {"takes": "2s", "then": "fail", "code": 3}"#,
            .action(ControlID(0), ActionScript(takes: .seconds(2), then: .fail(code: 3)))
        ),
        (
            #""type": "simulate", "control": "output", "action": {"takes": "2s", "then": "hang"}"#,
            .action(ControlID(0), ActionScript(takes: .seconds(2), then: .hang))
        ),
        (#""type": "simulate", "control": "output", "fail": 3"#, .fail(ControlID(0), code: 3)),
        (#""type": "simulate", "control": "output", "finish": true"#, .finish(ControlID(0))),
        (
            #""type": "simulate", "control": "output", "device": "off""#,
            .device(ControlID(0), .off)
        ),
        (
            #""type": "simulate", "control": "output", "feedback": "off""#,
            .feedback(ControlID(0), .off)
        ),
        (
            #""type": "simulate", "control": "output", "report": "GEAR 1\n", "times": 3"#,
            .report(ControlID(0), "GEAR 1\n", times: 3)
        ),
        (
            #""type": "simulate", "control": "output", "action": {"takes": "2s", "answer": "1"}"#,
            .action(ControlID(0), ActionScript(takes: .seconds(2), answer: "1"))
        ),
    ])
    func isAskedOfTheDesk(_ members: String, _ request: SimulationCommand) throws {
        let (bench, desk) = try bench()
        let (ear, source) = bench.listen()
        bench.say(#"{"id": 1, \#(members)}"#, source)
        #expect(ear.last("answer")?["problem"] == nil, "\(ear.last("answer")?.line ?? "")")
        expectEqual(desk.script.withLock { $0.requests }, [request])
    }

    @Test(arguments: [
        (#""type": "gesture", "verb": "pres", "control": "erase""#, 404),
        (#""type": "gesture", "verb": "press", "control": "eras""#, 404),
        (#""type": "gesture", "verb": "press""#, 400),
        (#""type": "gesture", "control": "erase""#, 400),
        (#""type": "gesture", "verb": "press", "line": "I1""#, 404),
        (#""type": "gesture", "verb": "stick", "line": "I1""#, 422),
        (#""type": "gesture", "verb": "turn", "control": "level", "value": 1e9"#, 422),
        (#""type": "gesture", "verb": "hold", "control": "erase", "for": 2"#, 400),
        (#""type": "clock", "do": "rate", "rate": 0.01"#, 422),
        (#""type": "clock", "do": "rate", "rate": 101"#, 422),
        (#""type": "clock", "do": "step""#, 400), (#""type": "clock", "do": "fly""#, 422),
        (#""type": "simulate", "control": "output""#, 400),
        (#""type": "simulate", "control": "output", "bounce": 3"#, 400),
        (#""type": "simulate", "control": "output", "action": {"then": "fail"}"#, 400),
        (#""type": "simulate", "control": "output", "fail": 600"#, 422),
        (#""type": "simulate", "control": "output", "finish": false"#, 400),
        (#""type": "simulate", "control": "erase", "device": "press""#, 422),
    ])
    func whatCannotBeIsAnswered(_ members: String, _ status: Int) throws {
        let (bench, desk) = try bench()
        let (ear, source) = bench.listen()
        bench.say(#"{"id": 1, \#(members)}"#, source)
        expectEqual(ear.last("answer")?["problem"]?["status"]?.whole, status)
        #expect(desk.script.withLock { $0.requests }.isEmpty)
    }

    @Test func theDeskMayRefuse() throws {
        let (bench, desk) = try bench()
        let (ear, source) = bench.listen()
        for (sort, status) in [(SimulationError.Sort.impossible, 422), (.tooMuch, 429)] {
            desk.script.withLock {
                $0.refusal = SimulationError(sort, cause: "it is broken", remedy: "fix it")
            }
            bench.say(#"{"type": "clock", "do": "pause", "id": 1}"#, source)
            let problem = ear.last("answer")?["problem"]
            expectEqual(problem?["status"]?.whole, status)
            expectEqual(problem?["title"]?.text, "it is broken")
            expectEqual(problem?["detail"]?.text, "fix it")
        }
    }

    // MARK: Waves

    @Test func levelsOfTracedLinesAreTold() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        let (other, _) = bench.listen()
        bench.say(#"{"type": "trace", "lines": ["I1", "L1"], "id": 1}"#, source)
        bench.pass(.milliseconds(100))
        let first = try #require(ear.last("waves"))
        expectEqual(
            first["lines"]?.items?.map { $0["name"]?.text }, ["I1", "L1"], "as they are now")
        expectEqual(first["lines"]?.items?[0]["contact"]?.items?.count, 1)
        expectEqual(first["lines"]?.items?[1]["contact"]?.items?.isEmpty, true, "a lamp is none")
        ear.forget()
        bench.panel.level("I1", .active)
        bench.panel.level("M1", .active)
        bench.pass(.milliseconds(100))
        let waves = try #require(ear.last("waves"))
        expectEqual(waves["lines"]?.items?.count, 1, "M1 was not asked for")
        expectEqual(waves["lines"]?.items?[0]["raw"]?.items?.first?.items?[1], .integer(1))
        expectEqual(waves["lines"]?.items?[0]["gap"]?.truth, false)
        let last = waves["lines"]?.items?[0]["raw"]?.items?.last?.items?[0].whole ?? .max
        #expect(last <= waves["until"]?.whole ?? 0)
        #expect(other.all("waves").isEmpty)
    }

    @Test func atMostTwentyWavesASecond() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.say(#"{"type": "trace", "lines": ["I1"], "id": 1}"#, source)
        bench.pass(.seconds(1))
        ear.forget()
        for step in 0..<1_000 {
            bench.panel.level("I1", step % 2 == 0 ? .active : .inactive)
            bench.pass(.milliseconds(1))
        }
        bench.pass(ServerLimits.wavesEvery)
        #expect((18...22).contains(ear.all("waves").count), "\(ear.all("waves").count)")
        let points = ear.all("waves").flatMap { $0["lines"]?.items ?? [] }
            .flatMap { $0["raw"]?.items ?? [] }
        expectEqual(points.count, 1_000, "none is missing")
    }

    @Test func lossIsAGap() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.say(#"{"type": "trace", "lines": ["I1"], "id": 1}"#, source)
        bench.pass(.seconds(1))
        ear.forget()
        bench.panel.flood(RuntimeLimits.updates + 10)
        bench.pass(.seconds(1))
        bench.panel.level("I1", .active)
        bench.pass(.seconds(1))
        expectEqual(ear.last("waves")?["lines"]?.items?[0]["gap"]?.truth, true)
    }

    @Test func whoLeavesTracesNoMore() throws {
        let bench = try HubBench()
        let (_, first) = bench.listen()
        let (ear, second) = bench.listen()
        bench.say(#"{"type": "trace", "lines": ["I1"]}"#, first)
        bench.say(#"{"type": "trace", "lines": ["L1"]}"#, second)
        bench.hub.detach(first, now: bench.now)
        bench.pass(.seconds(1))
        ear.forget()
        bench.panel.level("I1", .active)
        bench.panel.level("L1", .active)
        bench.pass(.seconds(1))
        expectEqual(
            ear.all("waves").flatMap { $0["lines"]?.items ?? [] }.map { $0["name"]?.text }, ["L1"])
    }
}
