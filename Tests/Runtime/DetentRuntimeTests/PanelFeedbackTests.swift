import DetentActions
import DetentCore
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentRuntime

/// Real programs, and requests that a test answers.
@Suite(.serialized) struct PanelFeedbackTests {
    private final class Rig {
        let feedback: PanelFeedback
        let inbox: Inbox
        let runner: ScriptedRunner
        private let log = MessageLog()
        private var waiting: [Event] = []
        /// When the last answer was asked for.
        private(set) var asked = Instant.never

        init(_ plan: PanelPlan, listener: [String] = []) throws {
            inbox = try Inbox()
            runner = try ScriptedRunner()
            feedback = try PanelFeedback(
                plan, guardian: Guardian(), requests: runner, listener: listener, inbox: inbox,
                log: { [log] in log.add($0) })
            try feedback.begin()
        }

        // A request that no test has answered holds what asked.
        deinit { _ = runner.stop(within: .zero) }

        var said: String { log.all.joined() }

        /// The next event for the loop of a panel; nil after 30 seconds.
        func next(panel: UInt32 = 0) -> Event? {
            let deadline = MonotonicClock.now + .seconds(30)
            var set = PollSet(capacity: 1)
            _ = set.add(inbox.descriptor)
            while waiting.isEmpty, MonotonicClock.now < deadline {
                _ = set.wait(now: MonotonicClock.now, until: deadline)
                inbox.drain(for: panel) { waiting.append($0.event) }
            }
            guard !waiting.isEmpty else { return nil }
            let event = waiting.removeFirst()
            guard case .feedback(let control, let value, let asked) = event else { return event }
            self.asked = asked
            return .feedback(control, value)
        }
    }

    private static let on = Event.feedback(ControlID(0), .on)
    private static let off = Event.feedback(ControlID(0), .off)
    private static let lost = Event.feedbackLost(ControlID(0))

    private static func plan(_ feedback: String, more: String = "") throws -> PanelPlan {
        let text = """
            {panel: P, board: none, controls: {
            c: {kind: switch, label: Lamp, input: A, action: {run: [x], timeout: 1s}, \(more)
            feedback: {\(feedback)}}}}
            """
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        return try #require(reading.plan, "\(reading.problems)")
    }

    private static func shell(_ script: String) -> String { "watch: [sh, -c, '\(script)']" }

    @Test func aLineOfAProgramIsAReport() throws {
        let rig = try Rig(try Self.plan(Self.shell("echo on; exec sleep 60")))
        expectEqual(rig.next(), Self.on)
        rig.feedback.stop(within: .seconds(5))
        expectEqual(rig.said, "")
    }

