import DetentCore
package import DetentHAL
public import DetentPanel
package import DetentTypes
import DetentWorld

/// Runs a scenario in virtual time.
///
/// A gesture lasts until the panel is at rest and the control has reacted. Other steps except waits
/// take no time. Equal files give equal results, byte for byte.
public final class VirtualPlayer: ScenarioPlayer {
    package let scenario: Scenario
    package var log: ScenarioLog
    let panel: VirtualPanel

    init(
        _ scenario: Scenario, isTraced: Bool, tape: EngineTape? = nil
    ) throws(EngineError) {
        self.scenario = scenario
        panel = try VirtualPanel(
            scenario.plan, seed: scenario.seed, bounce: scenario.bounce, actions: scenario.actions,
            keepsState: true, isTraced: isTraced, tape: tape)
        log = ScenarioLog(controls: scenario.plan.controls.count)
    }

    /// Runs all steps; a failed step does not stop the following ones.
    ///
    /// - Parameters:
    ///   - expectedTrace: the expected event lines; nil if they are not compared.
    ///   - isTraced: whether the record also contains what only a trace shows.
    public static func run(
        _ scenario: Scenario, expectedTrace: SourceText? = nil, isTraced: Bool = false
    ) -> ScenarioResult {
        run(scenario, expectedTrace: expectedTrace, isTraced: isTraced, tape: nil)
    }

    /// As above; the tape gets what goes through the engine.
    package static func run(
        _ scenario: Scenario, expectedTrace: SourceText? = nil, isTraced: Bool = false,
        tape: EngineTape?
    ) -> ScenarioResult {
        do throws(EngineError) {
            let player = try VirtualPlayer(scenario, isTraced: isTraced, tape: tape)
            return player.run(expectedTrace)
        } catch {
            let failure = ScenarioResult.Failure(
                place: SourcePlace(line: 1, column: 1),
                text: "the panel does not fit the engine: \(error)\n")
            return ScenarioResult(
                file: scenario.file, seed: scenario.seed, steps: 0, failures: [failure],
                duration: .zero, events: [])
        }
    }

    private func run(_ expectedTrace: SourceText?) -> ScenarioResult {
        var steps = 0
        do {
            steps = try play { true }
        } catch {
            fail(SourcePlace(line: 1, column: 1), "cannot restart the panel: \(error)\n")
        }
        let events = panel.record.eventLines(plan)
        if let expectedTrace { compare(events, expectedTrace) }
        return ScenarioResult(
            file: scenario.file, plan: plan, seed: scenario.seed, steps: steps,
            failures: log.failures, duration: panel.now - .zero, events: events,
            record: panel.record)
    }

    package var stage: any ScenarioStage { panel }
    package var moment: Instant { panel.now }
    package var eventCount: Int { panel.record.entries.count }

    package func event(_ place: Int) -> VirtualRecord.Entry { panel.record.entries[place] }

    package func make(_ gestures: [PartGesture]) throws(GestureError) {
        try panel.begin(gestures)
        while panel.nextChange != .never, !panel.record.isFull {
            panel.run(until: panel.nextChange)
        }
        let settling = gestures.map { plan.settleTime(of: $0.control) }
        panel.run(until: panel.now + (settling.max() ?? .zero))
    }

    package func go(to moment: Instant) -> Bool {
        guard moment >= panel.now else { return false }
        panel.run(until: moment)
        return true
    }

    package func wait(_ span: TimeSpan) { panel.run(until: panel.now + span) }

    /// Runs from one event to the next until all expectations hold.
    package func wait(for expectations: [Expectation], within: TimeSpan) {
        let end = panel.now + within
        while !expectations.allSatisfy({ look($0).isHeld }) {
            let next = panel.next
            guard next <= end, next != .never, !panel.record.isFull else {
                return panel.run(until: end)
            }
            panel.run(until: next)
        }
    }

    package func look(_ expectation: Expectation) -> (isHeld: Bool, found: String) {
        let found = found(expectation)
        return (found == expectation.expected, found)
    }

    /// What was found, in the form of `Expectation.expected`.
    private func found(_ expectation: Expectation) -> String {
        switch expectation.subject {
        case .line(let line):
            return panel.level(of: line) == .active ? "active" : "inactive"
        case .control(let control, .event):
            return told(expectation.expected, control)
        case .control(let control, .asked): return panel.asked(of: control)
        case .control(let control, let field):
            guard let snapshot = panel.snapshot(of: control) else { return "" }
            return field.word(of: snapshot, control, in: plan, chosen: lastChosen(of: control))
        }
    }

    package func restart(after pause: TimeSpan, isOrderly: Bool) throws {
        try panel.restart(after: pause, isOrderly: isOrderly)
    }

    package func reload(touching controls: [ControlID]) throws -> [HALError] {
        try panel.reload(touching: controls)
    }

    private func compare(_ events: [String], _ expected: SourceText) {
        let found = events.joined().split(separator: "\n", omittingEmptySubsequences: false)
        // git writes CR LF where it is told to.
        let wanted = String(decoding: expected.bytes.filter { $0 != 0x0D }, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard found != wanted else { return }
        var place = 0
        while place < min(found.count, wanted.count), found[place] == wanted[place] { place += 1 }
        var text = "the events differ from \(expected.file) at its line \(place + 1)\n"
        text += "    expected: \(place < wanted.count ? String(wanted[place]) : "(the end)")\n"
        text += "    found:    \(place < found.count ? String(found[place]) : "(the end)")\n"
        log.fail(SourcePlace(line: 1, column: 1), text)
    }
}
