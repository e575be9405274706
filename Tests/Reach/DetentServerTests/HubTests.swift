import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import Synchronization
import TestSupport
import Testing

@testable import DetentServer

/// What listeners are told, and when.
@Suite struct HubTests {
    @Test func firstComesASnapshotOfEverything() throws {
        let bench = try HubBench()
        let (ear, _) = bench.listen()
        expectEqual(ear.types, ["snapshot"])
        let snapshot = try #require(ear.messages.first)
        expectEqual(snapshot["lost"]?.truth, false)
        expectEqual(snapshot["session"]?.text, "session-1")
        expectEqual(snapshot["mode"]?.text, "hardware")
        expectEqual(
            snapshot["panel"]?["controls"]?.items?.count, bench.panel.plan.controls.count)
        for control in bench.panel.plan.controls {
            #expect(snapshot["state"]?[control.id]?["phase"] != nil, "\(control.id)")
        }
        expectEqual(snapshot["seq"]?.whole, Int(bench.hub.history.last))
        #expect(snapshot["clock"] == nil, "only a simulated panel has a clock")
    }

    @Test func nothingComesBeforeTheSnapshot() throws {
        let bench = try HubBench()
        bench.panel.hold()
        let (ear, _) = bench.listen()
        bench.panel.handle(.intent(bench.panel.control("level"), Value(10), .panel))
        bench.pass(.seconds(1))
        #expect(ear.messages.isEmpty)
        bench.panel.release()
        bench.drain()
        expectEqual(ear.types, ["snapshot"], "and the event is in it")
        expectEqual(ear.last("snapshot")?["state"]?["level"]?["value"], .number("1.0"))
    }

    @Test func eventsComeNumberedAndInOrderThenTheState() throws {
        let bench = try HubBench()
        let (ear, _) = bench.listen()
        ear.forget()
        bench.panel.handle(.intent(bench.panel.control("output"), .on, .panel))
        bench.pass(.seconds(1))
        expectEqual(ear.types, ["events", "state"])
        let first = try #require(ear.numbers.first)
        expectEqual(ear.numbers, Array(first..<first + ear.numbers.count))
        expectEqual(ear.last("state")?["state"]?["output"]?["phase"]?.text, "pending")
        #expect(ear.last("state")?["state"]?["mode"] == nil, "only what changed")
        let event = ear.all("events")[0]["events"]?.items?.first
        #expect(event?["control"]?.text == "output" && event?["event"]?.text == "changed")
    }

    /// A page that opens later learns of a failure, until the control is touched or succeeds.
    @Test func theOutcomeOfTheLastActionIsKept() throws {
        let bench = try HubBench()
        let output = bench.panel.control("output")
        let outcome = { () throws -> String? in
            bench.pass(.seconds(5))
            let (ear, _) = bench.listen()
            return ear.last("snapshot")?["state"]?["output"]?["outcome"]?.line
        }
        bench.panel.finish()
        bench.panel.handle(.intent(output, .on, .panel))
        bench.panel.finish(.failed(.exit(3)))
        let failed = try #require(try outcome())
        #expect(
            failed.hasPrefix(#"{"result": "failed", "reason": "exit 3", "program": "act", "at": "#),
            "\(failed)")
        #expect(failed.hasSuffix(#""seen": false}"#), "\(failed)")
        bench.panel.handle(.intent(output, .on, .panel))
        let seen = try #require(try outcome())
        #expect(seen.hasSuffix(#""seen": true}"#), "asked for something: \(seen)")
        bench.panel.finish()
        let done = try #require(try outcome())
        #expect(done.hasPrefix(#"{"result": "ok", "reason": null, "#), "\(done)")
        expectEqual(bench.hub.stateJSON(bench.panel.control("level"))["outcome"], .null)
    }

    @Test func atMostThirtyBatchesASecond() throws {
        let bench = try HubBench()
        let (ear, _) = bench.listen()
        bench.pass(.seconds(1))
        ear.forget()
        let dial = bench.panel.control("level")
        for step in 1...1_000 {
            bench.panel.handle(.intent(dial, Value(Int32(step % 20) * 5), .panel))
            bench.pass(.milliseconds(1))
        }
        bench.pass(RuntimeLimits.eventsEvery)
        #expect((25...32).contains(ear.all("events").count), "\(ear.all("events").count)")
        expectEqual(ear.all("state").count, ear.all("events").count)
        let first = try #require(ear.numbers.first)
        expectEqual(ear.numbers, Array(first...Int(bench.hub.history.last)), "none is missing")
    }

