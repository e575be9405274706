import DetentCore
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc
import Synchronization
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
        #expect(stream.drain { stamps.append($0.at.nanoseconds) } == 10)
        #expect(stamps == Array(0..<UInt64(RuntimeLimits.reports)))
        #expect(stream.drain { _ in } == 0, "told once")
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
        #expect(wakes == 1, "when it is half full")
    }

    @Test(arguments: [EPIPE, ENOSPC]) func outputThatFailsIsSaidOnceAndLeft(_ error: Int32) throws {
        let printed = Text()
        let log = Text()
        let stream = try ReportStream()
        let recorder = try Recorder(
            plan: plan, stream: stream,
            printLine: { line in
                printed.add(line)
                return printed.all.count < 3 ? 0 : error
            },
            logLine: { text in
                log.add(text)
                return 0
            })
        for _ in 0..<10 { _ = stream.push(report(.pressed), at: .zero) }
        #expect(recorder.stop(within: .seconds(60)))
        #expect(printed.all.count == 3)
        #expect(printed.all[0].hasSuffix("}\n"))
        #expect(log.all.count == 1)
        #expect(log.all[0].contains("events cannot be written any more"))
        #expect(log.all[0].contains(String(cString: strerror(error))))
        #expect(log.all[0].contains("\nhelp: "))
        #expect(recorder.hasStoppedPrinting)
        #expect(recorder.dropped == 0, "they are taken all the same")
    }

    @Test func urgentReportsAreLogged() throws {
        let log = Text()
        let stream = try ReportStream()
        let recorder = try Recorder(
            plan: plan, stream: stream, printLine: nil,
            logLine: { text in
                log.add(text)
                return 0
            })
        for kind in [
            Report.Kind.pressed, .phase(.failed, .timedOut), .fault(.line), .fault(.none),
            .lost(count: 7),
        ] { _ = stream.push(report(kind), at: .zero) }
        #expect(recorder.stop(within: .seconds(60)))
        #expect(log.all.count == 4)
        for (text, words) in zip(log.all, ["timed out", "cannot be used", "are back", "7 edges"]) {
            #expect(text.hasPrefix("detent: s0: ") && text.contains(words), "\(text)")
        }
    }

    @Test func logThatNobodyReadsHoldsNobodyUp() throws {
        let gate = try WakeUp()
        let stream = try ReportStream()
        let log = Text()
        let recorder = try Recorder(
            plan: plan, stream: stream, printLine: nil,
            logLine: { text in
                gate.wait()
                log.add(text)
                return 0
            })
        for number in 0..<RuntimeLimits.messages * 3 { recorder.say("\(number)\n") }
        #expect(!recorder.stop(within: .milliseconds(1)), "the log blocks, and the end does not")
        gate.ring()
        let deadline = MonotonicClock.now + .seconds(60)
        while !(log.all.last?.contains("messages were dropped") ?? false),
            MonotonicClock.now < deadline
        { sched_yield() }
        // Two rounds, what was taken before the log blocked and what waited; each may have dropped.
        #expect(log.all.count <= 2 * (RuntimeLimits.messages + 1))
        #expect(log.all.last?.contains("messages were dropped") == true)
    }

    @Test func fullInboxSaysSoAndDrains() throws {
        let inbox = try Inbox()
        let event = Event.intent(ControlID(0), .on, .web)
        for _ in 0..<RuntimeLimits.inbox { #expect(inbox.send(event)) }
        #expect(!inbox.send(event))
        var count = 0
        inbox.drain { _ in count += 1 }
        #expect(count == RuntimeLimits.inbox)
        #expect(inbox.send(event), "there is room again")
        inbox.drain { _ in count += 1 }
        #expect(count == RuntimeLimits.inbox + 1)
    }

    @Test func senderThatNeverPausesHoldsNoTurnUp() throws {
        let inbox = try Inbox()
        let event = Event.resync
        #expect(inbox.send(event))
        var count = 0
        inbox.drain { _ in
            count += 1
            _ = inbox.send(event)
        }
        #expect(count == RuntimeLimits.inbox)
    }
}
