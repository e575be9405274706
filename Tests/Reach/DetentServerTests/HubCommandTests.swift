import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import TestSupport
import Testing

@testable import DetentServer

/// What listeners ask for, and how it is answered.
@Suite struct HubCommandTests {
    private func problem(_ ear: RecordingListener) -> JSONValue? { ear.last("answer")?["problem"] }

    @Test func whatIsSetIsAnsweredWhenTheCoreTookIt() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.panel.hold()
        bench.say(#"{"type": "set", "id": 7, "control": "output", "value": "on"}"#, source)
        #expect(ear.last("answer") == nil, "the core has not spoken")
        bench.panel.release()
        bench.drain()
        expectEqual(
            ear.last("answer"), .object([("type", .string("answer")), ("id", .integer(7))]))
        bench.pass(.seconds(1))
        let event = ear.all("events").last?["events"]?.items?.first
        expectEqual(event?["origin"]?.text, "web")
    }

    @Test func aPanelThatStandsStillIsSaid() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.panel.hold()
        bench.say(#"{"type": "set", "id": 1, "control": "level", "value": 2.5}"#, source)
        expectEqual(bench.hub.deadline, bench.now + RuntimeLimits.answerTime)
        bench.pass(.milliseconds(1_999))
        #expect(ear.last("answer") == nil)
        bench.pass(.milliseconds(1))
        expectEqual(ear.last("answer")?["id"]?.whole, 1)
        expectEqual(problem(ear)?["status"]?.whole, 503, "nobody knows what became of it")
    }

    /// Nothing changes, so no report could tell it.
    @Test func whatIsSetAlreadyIsAnsweredAtOnce() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        for id in 1...3 {
            bench.say(
                #"{"type": "set", "id": \#(id), "control": "level", "value": 2.5}"#, source)
            #expect(ear.last("answer")?["id"]?.whole == id && problem(ear) == nil)
            #expect(bench.hub.changes.isEmpty)
        }
    }

