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

/// When a service is asked again, and a program read and started again, at moments that a test
/// tells.
@Suite struct WatchedSourceTests {
    private let guardian: Guardian
    private let said = MessageLog()

    init() throws {
        guardian = try Guardian()
    }

    private func at(_ milliseconds: UInt64) -> Instant { .zero + .milliseconds(milliseconds) }

    /// The intake of a panel with a control that has this feedback, and the source of it.
    private func intake(_ feedback: String) throws -> (FeedbackIntake, FeedbackSource) {
        let text = """
            {panel: P, board: none, mqtt: {url: "mqtt://b"}, controls: {c: {kind: switch, label: L,
            input: A, action: {run: [x], timeout: 1s}, feedback: {\(feedback)}}}}
            """
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        let plan = try #require(reading.plan, "\(reading.problems.map(\.text))")
        let events = Events()
        let intake = FeedbackIntake(
            plan, send: { event, _, _ in events.add(event) }, log: { [said] in said.add($0) },
            wake: {})
        return (intake, try #require(plan.controls[0].feedback?.source))
    }

    private final class Events: Sendable {
        private let all = Mutex<[Event]>([])
        func add(_ event: Event) -> Bool {
            all.withLock { $0.append(event) }
            return true
        }
    }

    /// Begins what is due; the numbers of the requests that were started.
    private func begin(
        _ source: inout WatchedSource, at now: Instant, _ intake: FeedbackIntake,
        number: inout UInt32
    ) -> [UInt32] {
        var asked: [UInt32] = []
        source.begin(at: now, guardian, intake, listener: [], number: &number) { run, _ in
            asked.append(run.number)
        }
        return asked
    }

    private func result(
        _ run: UInt32, _ outcome: ActionOutcome = .succeeded, answer: String? = "on"
    ) -> ActionResult {
        ActionResult(
            run: RunID(run), outcome: outcome, explanation: "why", startedAt: nil, endedAt: .zero,
            answer: answer.map { Array($0.utf8) })
    }

    private static let request = "http: {get: \"http://h/s\", every: 10s}"

    @Test func aServiceIsAskedAtItsTimes() throws {
        let (intake, feed) = try intake(Self.request)
        var source = WatchedSource(.source(feed), at: at(1))
        var number: UInt32 = 6
        expectEqual(source.deadline, at(1))
        expectEqual(begin(&source, at: at(0), intake, number: &number), [])
        expectEqual(begin(&source, at: at(1), intake, number: &number), [7])
        expectEqual(source.deadline, .never, "it waits for the answer")
        expectEqual(source.descriptor(at: at(1)), -1)
        expectEqual(source.askToEnd(), RunID(7))
        expectEqual(begin(&source, at: at(60_000), intake, number: &number), [])
        expectEqual(source.answered(result(8), intake, at: at(2)), false, "of another source")
        expectEqual(source.answered(result(7), intake, at: at(2)), true)
        expectEqual(source.answered(result(7), intake, at: at(2)), false, "once")
        expectEqual(source.deadline, at(10_001))
        expectEqual(source.askToEnd(), nil)
        expectEqual(begin(&source, at: at(10_000), intake, number: &number), [])
        expectEqual(begin(&source, at: at(10_001), intake, number: &number), [8])
        // An answer that takes longer than that is followed at once.
        expectEqual(source.answered(result(8), intake, at: at(40_000)), true)
        expectEqual(source.deadline, at(40_000))
        expectEqual(said.all, [])
    }

    @Test func aServiceThatFailsIsLostAndAskedAgain() throws {
        let (intake, feed) = try intake(Self.request)
        var source = WatchedSource(.source(feed), at: at(0))
        var number: UInt32 = 0
        expectEqual(begin(&source, at: at(0), intake, number: &number), [1])
        expectEqual(source.answered(result(1, .failed(.exit(1))), intake, at: at(5)), true)
        expectEqual(source.deadline, at(10_000))
        #expect(said.all.count == 1 && said.all[0].contains("http://h/s: why"), "\(said.all)")
        expectEqual(begin(&source, at: at(10_000), intake, number: &number), [2])
        expectEqual(source.answered(result(2, answer: nil), intake, at: at(10_001)), true)
        expectEqual(source.deadline, at(20_000))
    }

    /// What an action has changed is asked for, whether the service is waited for or not.
    @Test func anActionAsksAgain() throws {
        let (intake, feed) = try intake(Self.request)
        var source = WatchedSource(.source(feed), at: at(0))
        var number: UInt32 = 0
        expectEqual(begin(&source, at: at(0), intake, number: &number), [1])
        source.askAgain(at: at(300))
        expectEqual(source.deadline, .never)
        expectEqual(source.answered(result(1), intake, at: at(100)), true)
        expectEqual(source.deadline, at(300))
        expectEqual(begin(&source, at: at(300), intake, number: &number), [2])
        expectEqual(source.answered(result(2), intake, at: at(310)), true)
        expectEqual(source.deadline, at(10_300), "its own times go on from here")
        source.askAgain(at: at(400))
        expectEqual(source.deadline, at(400))
        // A moment that lies behind the next time changes nothing now, and counts after it.
        source.askAgain(at: at(900))
        expectEqual(source.deadline, at(400))
        expectEqual(begin(&source, at: at(400), intake, number: &number), [3])
        expectEqual(source.answered(result(3), intake, at: at(410)), true)
        expectEqual(source.deadline, at(900))
        expectEqual(begin(&source, at: at(900), intake, number: &number), [4])
        expectEqual(source.answered(result(4), intake, at: at(910)), true)
        expectEqual(source.deadline, at(10_900))
    }

    /// Others hear these.
    @Test(arguments: ["mqtt: a/b", "tcp: {to: \"h:1\"}"])
    func aSourceOfOthersIsLeft(feedback: String) throws {
        let (intake, feed) = try intake(feedback)
        var source = WatchedSource(.source(feed), at: at(0))
        var number: UInt32 = 0
        expectEqual(begin(&source, at: at(0), intake, number: &number), [])
        expectEqual(source.deadline, .never)
        source.askAgain(at: at(5))
        expectEqual(source.deadline, .never)
        expectEqual(source.answered(result(0), intake, at: at(5)), false)
    }

    // MARK: Programs

    private func waitForOutput(_ source: WatchedSource, at now: Instant) -> Bool {
        var entry = pollfd(fd: source.descriptor(at: now), events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 60_000) == 1
    }

    private func read(_ source: inout WatchedSource, _ intake: FeedbackIntake, at now: Instant) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)
        defer { buffer.deallocate() }
        source.read(into: buffer, intake, at: now)
    }

    /// A program that floods waits for its pipe between two looks.
    @Test func aProgramRestsAfterEachPiece() throws {
        let (intake, feed) = try intake("watch: [sh, -c, \"echo on; exec sleep 100\"]")
        var source = WatchedSource(.source(feed), at: at(0))
        var number: UInt32 = 0
        expectEqual(begin(&source, at: at(0), intake, number: &number), [])
        expectEqual(source.deadline, .never)
        #expect(waitForOutput(source, at: at(0)))
        read(&source, intake, at: at(5))
        let rested = at(5) + RuntimeLimits.feedbackGap
        expectEqual(source.deadline, rested)
        expectEqual(source.descriptor(at: at(5)), -1)
        expectEqual(begin(&source, at: at(6), intake, number: &number), [])
        expectEqual(source.descriptor(at: at(6)), -1)
        expectEqual(begin(&source, at: rested, intake, number: &number), [])
        #expect(source.descriptor(at: rested) >= 0)
        expectEqual(source.deadline, .never)
        source.askAgain(at: at(7))
        expectEqual(source.deadline, .never, "a program is not asked")
        expectEqual(source.askToEnd(), nil)
        source.end(within: .seconds(60), intake)
    }

    /// One that ends is started again after a pause, which doubles, and begins anew after a long
    /// run.
    @Test func aProgramThatEndsIsStartedAgain() throws {
        let (intake, feed) = try intake("watch: [\"true\"]")
        var source = WatchedSource(.source(feed), at: at(0))
        var number: UInt32 = 0
        var now = at(0)
        var pauses: [UInt64] = []
        let runs = [
            0, 0, 0, RuntimeLimits.feedbackLongestPause.nanoseconds - 1,
            RuntimeLimits.feedbackLongestPause.nanoseconds, 0,
        ]
        for run in runs {
            expectEqual(begin(&source, at: now, intake, number: &number), [])
            expectEqual(source.deadline, .never)
            #expect(waitForOutput(source, at: now))
            now = now + TimeSpan(nanoseconds: run)
            read(&source, intake, at: now)
            pauses.append((source.deadline - now).nanoseconds / 1_000_000_000)
            now = source.deadline
        }
        expectEqual(pauses, [1, 2, 4, 8, 1, 2])
        #expect(said.all.allSatisfy { $0.contains("has ended: it ") }, "\(said.all)")
    }

    @Test func aProgramThatIsMissingIsTriedAgain() throws {
        let (intake, feed) = try intake("watch: [/nowhere/at-all]")
        var source = WatchedSource(.source(feed), at: at(0))
        var number: UInt32 = 0
        expectEqual(begin(&source, at: at(0), intake, number: &number), [])
        expectEqual(source.deadline, at(1_000))
        expectEqual(begin(&source, at: at(1_000), intake, number: &number), [])
        expectEqual(source.deadline, at(3_000))
        expectEqual(said.all.count, 1, "\(said.all)")
    }

    /// What a program says on standard error is told with the name of its control, while it runs.
    @Test func whatAProgramSaysIsTold() throws {
        let (intake, feed) = try intake("watch: [sh, -c, \"echo odd >&2; exec sleep 100\"]")
        var source = WatchedSource(.source(feed), at: at(0))
        var number: UInt32 = 0
        expectEqual(begin(&source, at: at(0), intake, number: &number), [])
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)
        defer { buffer.deallocate() }
        source.readErrors(into: buffer, isReady: false, intake, at: at(0))
        expectEqual(said.all, [])
        var entry = pollfd(
            fd: source.errorDescriptor(at: at(0)), events: Int16(POLLIN), revents: 0)
        expectEqual(poll(&entry, 1, 60_000), 1)
        source.readErrors(into: buffer, isReady: true, intake, at: at(1))
        expectEqual(said.all, ["detent: c: stderr: odd\n"])
        expectEqual(source.askToEnd(), nil)
        source.end(within: .seconds(60), intake)
    }
}