    @Test func deadlineSaysWhenTheRestGoesOut() throws {
        let bench = try HubBench()
        let (ear, _) = bench.listen()
        bench.pass(.seconds(1))
        expectEqual(bench.hub.deadline, .never, "nothing polls")
        let dial = bench.panel.control("level")
        bench.panel.handle(.intent(dial, Value(5), .panel))
        bench.drain()
        bench.panel.handle(.intent(dial, Value(10), .panel))
        bench.drain()
        ear.forget()
        expectEqual(bench.hub.deadline, bench.now + RuntimeLimits.eventsEvery)
        bench.now = bench.hub.deadline
        bench.hub.settle(now: bench.now)
        expectEqual(ear.types, ["events", "state"])
        expectEqual(bench.hub.deadline, .never)
    }

    // MARK: Resuming

    @Test func whoComesBackGetsWhatItMissed() throws {
        let bench = try HubBench()
        let (_, _) = bench.listen()
        let seen = bench.hub.history.last
        let dial = bench.panel.control("level")
        for step in 1...3 { bench.panel.handle(.intent(dial, Value(Int32(step) * 5), .panel)) }
        bench.pass(.seconds(1))
        let (ear, _) = bench.listen(resuming: Resumption(session: "session-1", since: seen))
        expectEqual(ear.types, ["events", "state"], "no snapshot")
        expectEqual(ear.numbers, Array(Int(seen) + 1...Int(bench.hub.history.last)))
        bench.panel.handle(.intent(dial, Value(20), .panel))
        bench.pass(.seconds(1))
        expectEqual(ear.numbers, Array(Int(seen) + 1...Int(bench.hub.history.last)))
    }

    @Test(arguments: [
        Resumption(session: "session-0", since: 1), Resumption(session: "session-1", since: 9_999),
        Resumption(session: "", since: 0),
    ])
    func whoWasElsewhereGetsASnapshot(_ resumption: Resumption) throws {
        let bench = try HubBench()
        let (ear, _) = bench.listen(resuming: resumption)
        expectEqual(ear.types, ["snapshot"])
    }

    @Test func whatIsForgottenIsNoGap() throws {
        let bench = try HubBench()
        let (_, _) = bench.listen()
        for _ in 0..<3 {
            bench.panel.flood(RuntimeLimits.history / 2)
            bench.pass(.seconds(1))
        }
        let (ear, _) = bench.listen(resuming: Resumption(session: "session-1", since: 5))
        expectEqual(ear.types, ["snapshot"])
        expectEqual(bench.hub.history.all.count, RuntimeLimits.history)
    }

    // MARK: Loss

    @Test func afterAGapComesASnapshot() throws {
        let bench = try HubBench()
        let (ear, _) = bench.listen()
        let seen = bench.hub.history.last
        ear.forget()
        bench.panel.flood(RuntimeLimits.updates + 100)
        bench.panel.handle(.intent(bench.panel.control("level"), Value(35), .panel))
        bench.pass(.seconds(1))
        bench.drain()
        expectEqual(ear.last("snapshot")?["lost"]?.truth, true)
        expectEqual(ear.last("snapshot")?["state"]?["level"]?["value"], .number("3.5"))
        #expect(bench.hub.counters.droppedUpdates > 0)
        let (other, _) = bench.listen(resuming: Resumption(session: "session-1", since: seen))
        expectEqual(other.types, ["snapshot"], "nobody knows what was between")
    }