    /// The same control, the same origin, the same turn: 409 and 202 must not change places.
    @Test func answersOfOneTurnFindTheirCallers() throws {
        let bench = try HubBench(
            ServedPanel(
                ServedPanel.plan(
                    """
                    panel: Bench
                    board: none
                    controls:
                      pump:
                        kind: switch
                        label: Pump
                        input: I1
                        action: {run: [act], timeout: 5s, supersede: ignore}
                    """)))
        bench.panel.finish()  // the start has run the action of its position
        let (one, first) = bench.listen()
        let (other, second) = bench.listen()
        bench.say(#"{"type": "set", "id": 1, "control": "pump", "value": "on"}"#, first)
        #expect(problem(one) == nil)
        for _ in 0..<10 {
            bench.panel.hold()
            bench.say(#"{"type": "set", "id": 2, "control": "pump", "value": "on"}"#, first)
            bench.say(#"{"type": "set", "id": 3, "control": "pump", "value": "off"}"#, second)
            bench.panel.release()
            bench.drain()
            #expect(one.last("answer")?["id"]?.whole == 2 && problem(one) == nil)
            expectEqual(other.last("answer")?["id"]?.whole, 3)
            expectEqual(problem(other)?["reason"]?.text, "busy")
        }
    }

    @Test func refusalsOfTheCoreSayWhy() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.say(#"{"type": "set", "id": 2, "control": "mode", "value": "Boost"}"#, source)
        expectEqual(problem(ear)?["status"]?.whole, 409)
        expectEqual(problem(ear)?["reason"]?.text, "disabled")
        expectEqual(problem(ear)?["detail"]?.text, "it is enabled when output is on")
        bench.say(#"{"type": "fire", "id": 3, "control": "arm"}"#, source)
        expectEqual(problem(ear)?["reason"]?.text, "guarded")
    }

    @Test(arguments: [
        (#""control": "outptu", "value": "on""#, 404, "did you mean `output`?"),
        (#""control": "output", "value": "onn""#, 422, "did you mean `on`? one of: off, on"),
        (#""control": "output""#, 422, "one of: off, on"),
        (#""control": "level", "value": 11"#, 422, "send a number from 0.0 to 10.0"),
        (#""control": "level", "value": "x""#, 422, "send a number"),
        (#""control": "mode", "value": ["Eco"]"#, 422, "one of: Eco, Boost, Night"),
        (#""control": "parts", "value": "Fa""#, 422, "send an array of words"),
        (#""control": "parts", "value": "Pump+Fa""#, 422, "send an array of words"),
        (#""control": "erase", "value": "off""#, 422, "one of: press"),
        (#""value": "on""#, 400, #"send it, such as "control": "output""#),
    ])
    func whatCannotBeIsAnsweredAtOnce(_ members: String, _ status: Int, _ remedy: String) throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.say(#"{"type": "set", "id": 4, \#(members)}"#, source)
        expectEqual(problem(ear)?["status"]?.whole, status, "\(ear.messages.last?.line ?? "")")
        expectEqual(problem(ear)?["detail"]?.text, remedy)
    }

    @Test(arguments: [#"["Light", "Pump"]"#, #""Light+Pump""#, #""Pump+Light""#])
    func severalValuesAreAnArrayOrJoined(_ value: String) throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.say(
            #"{"type": "set", "id": 5, "control": "parts", "value": \#(value)}"#, source)
        bench.pass(.seconds(1))
        #expect(problem(ear) == nil)
        expectEqual(
            ear.last("state")?["state"]?["parts"]?["value"],
            .array([.string("Pump"), .string("Light")]))
    }

    @Test func tooManyAtOnceIsSaid() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.panel.isFull = true
        bench.say(#"{"type": "set", "id": 6, "control": "output", "value": "on"}"#, source)
        expectEqual(problem(ear)?["status"]?.whole, 429)
        #expect(bench.hub.changes.isEmpty)
        bench.panel.isFull = false
        bench.panel.hold()
        // One connection has its share, and others go on.
        for _ in 0...ServerLimits.waitingPerConnection {
            bench.say(#"{"type": "set", "id": 7, "control": "output", "value": "on"}"#, source)
        }
        expectEqual(problem(ear)?["status"]?.whole, 429)
        expectEqual(
            problem(ear)?["detail"]?.text, "wait for an answer before you send the next change")
        expectEqual(bench.hub.changes.count, ServerLimits.waitingPerConnection)
        for _ in 1..<ServerLimits.waitingRequests / ServerLimits.waitingPerConnection {
            let (_, more) = bench.listen()
            for _ in 0..<ServerLimits.waitingPerConnection {
                bench.say(#"{"type": "set", "id": 8, "control": "output", "value": "on"}"#, more)
            }
        }
        expectEqual(bench.hub.changes.count, ServerLimits.waitingRequests)
        let (last, lastHolder) = bench.listen()
        bench.say(#"{"type": "set", "id": 9, "control": "output", "value": "on"}"#, lastHolder)
        expectEqual(problem(last)?["status"]?.whole, 429)
        expectEqual(bench.hub.changes.count, ServerLimits.waitingRequests)
    }

    /// The server looks at the panel at most thirty times a second, but at once for an answer.
    @Test func aRequestThatWaitsEndsThePause() throws {
        let bench = try HubBench()
        let (_, holder) = bench.listen()
        bench.pass(.seconds(1))
        expectEqual(bench.endedPauses, 0, "events can wait")
        bench.panel.hold()
        for _ in 0..<2 {
            bench.say(#"{"type": "set", "id": 7, "control": "output", "value": "on"}"#, holder)
        }
        #expect(bench.hub.isAwaited)
        expectEqual(bench.endedPauses, 1, "it has ended already for the second one")
        bench.panel.release()
        bench.drain()
        #expect(!bench.hub.isAwaited)
        var isTold = false
        bench.hub.updateWatching(now: bench.now)
        bench.hub.withStates(as: .view, now: bench.now) { _ in isTold = true }
        #expect(isTold && bench.endedPauses == 1, "what is known is told without the panel")
    }

    // MARK: Confirming

    @Test func destructiveIsAskedTwice() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.say(#"{"type": "fire", "id": 1, "control": "erase"}"#, source)
        expectEqual(problem(ear)?["status"]?.whole, 409)
        expectEqual(problem(ear)?["within"]?.text, "30s")
        let token = try #require(problem(ear)?["confirm"]?.text)
        #expect(bench.hub.changes.isEmpty, "the core was not asked")
        bench.say(
            #"{"type": "fire", "id": 2, "control": "erase", "confirm": "\#(token)"}"#, source)
        bench.pass(.seconds(1))
        #expect(ear.last("answer")?["id"]?.whole == 2 && problem(ear) == nil)
        expectEqual(ear.last("state")?["state"]?["erase"]?["phase"]?.text, "pending")
        bench.panel.finish()
        bench.say(
            #"{"type": "fire", "id": 3, "control": "erase", "confirm": "\#(token)"}"#, source)
        #expect(problem(ear)?["confirm"] != nil, "a token is good for once")
    }

    @Test func aTokenIsForThisControlAndForAWhile() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.say(#"{"type": "fire", "id": 1, "control": "erase"}"#, source)
        let token = try #require(problem(ear)?["confirm"]?.text)
        bench.say(#"{"type": "fire", "id": 2, "control": "erase", "confirm": "wrong"}"#, source)
        #expect(problem(ear)?["confirm"] != nil)
        bench.pass(.seconds(31))
        bench.say(
            #"{"type": "fire", "id": 3, "control": "erase", "confirm": "\#(token)"}"#, source)
        expectEqual(problem(ear)?["title"]?.text, "The confirmation token has expired")
    }

    // MARK: Tokens and rates

    @Test func withoutTheTokenNothingIsTold() throws {
        let bench = try HubBench(token: "0123456789abcdef")
        let (ear, source) = bench.listen()
        bench.panel.handle(.intent(bench.panel.control("level"), Value(5), .panel))
        bench.pass(.seconds(1))
        #expect(ear.messages.isEmpty)
        bench.say(#"{"type": "token", "token": "0123456789abcdef", "id": 1}"#, source)
        expectEqual(ear.types, ["answer", "snapshot"])
    }

    @Test(arguments: [
        #"{"type": "token", "token": "0123456789abcdeX"}"#, #"{"type": "token"}"#, "[",
        #"{"type": "set", "control": "output", "value": "on"}"#,
    ])
    func aWrongTokenEndsIt(_ first: String) throws {
        let bench = try HubBench(token: "0123456789abcdef")
        let (ear, source) = bench.listen()
        bench.say(first, source)
        #expect(ear.end == nil && problem(ear) == nil, "whoever tries tokens waits")
        expectEqual(bench.hub.deadline, bench.now + ServerLimits.wrongTokenTime)
        bench.say(#"{"type": "token", "token": "0123456789abcdef"}"#, source)
        bench.pass(ServerLimits.wrongTokenTime)
        expectEqual(ear.end, .unauthorized, "it has one try")
        expectEqual(problem(ear)?["status"]?.whole, 401)
        #expect(bench.hub.changes.isEmpty)
    }

    @Test func theTokenHasItsTime() throws {
        let bench = try HubBench(token: "0123456789abcdef")
        let (ear, _) = bench.listen()
        expectEqual(bench.hub.deadline, bench.now + ServerLimits.tokenTime)
        bench.pass(.milliseconds(4_999))
        #expect(ear.end == nil)
        bench.pass(.milliseconds(1))
        expectEqual(ear.end, .unauthorized)
        expectEqual(bench.hub.deadline, .never, "what is over is not looked at again")
        let (known, _) = bench.listen(role: .configure)
        expectEqual(known.types, ["snapshot"], "a program has shown it in a header")
    }

    @Test func twoHundredMessagesASecond() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        for id in 1...201 { bench.say(#"{"type": "resync", "id": \#(id)}"#, source) }
        expectEqual(ear.all("answer").filter { $0["problem"] != nil }.count, 1)
        expectEqual(problem(ear)?["status"]?.whole, 429)
        bench.pass(.seconds(1))
        bench.say(#"{"type": "resync", "id": 202}"#, source)
        #expect(problem(ear) == nil)
    }

    @Test(arguments: [
        ("nonsense", 400), ("[]", 400), ("{}", 400), (#"{"type": "fly"}"#, 400),
        (#"{"type": "lamp-test"}"#, 400), (#"{"type": "trace", "lines": ["I9"]}"#, 404),
        (#"{"type": "gesture", "verb": "press", "control": "erase"}"#, 409),
        (#"{"type": "clock", "do": "pause"}"#, 409),
    ])
    func whatIsNotUnderstoodIsAnswered(_ text: String, _ status: Int) throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.say(text, source)
        expectEqual(problem(ear)?["status"]?.whole, status)
        #expect(ear.end == nil)
    }

    @Test func aListIsClosed() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        let select = try #require(bench.panel.plan.line(named: "SELECT"))
        bench.panel.handle(.edge(select, .active, sequence: 1))
        bench.say(#"{"type": "close", "control": "tools", "id": 1}"#, source)
        #expect(ear.last("answer")?["id"]?.whole == 1 && problem(ear) == nil)
        bench.pass(.milliseconds(300))
        let told = ear.all("events").flatMap { $0["events"]?.items ?? [] }
        expectEqual(
            told.filter { $0["control"]?.text == "tools" }.compactMap { $0["event"]?.text },
            ["pressed", "opened", "focused", "closed"])
        bench.say(#"{"type": "close", "control": "output", "id": 2}"#, source)
        expectEqual(problem(ear)?["title"]?.text, "`output` has no list to close")
    }

    @Test func aReloadIsTold() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.say(#"{"type": "reload", "id": 1}"#, source)
        bench.pass(.milliseconds(300))
        let told = ear.all("events").flatMap { $0["events"]?.items ?? [] }
            .filter { $0["event"]?.text == "reload" }
        expectEqual(told.map { $0["origin"]?.text }, ["web"])
    }

    @Test func lampTestReachesThePanel() throws {
        let bench = try HubBench()
        let (ear, source) = bench.listen()
        bench.say(#"{"type": "lamp-test", "on": true, "id": 1}"#, source)
        #expect(ear.last("answer")?["id"]?.whole == 1 && problem(ear) == nil)
    }
}
