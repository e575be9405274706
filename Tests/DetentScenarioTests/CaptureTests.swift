import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld
import TestPanels
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
        #expect(
            words(record, plan) == [
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
        #expect(moved.map(\.at) == [.milliseconds(120)])
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
        #expect(quiet.entries.map(\.report.kind) == [.pressed, .held])
        let timed = try CaptureRunner.run(plan, edges: press, until: .milliseconds(2_000))
        #expect(timed.entries.filter { $0.report.kind == .repeated }.count == 4)
        // A release later on shows that the repeats before it stay.
        let released = try CaptureRunner.run(plan, edges: press + [edge(1_500, 0, high: true)])
        #expect(released.entries.filter { $0.report.kind == .repeated }.count == 2)
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
        #expect(late.entries == prompt.entries)
    }
}
