import DetentActions
import DetentCore
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentRuntime

/// What leaves the real-time loop: the ring, the printed lines, the log, the history.
@Suite struct RecorderTests {
    private final class Text: Sendable {
        private let texts = Mutex<[String]>([])
        func add(_ text: String) { texts.withLock { $0.append(text) } }
        var all: [String] { texts.withLock { $0 } }
    }

    private let plan: PanelPlan

    init() throws {
        plan = try LoopRig.switches(1)
    }

    private func report(_ kind: Report.Kind) -> Report { Report(control: ControlID(0), kind: kind) }

    @Test func fullRingDropsTheNewestAndCounts() throws {
        let stream = try ReportStream()
        for number in 0..<RuntimeLimits.reports + 10 {
            _ = stream.push(report(.pressed), at: Instant(nanoseconds: UInt64(number)))
        }
        var stamps: [UInt64] = []
        expectEqual(stream.drain { stamps.append($0.at.nanoseconds) }, 10)
        expectEqual(stamps, Array(0..<UInt64(RuntimeLimits.reports)))
        expectEqual(stream.drain { _ in }, 0, "told once")
    }

    @Test func recorderIsWokenOnlyForReasons() throws {
        let stream = try ReportStream()
        #expect(!stream.push(report(.pressed), at: .zero), "nobody listens")
        for kind in [Report.Kind.fault(.line), .lost(count: 1), .phase(.failed, .timedOut)] {
            #expect(stream.push(report(kind), at: .zero), "\(kind) belongs into the log")
        }
        stream.addListeners(1)
        #expect(stream.push(report(.pressed), at: .zero))
        stream.addListeners(-1)
        #expect(!stream.push(report(.pressed), at: .zero))
        _ = stream.drain { _ in }
        let wakes = (0..<RuntimeLimits.reports).count { _ in
            stream.push(report(.pressed), at: .zero)
        }
        expectEqual(wakes, 1, "when it is half full")
    }

    /// A log that keeps what it is told.
    private func log(into text: Text) throws -> TextWriter {
        try .log { line in
            text.add(line)
            return 0
        }
    }

    @Test(arguments: [EPIPE, ENOSPC]) func outputThatFailsIsSaidOnceAndLeft(_ error: Int32) throws {
        let printed = Text()
        let said = Text()
        let stream = try ReportStream()
        let log = try log(into: said)
        let printer = try TextWriter.printer(for: stream, log: log) { line in
            printed.add(line)
            return printed.all.count < 3 ? 0 : error
        }
        let recorder = try Recorder(
            plan: plan, stream: stream, printer: printer,
            eventLine: { EventLine.text($0.report, plan: plan, at: $0.at) + "\n" }, log: log)
        for _ in 0..<10 { _ = stream.push(report(.pressed), at: .zero) }
        #expect(recorder.stop(within: .seconds(60)))
        #expect(printer.stop(within: .seconds(60)) > 0)
        expectEqual(log.stop(within: .seconds(60)), 0)
        expectEqual(printed.all.count, 3)
        #expect(printed.all[0].hasSuffix("}\n"))
        expectEqual(said.all.count, 1)
        #expect(said.all[0].contains("cannot write events"))
        #expect(said.all[0].contains(String(cString: strerror(error))))
        #expect(said.all[0].contains("\nhelp: "))
        #expect(printer.hasFailed)
        expectEqual(recorder.dropped, 0, "they are taken all the same")
    }

    @Test func urgentReportsAreLogged() throws {
        let said = Text()
        let stream = try ReportStream()
        let log = try log(into: said)
        let recorder = try Recorder(
            plan: plan, stream: stream, printer: nil, eventLine: { _ in nil }, log: log)
        for kind in [
            Report.Kind.pressed, .phase(.failed, .timedOut), .fault(.line), .fault(.none),
            .lost(count: 7),
        ] { _ = stream.push(report(kind), at: .zero) }
        #expect(recorder.stop(within: .seconds(60)))
        expectEqual(log.stop(within: .seconds(60)), 0)
        expectEqual(said.all.count, 4)
        for (text, words) in zip(
            said.all, ["timed out", "unavailable", "available again", "7 edges"])
        {
            #expect(text.hasPrefix("detent: s0: ") && text.contains(words), "\(text)")
        }
    }

    @Test func endsOfAttemptsAreLogged() throws {
        let said = Text()
        let log = try log(into: said)
        let recorder = try Recorder(
            plan: plan, stream: try ReportStream(), printer: nil, eventLine: { _ in nil }, log: log)
        let start = Instant.zero + .milliseconds(7)
        func end(
            _ outcome: ActionOutcome, after span: TimeSpan = .zero, isQuery: Bool = false,
            timeout: TimeSpan? = .seconds(1)
        ) {
            let result = ActionResult(
                run: RunID(1), outcome: outcome, explanation: "why",
                startedAt: start, endedAt: start + span,
                standardErrorTail: "a\nb")
            recorder.log(
                result,
                of: PanelActions.Subject(control: "s0", isQuery: isQuery, timeout: timeout))
        }
        end(.succeeded)
        let slack = RuntimeLimits.timeoutSlack.nanoseconds
        end(.cancelled, after: TimeSpan(nanoseconds: 999_999_999 - slack))
        end(.cancelled, after: .seconds(9), timeout: nil)
        end(.cancelled, after: TimeSpan(nanoseconds: 1_000_000_000 - slack))
        end(.lost)
        end(.failed(.exit(1)), isQuery: true)
        #expect(recorder.stop(within: .seconds(60)))
        expectEqual(log.stop(within: .seconds(60)), 0)
        let standardError = "detent: s0: stderr: a\ndetent: s0: stderr: b\n"
        expectEqual(
            said.all,
            [
                "detent: s0: action ended after its timeout: why\n" + standardError,
                "detent: s0: action failed: why\n" + standardError,
                "detent: s0: query failed: why\n" + standardError,
            ])
    }