    @Test func aProgramThatEndsMakesItStaleAndIsStartedAgain() throws {
        let rig = try Rig(try Self.plan(Self.shell("echo on; exit 3")))
        expectEqual(rig.next(), Self.on)
        expectEqual(rig.next(), Self.lost)
        expectEqual(rig.next(), Self.on)
        rig.feedback.stop(within: .seconds(5))
        #expect(
            rig.said.hasPrefix(
                "detent: feedback of c: the program sh has ended: it exited with code 3\nhelp: "),
            "\(rig.said)")
    }

    /// A program forges no line of the log, and its words have the name of its control.
    @Test func standardErrorHasAName() throws {
        let script = #"printf "detent: P runs\\n\\033]0;owned\\007\\n" >&2; echo on; exec sleep 60"#
        let rig = try Rig(try Self.plan(Self.shell(script)))
        expectEqual(rig.next(), Self.on)
        rig.feedback.stop(within: .seconds(5))
        expectEqual(
            rig.said,
            "detent: c: stderr: detent: P runs\n"
                + #"detent: c: stderr: \u001b]0;owned\u0007"# + "\n")
    }

    @Test func aKilledProgramIsToldInASentence() throws {
        let rig = try Rig(try Self.plan(Self.shell("kill -9 $$")))
        expectEqual(rig.next(), Self.lost)
        rig.feedback.stop(within: .seconds(5))
        #expect(rig.said.contains("has ended: it was killed by signal 9, Killed\n"), "\(rig.said)")
    }

    /// The time of `stale-after` runs in the engine; an interruption alone changes nothing.
    @Test func staleAfterForgivesAnInterruption() throws {
        let rig = try Rig(
            try Self.plan(Self.shell("echo on; exit 3"), more: "stale-after: 10s,"))
        expectEqual(rig.next(), Self.on)
        expectEqual(rig.next(), Self.on)
        rig.feedback.stop(within: .seconds(5))
        #expect(rig.said.contains("exited with code 3"))
    }

    @Test func aMissingProgramIsTold() throws {
        let rig = try Rig(try Self.plan("watch: [/nowhere/recorder]"))
        expectEqual(rig.next(), Self.lost)
        rig.feedback.stop(within: .seconds(5))
        #expect(rig.said.contains("cannot start \'/nowhere/recorder\'"), "\(rig.said)")
    }

    @Test func aFloodEndsAtItsLastWord() throws {
        let script = "yes on | head -n 200000; echo off; exec sleep 60"
        let begun = MonotonicClock.now
        let rig = try Rig(try Self.plan(Self.shell(script)))
        var count = 1
        var last = rig.next()
        while last == Self.on {
            last = rig.next()
            count += 1
        }
        let passed = MonotonicClock.now - begun
        expectEqual(last, Self.off)
        #expect(UInt64(count) <= passed.nanoseconds / 20_000_000 + 2, "\(count)")
        rig.feedback.stop(within: .seconds(5))
    }

    /// One that never pauses is read no faster, and ends with the panel.
    @Test func aFloodWithoutEndEndsWithThePanel() throws {
        let rig = try Rig(try Self.plan("watch: [yes, on]"))
        expectEqual(rig.next(), Self.on)
        expectEqual(rig.next(), Self.on)
        rig.feedback.stop(within: .seconds(5))
        #expect(rig.said.contains("only the newest report counts"), "\(rig.said)")
    }

    private static func messages(_ sources: String...) throws -> PanelPlan {
        let controls = sources.enumerated().map { place, osc in
            "c\(place): {kind: switch, label: Lamp \(place), input: A\(place), "
                + "action: {run: [x], timeout: 1s}, feedback: {osc: {\(osc)}}}"
        }
        let reading = PanelReader.read(
            SourceText(
                file: "p.yaml",
                text: "{panel: P, board: none, controls: {\(controls.joined(separator: ", "))}}"))
        return try #require(reading.plan, "\(reading.problems)")
    }

    /// Sources at one address share a listener, which gets their addresses in the order of the
    /// controls.
    @Test func aListenerReportsForAllItsSources() throws {
        let plan = try Self.messages(
            "listen: \"127.0.0.1:9000\", address: /a",
            "listen: \"[::1]:9000\", address: /b",
            "listen: \"127.0.0.1:9000\", address: /c, argument: 2")
        expectEqual(WatchedFeed.all(of: plan).map(\.sources.count), [2, 1])
        let script = """
            case $1 in
            127.*) [ "$*" = "127.0.0.1:9000 /a 1 /c 2" ] && printf '1 on\\n0 off\\n' ;;
            *) [ "$*" = "[::1]:9000 /b 1" ] && echo 0 on ;;
            esac
            exec sleep 60
            """
        let rig = try Rig(plan, listener: ["sh", "-c", script, "sh"])
        let heard = [rig.next(), rig.next(), rig.next()]
        for (place, value) in [Value.off, .on, .on].enumerated() {
            #expect(heard.contains(.feedback(ControlID(UInt16(place)), value)), "\(heard)")
        }
        rig.feedback.stop(within: .seconds(5))
        expectEqual(rig.said, "")
    }

    @Test func aListenerThatEndsIsMissedByAllItsSources() throws {
        let plan = try Self.messages(
            "listen: \"127.0.0.1:9000\", address: /a", "listen: \"127.0.0.1:9000\", address: /b")
        let rig = try Rig(plan, listener: ["sh", "-c", "exit 3", "sh"])
        let lost = [rig.next(), rig.next()]
        #expect(lost.contains(.feedbackLost(ControlID(0))), "\(lost)")
        #expect(lost.contains(.feedbackLost(ControlID(1))), "\(lost)")
        rig.feedback.stop(within: .seconds(5))
        #expect(
            rig.said.contains(
                "feedback of c1: the listener at 127.0.0.1:9000 has ended: it exited with code 3"),
            "\(rig.said)")
    }

    /// The end of an action makes what was asked for before it worthless: it is asked again at
    /// once.
    @Test(arguments: [true, false]) func afterAnActionAServiceIsAskedAgain(isAsking: Bool) throws {
        let rig = try Rig(try Self.plan("http: {get: \"http://h/\", every: 1h}, pointer: /a"))
        try #require(rig.runner.waitForBegun(1))
        let begun = MonotonicClock.now
        if isAsking { rig.feedback.actionEnded(of: "c", at: begun) }
        rig.runner.end(rig.runner.begun[0].run, answer: "{\"a\": \"off\"}")
        expectEqual(rig.next(), Self.off)
        #expect(rig.asked <= begun, "it says when it was asked for")
        if !isAsking { rig.feedback.actionEnded(of: "c", at: MonotonicClock.now) }
        rig.feedback.actionEnded(of: "other", at: MonotonicClock.now)
        try #require(rig.runner.waitForBegun(2))
        rig.runner.end(rig.runner.begun[1].run, answer: "{\"a\": \"on\"}")
        expectEqual(rig.next(), Self.on)
        #expect(rig.asked >= begun)
        rig.feedback.stop(within: .seconds(5))
    }

    @Test func aProgramThatRefusesToEndIsKilled() throws {
        let rig = try Rig(
            try Self.plan(Self.shell("trap \"\" TERM; echo on; while :; do sleep 60; done")))
        expectEqual(rig.next(), Self.on)
        rig.feedback.stop(within: .milliseconds(50))
    }

    @Test func anotherSourceReplacesTheFormerOne() throws {
        let rig = try Rig(try Self.plan(Self.shell("echo on; exec sleep 60")))
        expectEqual(rig.next(), Self.on)
        // The same source goes on, and its last word counts again.
        try rig.feedback.replacePlan(try Self.plan(Self.shell("echo on; exec sleep 60")))
        expectEqual(rig.next(panel: 1), Self.on)
        try rig.feedback.replacePlan(try Self.plan(Self.shell("echo off; exec sleep 60")))
        expectEqual(rig.next(panel: 2), Self.off)
        rig.feedback.stop(within: .seconds(5))
        expectEqual(rig.said, "")
    }

    // MARK: Requests

    @Test func aServiceIsAskedAgainAndAgain() throws {
        let rig = try Rig(
            try Self.plan("http: {get: \"http://h/\", every: 100ms}, pointer: /power"))
        for (number, answer, event) in [
            (0, "{\"power\": \"on\"}", Self.on), (1, "{\"power\": false}", Self.off),
            (2, "<html>", Self.lost),
        ] {
            #expect(rig.runner.waitForBegun(number + 1))
            let request = rig.runner.begun[number]
            #expect(request.keepsAnswer && request.timeout == RuntimeLimits.feedbackRequestTime)
            rig.runner.end(request.run, answer: answer)
            expectEqual(rig.next(), event)
        }
        // A service that hangs is not asked a second time meanwhile.
        #expect(rig.runner.waitForBegun(4))
        rig.runner.end(rig.runner.begun[3].run, .failed(.unreachable))
        #expect(rig.runner.waitForBegun(5))
        rig.feedback.stop(within: .seconds(5))
        #expect(rig.said.contains("its answer is not JSON"), "\(rig.said)")
    }
}