    @Test func whoIsTooSlowGetsASnapshotAndNothingTwice() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        let (other, _) = bench.listen()
        ear.forget()
        other.forget()
        let dial = bench.panel.control("level")
        ear.isSlow = true
        for step in 1...3_000 {
            bench.panel.handle(.intent(dial, Value(Int32(step % 20) * 5), .panel))
            bench.pass(.milliseconds(40))
        }
        #expect(ear.backlog <= ServerLimits.backlogBytes)
        #expect(ear.all("snapshot").isEmpty)
        #expect(other.numbers.count > ear.numbers.count, "others are not held up")
        expectEqual(bench.hub.counters.lostListeners, 1)
        ear.isSlow = false
        ear.backlog = 0
        ear.forget()
        bench.hub.drained(source, now: bench.now)
        expectEqual(ear.types, ["snapshot"])
        expectEqual(ear.last("snapshot")?["lost"]?.truth, true)
        let seen = try #require(ear.last("snapshot")?["seq"]?.whole)
        bench.panel.handle(.intent(dial, Value(50), .panel))
        bench.pass(.seconds(1))
        expectEqual(ear.numbers.first, seen + 1)
    }

    @Test func whoDoesNotReadAnswersIsSentAway() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        ear.isSlow = true
        for id in 0..<20_000 where ear.end == nil {
            bench.say(#"{"type": "fly", "id": \#(id)}"#, source)
            bench.pass(.milliseconds(10))
        }
        expectEqual(ear.end, .tooSlow)
        #expect(ear.backlog <= 2 * ServerLimits.backlogBytes)
    }

    // MARK: Coming and going

    @Test func thePanelIsLeftAloneWhileNobodyIsThere() throws {
        let bench = try HubBench()
        let (first, source) = bench.listen()
        let (_, other) = bench.listen()
        bench.hub.detach(source, now: bench.now)
        bench.panel.handle(.intent(bench.panel.control("level"), Value(5), .panel))
        bench.pass(.seconds(1))
        bench.hub.detach(other, now: bench.now)
        expectEqual(bench.hub.deadline, .never)
        first.forget()
        bench.panel.handle(.intent(bench.panel.control("level"), Value(10), .panel))
        bench.pass(.seconds(1))
        expectEqual(bench.hub.history.all.last?.report.control, bench.panel.control("level"))
        #expect(first.messages.isEmpty)
        let (ear, _) = bench.listen()
        expectEqual(
            ear.last("snapshot")?["state"]?["level"]?["value"], .number("1.0"),
            "told anew, though no state was told meanwhile")
    }

    /// All states are told to somebody who has just gone: what changes after them is not known.
    @Test func statesThatComeTooLateAreNotKept() throws {
        let bench = try HubBench()
        bench.panel.hold()
        let (_, source) = bench.listen()
        bench.hub.detach(source, now: bench.now)
        bench.panel.release()
        bench.drain()
        let level = bench.panel.control("level")
        bench.panel.handle(.intent(level, Value(10), .panel))
        bench.pass(.seconds(1))
        var value: JSONValue?
        bench.hub.withStates(as: .view, now: bench.now) { _ in
            value = bench.hub.stateJSON(level)["value"]
        }
        bench.drain()
        expectEqual(value, .number("1.0"))
    }

    @Test func whatAConnectionHeldIsLetGo() throws {
        let bench = try HubBench(isSimulated: true)
        let desk = try #require(bench.panel.simulation)
        let (_, first) = bench.listen()
        let (_, second) = bench.listen()
        for source in [first, second] {
            bench.say(#"{"type": "gesture", "verb": "press", "control": "erase"}"#, source)
        }
        expectEqual(desk.script.withLock { $0.sources }, [first, second], "two sources")
        bench.hub.detach(first, now: bench.now)
        expectEqual(desk.script.withLock { $0.gone }, [first])
        bench.hub.detach(first, now: bench.now)
        expectEqual(desk.script.withLock { $0.gone }, [first], "once")
        bench.hub.detach(second, now: bench.now)
        expectEqual(desk.script.withLock { $0.gone }, [first, second])
    }

    @Test func startingOverIsANewSession() throws {
        let bench = try HubBench(isSimulated: true)
        let (ear, _) = bench.listen()
        bench.panel.handle(.intent(bench.panel.control("level"), Value(5), .panel))
        bench.pass(.seconds(1))
        ear.forget()
        bench.panel.tell(.restarted)
        bench.drain()
        bench.drain()
        expectEqual(ear.types, ["snapshot"])
        expectEqual(ear.last("snapshot")?["session"]?.text, "session-2")
        expectEqual(ear.last("snapshot")?["seq"]?.whole, 0)
        bench.panel.handle(.intent(bench.panel.control("level"), Value(10), .panel))
        bench.pass(.seconds(1))
        expectEqual(ear.numbers.first, 1)
    }
}
