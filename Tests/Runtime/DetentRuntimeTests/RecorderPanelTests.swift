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

/// The recorder over reloads, and where it is too slow.
@Suite struct RecorderPanelTests {
    private let said = MessageLog()
    private let stream: ReportStream

    init() throws {
        stream = try ReportStream()
        // As the program does: a display that has gone does not take this process along.
        signal(SIGPIPE, SIG_IGN)
    }

    private func log() throws -> TextWriter {
        try .log { [said] text in
            said.add(text)
            return 0
        }
    }

    private static func plan(
        _ id: String = "a", history: Bool = false, display: String? = nil
    ) throws -> PanelPlan {
        let shown = display.map { "charlcd: \($0)" }.map { ", display: {\($0)}" } ?? ""
        let text = """
            panel: P
            board: none
            history: \(history ? "{rows: 1000}" : "off")
            controls:
              \(id): {kind: dial, label: D, encoder: {a: B, b: C}, range: {min: 0, max: 99}\(shown)}
            """
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        return try #require(reading.plan, "\(reading.problems.map(\.text))")
    }

    private func report(_ kind: Report.Kind, _ control: UInt16 = 0) -> Report {
        Report(control: ControlID(control), kind: kind)
    }

    /// Whether an event wakes the recorder, which it does for listeners alone.
    private var isListening: Bool { stream.push(report(.pressed), at: .zero) }

    private func replace(
        _ recorder: Recorder, _ former: inout PanelPlan, by next: PanelPlan
    ) {
        recorder.replacePlan(next, PanelDifference(from: former, to: next))
        former = next
        stream.beginPanel()
    }

    /// Waits for another thread.
    private func wait(until holds: () -> Bool) -> Bool {
        let deadline = MonotonicClock.now + .seconds(60)
        while !holds() {
            if MonotonicClock.now >= deadline { return false }
            sched_yield()
        }
        return true
    }

