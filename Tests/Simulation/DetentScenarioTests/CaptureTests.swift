import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld
import TestPanels
import TestSupport
import Testing

/// Captures through the engine: initial levels, polarity, and where a replay ends.
struct CaptureTests {
    private func edge(_ milliseconds: UInt64, _ line: UInt16, high: Bool) -> CaptureEdge {
        CaptureEdge(at: .milliseconds(milliseconds), line: LineID(line), isHigh: high)
    }

    private func words(_ record: VirtualRecord, _ plan: PanelPlan) -> [String] {
        record.eventLines(plan)
    }

    @Test("an active-low line that goes low is pressed, and ends when all is told")
    func button() throws {
        let plan = Panels.button()
        let record = try CaptureRunner.run(
            plan, edges: [edge(10, 0, high: false), edge(60, 0, high: true)])
        expectEqual(
            words(record, plan),
            [
                #"{"at": 10100000, "control": "it", "event": "pressed", "origin": "panel"}"# + "\n",
                #"{"at": 60100000, "control": "it", "event": "released", "origin": "panel"}"#
                    + "\n",
                #"{"at": 60100000, "control": "it", "event": "clicked", "origin": "panel"}"# + "\n",
            ])
    }

    @Test("rows at 0 are levels and no edges; a row without a change is none")
    func initialLevels() throws {
        let plan = Panels.lever()
        let record = try CaptureRunner.run(
            plan,
            edges: [
                edge(0, 0, high: true), edge(0, 0, high: false), edge(5, 0, high: false),
                edge(100, 0, high: true),
            ])
        let moved = record.entries.filter { $0.report.kind == .moved(position: .off) }
        expectEqual(moved.map(\.at), [.milliseconds(120)])
        #expect(record.entries.allSatisfy { $0.report.kind != .lost(count: 1) })
    }

    @Test("a replay ends when only repeats are due, or at the time that is asked for")
    func end() throws {
        let settings = ButtonSettings(
            hold: .seconds(1), repeatAfter: .milliseconds(1_200), repeatEvery: .milliseconds(200))
        let plan = Panels.plan(
            .button(settings), contacts: 1, kind: .button, debounce: .none)
        let press = [edge(10, 0, high: false)]
        let quiet = try CaptureRunner.run(plan, edges: press)
        expectEqual(quiet.entries.map(\.report.kind), [.pressed, .held])
        let timed = try CaptureRunner.run(plan, edges: press, until: .milliseconds(2_000))
        expectEqual(timed.entries.filter { $0.report.kind == .repeated }.count, 4)
        // A release later on shows that the repeats before it stay.
        let released = try CaptureRunner.run(plan, edges: press + [edge(1_500, 0, high: true)])
        expectEqual(released.entries.filter { $0.report.kind == .repeated }.count, 2)
    }

    @Test("a process that sleeps through more edges than one turn takes loses none")
    func lateProcess() throws {
        let plan = Panels.button(.none)
        let edges = (1...12_000).map { edge(UInt64($0), 0, high: $0 % 2 == 0) }
        func record(wakeEvery: TimeSpan) throws -> VirtualRecord {
            let runner = try VirtualRunner(
                plan, backend: CaptureBackend(plan, edges: edges), wakeEvery: wakeEvery)
            runner.run(until: .milliseconds(13_000))
            return runner.record
        }
        let prompt = try record(wakeEvery: .zero)
        let late = try record(wakeEvery: .seconds(13))
        #expect(prompt.entries.count > 12_000)
        expectEqual(late.entries, prompt.entries)
    }

    /// A replay that gives its events away as it goes says the same, and keeps few of them.
    @Test(arguments: [nil, 1_500, 40_000] as [UInt64?]) func partsAreTheWhole(until: UInt64?) throws
    {
        let text = """
            panel: P
            board: none
            controls:
              a:
                {kind: button, label: A, input: A, indicator: L,
                 repeat: {after: 300ms, every: 20ms}}
            """
        let plan = try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
        var edges = [CaptureEdge(at: .zero, line: LineID(0), isHigh: true)]
        for press in 0..<1_000 as Range<UInt64> {
            // Each tenth is held long enough to repeat; the last only repeats a level.
            let begin = (press * 1_000 + 20) * 1_000_000
            let end = begin + (press % 10 == 0 ? 800 : 60) * 1_000_000
            edges.append(
                CaptureEdge(at: Instant(nanoseconds: begin), line: LineID(0), isHigh: false))
            edges.append(CaptureEdge(at: Instant(nanoseconds: end), line: LineID(0), isHigh: true))
            edges.append(
                CaptureEdge(at: Instant(nanoseconds: end + 1), line: LineID(0), isHigh: true))
        }
        edges.append(
            CaptureEdge(at: Instant(nanoseconds: 1_100_000_000_000), line: LineID(0), isHigh: false)
        )
        let end = until.map { Instant(nanoseconds: $0 * 1_000_000) }
        let whole = try VirtualRunner(
            plan, backend: CaptureBackend(plan, edges: edges), isTraced: true)
        if let end { whole.run(until: end) } else { whole.runUntilQuiet() }
        let runner = try VirtualRunner(
            plan, backend: CaptureBackend(plan, edges: edges), isTraced: true)
        var lines: [String] = []
        var changes: [VirtualChange] = []
        var largest = 0
        var parts = 0
        let isWhole = runner.play(until: end) { (part) throws(Never) in
            lines += part.eventLines(plan)
            changes += part.changes
            largest = max(largest, part.entries.count)
            parts += 1
        }
        #expect(isWhole && runner.now == whole.now && runner.record.entries.isEmpty)
        expectEqual(lines, whole.record.eventLines(plan))
        expectEqual(changes, whole.record.changes)
        #expect(largest <= ScenarioLimits.recordPart)
        if until == nil { #expect(parts > 3 && lines.count > 4_000, "\(parts), \(lines.count)") }
    }
}