    /// A program or a service can repeat a secret in what it says.
    @Test func noSecretIsLogged() throws {
        let secret = "S3cr3t-of-the-recorder"
        KnownSecrets.ofThisProcess.learn(secret)
        let said = Text()
        let log = try log(into: said)
        let recorder = try Recorder(
            plan: plan, stream: try ReportStream(), printer: nil, eventLine: { _ in nil }, log: log)
        let result = ActionResult(
            run: RunID(1), outcome: .failed(.exit(1)), explanation: "no user \(secret) here",
            startedAt: .zero, endedAt: .zero, standardErrorTail: "bad key\n\(secret)!")
        recorder.log(
            result, of: PanelActions.Subject(control: "s0", isQuery: false, timeout: nil))
        #expect(recorder.stop(within: .seconds(60)))
        expectEqual(log.stop(within: .seconds(60)), 0)
        expectEqual(
            said.all,
            [
                "detent: s0: action failed: no user … here\ndetent: s0: stderr: bad key\n"
                    + "detent: s0: stderr: …!\n"
            ])
    }

    @Test func logThatNobodyReadsHoldsNobodyUp() throws {
        let gate = try WakeUp()
        let said = Text()
        let stream = try ReportStream()
        let log = try TextWriter.log { text in
            gate.wait()
            said.add(text)
            return 0
        }
        let recorder = try Recorder(
            plan: plan, stream: stream, printer: nil, eventLine: { _ in nil }, log: log)
        for number in 0..<RuntimeLimits.messages * 3 { log.add("\(number)\n") }
        #expect(recorder.stop(within: .seconds(60)), "the log blocks, and nobody else")
        expectEqual(log.stop(within: .milliseconds(1)), RuntimeLimits.messages * 3)
        gate.ring()
        let deadline = MonotonicClock.now + .seconds(60)
        while !(said.all.last?.contains("messages were dropped") ?? false),
            MonotonicClock.now < deadline
        { sched_yield() }
        // One note for what was dropped before the writer began, and one for what came later.
        #expect(said.all.count <= RuntimeLimits.messages + 2)
        expectEqual(said.all.last?.contains("messages were dropped"), true)
    }

    /// A reader of standard output that takes nothing, more changes than the pipe and all queues
    /// hold: every value comes to the store, and the lost lines are counted.
    @Test func aReaderThatIsStuckStopsNoSaving() throws {
        let gate = try WakeUp()
        let said = Text()
        let stream = try ReportStream()
        let log = try log(into: said)
        let printer = try TextWriter.printer(for: stream, log: log) { _ in
            gate.wait()
            return 0
        }
        let folder = try FragileFolder()
        let text = "panel: P\nboard: none\ncontrols: {a: {kind: toggle-button, label: A, input: A}}"
        let plan = try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
        let store = try #require(
            try StateStore.open(plan, in: folder, place: "/state") { log.add($0) })
        let recorder = try Recorder(
            plan: plan, stream: stream, printer: printer,
            eventLine: { EventLine.text($0.report, plan: plan, at: $0.at) + "\n" }, log: log,
            store: store)
        let count = RuntimeLimits.eventLines + RuntimeLimits.reports
        let deadline = MonotonicClock.now + .seconds(60)
        for number in 0..<count {
            let value: Value = number == count - 1 ? .on : .off
            while stream.count >= RuntimeLimits.reports / 2, MonotonicClock.now < deadline {
                sched_yield()
            }
            if stream.push(report(.changed(value, .panel)), at: .zero) { stream.wake() }
        }
        #expect(recorder.stop(within: .seconds(60)))
        #expect(store.stop(within: .seconds(60)))
        expectEqual(folder.files["P.state"], SavedFile.bytes([.on], of: plan))
        let lost = printer.stop(within: .milliseconds(1))
        #expect(lost == count && recorder.dropped == 0, "none was written: \(lost)")
        expectEqual(log.stop(within: .seconds(60)), 0)
        expectEqual(said.all.count { $0.contains("event lines are dropped") }, 1, "\(said.all)")
        gate.ring()
    }

    @Test func textsThatFindNoRoomAreCounted() throws {
        let gate = try WakeUp()
        let writer = try TextWriter(
            named: "test", capacity: 2,
            write: { _ in
                gate.wait()
                return 0
            })
        #expect(writer.add("a") && writer.add("b"))
        #expect(!writer.add("c") && !writer.hasFailed)
        gate.ring()
        expectEqual(writer.stop(within: .seconds(60)), 1)
    }

    @Test func fullInboxSaysSoAndDrains() throws {
        let inbox = try Inbox()
        let event = Event.intent(ControlID(0), .on, .web)
        for _ in 0..<RuntimeLimits.inbox { #expect(inbox.send(event)) }
        #expect(!inbox.send(event))
        var count = 0
        inbox.drain { _ in count += 1 }
        expectEqual(count, RuntimeLimits.inbox)
        #expect(inbox.send(event), "there is room again")
        inbox.drain { _ in count += 1 }
        expectEqual(count, RuntimeLimits.inbox + 1)
    }

    @Test func senderThatNeverPausesHoldsNoTurnUp() throws {
        let inbox = try Inbox()
        let event = Event.resync()
        #expect(inbox.send(event))
        var count = 0
        inbox.drain { _ in
            count += 1
            _ = inbox.send(event)
        }
        expectEqual(count, RuntimeLimits.inbox)
    }
}