    /// Events of a history are written within seconds, so the store listens while there is one,
    /// and is counted once, however often the panel is replaced.
    @Test func theHistoryListensWhileThereIsOne() throws {
        var plan = try Self.plan(history: true)
        let log = try log()
        let folder = FaultyFolder()
        let store = try #require(
            try StateStore.open(plan, in: folder, place: "/state") { log.add($0) })
        #expect(!isListening)
        let recorder = try Recorder(
            plan: plan, stream: stream, printer: nil, eventLine: { _ in nil }, log: log,
            store: store)
        #expect(isListening)
        for (history, count) in [(true, 2), (false, 3), (true, 2), (false, 1)] {
            for _ in 0..<count {
                replace(recorder, &plan, by: try Self.plan(history: history))
                expectEqual(isListening, history)
            }
        }
        #expect(stream.push(report(.changed(Value(1), .panel)), at: .zero), "values are kept")
        #expect(recorder.stop(within: .seconds(60)))
        #expect(store.stop(within: .seconds(60)))
        expectEqual(log.stop(within: .seconds(60)), 0)
    }

    /// The end may come while the thread begins, or is between two looks: it is never missed.
    @Test func anEndAtAnyMomentIsHeard() throws {
        let log = try log()
        let plan = try Self.plan()
        for _ in 0..<500 {
            let recorder = try Recorder(
                plan: plan, stream: try ReportStream(), printer: nil, eventLine: { _ in nil },
                log: log)
            guard recorder.stop(within: .seconds(20)) else {
                Issue.record("it sleeps, and nothing wakes it")
                break
            }
        }
        expectEqual(log.stop(within: .seconds(60)), 0)
    }

    /// Without a store there is no history, whatever the file says.
    @Test func withoutAStoreNothingListens() throws {
        var plan = try Self.plan(history: true)
        let log = try log()
        let recorder = try Recorder(
            plan: plan, stream: stream, printer: nil, eventLine: { _ in nil }, log: log)
        #expect(!isListening)
        #expect(!stream.push(report(.changed(Value(1), .panel)), at: .zero), "nothing keeps it")
        replace(recorder, &plan, by: try Self.plan(history: true))
        #expect(!isListening)
        #expect(recorder.stop(within: .seconds(60)))
        expectEqual(log.stop(within: .seconds(60)), 0)
    }

    /// A store that keeps values alone listens to no event.
    @Test func aStoreOfValuesListensToChanges() throws {
        let plan = try Self.plan()
        let log = try log()
        let store = try #require(
            try StateStore.open(plan, in: try FragileFolder(), place: "/state") { log.add($0) })
        let recorder = try Recorder(
            plan: plan, stream: stream, printer: nil, eventLine: { _ in nil }, log: log,
            store: store)
        #expect(!isListening)
        #expect(stream.push(report(.changed(Value(1), .panel)), at: .zero))
        #expect(recorder.stop(within: .seconds(60)))
        #expect(store.stop(within: .seconds(60)))
        expectEqual(log.stop(within: .seconds(60)), 0)
    }

    /// Displays listen while there are any, and have what was reported to their panel.
    @Test func displaysListenWhileThereAreAny() throws {
        let folder = FaultyFolder()
        let path = folder.path + "/lcd"
        try #require(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        var plan = try Self.plan(display: path)
        let log = try log()
        let displays = try PanelDisplays(plan, guardian: nil) { log.add($0) }
        let recorder = try Recorder(
            plan: plan, stream: stream, printer: nil, eventLine: { _ in nil }, log: log,
            displays: displays)
        #expect(isListening)
        replace(recorder, &plan, by: try Self.plan(display: path))
        #expect(isListening)
        for _ in 0..<2 {
            replace(recorder, &plan, by: try Self.plan())
            #expect(!isListening)
        }
        // They are followed without a report, because the panel that begins may have none.
        #expect(wait { displays.following == 0 })
        replace(recorder, &plan, by: try Self.plan(display: path))
        #expect(wait { displays.following == 0 })
        #expect(stream.push(report(.changed(Value(42), .panel)), at: .zero))
        stream.wake()
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let isShown = wait {
            let count = read(reader, &bytes, bytes.count)
            text += String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            return text.contains("42")
        }
        #expect(isShown, "\(text.replacing("\u{1B}", with: "^"))")
        #expect(recorder.stop(within: .seconds(60)))
        #expect(displays.stop(within: .seconds(60)))
        expectEqual(log.stop(within: .seconds(60)), 0)
        expectEqual(said.all, [])
    }

    /// A report that comes late has the name of its own panel; one that is unknown has a number.
    @Test func namesAreThoseOfThePanelThatReports() throws {
        var plan = try Self.plan("former")
        let log = try log()
        _ = stream.push(report(.fault(.line)), at: .zero)
        _ = stream.push(report(.fault(.line), 1), at: .zero)
        let recorder = try Recorder(
            plan: plan, stream: stream, printer: nil, eventLine: { _ in nil }, log: log)
        replace(recorder, &plan, by: try Self.plan("next"))
        _ = stream.push(report(.fault(.none)), at: .zero)
        _ = stream.push(report(.fault(.none), 65_535), at: .zero)
        // A panel that the recorder was not told of.
        stream.beginPanel()
        _ = stream.push(report(.fault(.line)), at: .zero)
        #expect(recorder.stop(within: .seconds(60)))
        expectEqual(log.stop(within: .seconds(60)), 0)
        expectEqual(
            said.all.map { $0.split(separator: " ").prefix(3).joined(separator: " ") },
            [
                "detent: former: GPIO", "detent: #1: GPIO", "detent: next: its",
                "detent: #65535: its", "detent: #0: GPIO",
            ])
    }

    @Test func reportsThatFoundNoRoomAreSaid() throws {
        let log = try log()
        for _ in 0..<RuntimeLimits.reports + 3 { _ = stream.push(report(.pressed), at: .zero) }
        let lines = Atomic<Int>(0)
        let printer = try TextWriter(named: "test", capacity: 1) { _ in 0 }
        let recorder = try Recorder(
            plan: try Self.plan(), stream: stream, printer: printer,
            eventLine: { _ in
                lines.wrappingAdd(1, ordering: .relaxed)
                return nil
            }, log: log)
        #expect(recorder.stop(within: .seconds(60)))
        expectEqual(recorder.dropped, 3)
        expectEqual(lines.load(ordering: .relaxed), RuntimeLimits.reports)
        expectEqual(printer.stop(within: .seconds(60)), 0)
        expectEqual(log.stop(within: .seconds(60)), 0)
        expectEqual(said.all, ["detent: 3 events were dropped: too many at once\n"])
    }

    /// It is said when lines begin to be dropped, and again only after one was taken.
    @Test func aSlowReaderIsSaidEachTimeItFallsBehind() throws {
        let gate = try WakeUp()
        let asked = Atomic<Int>(0)
        let written = Atomic<Int>(0)
        let log = try log()
        let printer = try TextWriter(named: "test", capacity: 2) { _ in
            gate.wait()
            written.wrappingAdd(1, ordering: .sequentiallyConsistent)
            return 0
        }
        let recorder = try Recorder(
            plan: try Self.plan(), stream: stream, printer: printer,
            eventLine: { _ in
                asked.wrappingAdd(1, ordering: .sequentiallyConsistent)
                return "line\n"
            }, log: log)
        var pushed = 0
        func push(_ count: Int) -> Bool {
            for _ in 0..<count where stream.push(report(.pressed), at: .zero) { stream.wake() }
            pushed += count
            return wait { asked.load(ordering: .sequentiallyConsistent) == pushed }
        }
        func wrote(_ count: Int) -> Bool {
            wait { written.load(ordering: .sequentiallyConsistent) == count }
        }
        #expect(push(6))
        gate.ring()
        // The room of a line is free a moment after it was written.
        #expect(wrote(2) && wait { printer.add("probe\n") } && wrote(3))
        #expect(push(1) && wrote(4), "one is taken")
        gate.clear()
        #expect(push(9))
        gate.ring()
        #expect(recorder.stop(within: .seconds(60)))
        #expect(printer.stop(within: .seconds(60)) >= 4 + 7)
        expectEqual(log.stop(within: .seconds(60)), 0)
        let text =
            "detent: event lines are dropped: the reader of standard output is too slow\n"
            + "help: read the output faster, or do not print events; the panel continues\n"
        expectEqual(said.all, [text, text])
    }

    /// Where lines cannot be printed any more, no event wakes the recorder for them.
    @Test func aPrinterThatFailedListensNoMore() throws {
        let log = try log()
        let printer = try TextWriter.printer(for: stream, log: log) { _ in EPIPE }
        let recorder = try Recorder(
            plan: try Self.plan(), stream: stream, printer: printer, eventLine: { _ in "x\n" },
            log: log)
        #expect(isListening)
        stream.wake()
        #expect(wait { printer.hasFailed })
        #expect(!isListening)
        #expect(recorder.stop(within: .seconds(60)))
        _ = printer.stop(within: .seconds(60))
        expectEqual(log.stop(within: .seconds(60)), 0)
        expectEqual(said.all.count, 1)
    }

    /// A report of a control is a line only if the panel makes one of it.
    @Test func onlyWhatIsPrintedIsALine() throws {
        let printed = MessageLog()
        let log = try log()
        let printer = try TextWriter.printer(for: stream, log: log) { text in
            printed.add(text)
            return 0
        }
        let recorder = try Recorder(
            plan: try Self.plan(), stream: stream, printer: printer,
            eventLine: { $0.report.kind == .pressed ? "pressed\n" : nil }, log: log)
        #expect(isListening, "a printer listens")
        _ = stream.push(report(.released), at: .zero)
        #expect(recorder.stop(within: .seconds(60)))
        #expect(recorder.stop(within: .seconds(60)), "it has ended")
        expectEqual(printer.stop(within: .seconds(60)), 0)
        expectEqual(log.stop(within: .seconds(60)), 0)
        expectEqual(printed.all, ["pressed\n"])
        expectEqual(said.all, [])
    }
}
