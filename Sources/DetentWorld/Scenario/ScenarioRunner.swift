import DetentCore
public import DetentPanel
import DetentTypes

/// Runs a scenario in virtual time.
///
/// A gesture lasts until the world is at rest again and the control has heard it; every other step
/// but the waits takes no time. Equal files give equal results, byte for byte.
public final class ScenarioRunner {
    private let scenario: Scenario
    let backend: SimulatedBackend
    private let runner: VirtualRunner
    private var failures: [ScenarioResult.Failure] = []
    /// Events of each control that a step has already asked for.
    private var seen: [Int]

    init(_ scenario: Scenario, isTraced: Bool) throws(EngineError) {
        self.scenario = scenario
        let world = World(scenario.plan, seed: scenario.seed, bounce: scenario.bounce)
        backend = SimulatedBackend(world)
        runner = try VirtualRunner(
            scenario.plan, backend: backend, actions: ActionModel(scripts: scenario.actions),
            keepsState: true, isTraced: isTraced)
        seen = Array(repeating: 0, count: scenario.plan.controls.count)
    }

    /// Runs all steps; a failed one does not stop those after it.
    ///
    /// - Parameters:
    ///   - expectedTrace: the event lines that should come out; nil where nobody says.
    ///   - isTraced: the result's record also holds what only a trace shows.
    public static func run(
        _ scenario: Scenario, expectedTrace: SourceText? = nil, isTraced: Bool = false
    ) -> ScenarioResult {
        do throws(EngineError) {
            let runner = try ScenarioRunner(scenario, isTraced: isTraced)
            return runner.run(expectedTrace)
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
        for step in scenario.steps where failures.count < WorldLimits.failures {
            steps += 1
            run(step)
        }
        let events = runner.record.eventLines(scenario.plan)
        if let expectedTrace { compare(events, expectedTrace) }
        return ScenarioResult(
            file: scenario.file, plan: scenario.plan, seed: scenario.seed, steps: steps,
            failures: failures,
            duration: runner.now - .zero, events: events, record: runner.record)
    }

    func run(_ step: ScenarioStep) {
        switch step.work {
        case .gesture(let gesture, let control):
            perform(gesture, control, step)
        case .set(let control, let value):
            runner.handle(.intent(control, value, .api))
        case .fire(let control, let event):
            runner.handle(.fire(control, event, .api, isConfirmed: false))
        case .wait(let time):
            runner.run(until: runner.now + time)
        case .waitUntil(let expectations, let within):
            wait(for: expectations, until: runner.now + within, step)
        case .expect(let expectations):
            for expectation in expectations { check(expectation, step, "") }
        case .failAction(let control, let code):
            runner.actions.fail(control, code: code)
        case .device(let control, let value):
            runner.actions.set(control, to: value)
        case .feedback(let control, let value):
            runner.actions.set(control, to: value)
            runner.handle(.feedback(control, value))
        case .restart(let pause):
            restart(after: pause, isOrderly: true, step)
        case .powerCut(let pause):
            restart(after: pause, isOrderly: false, step)
        }
    }

    private func perform(_ gesture: Gesture, _ control: ControlID, _ step: ScenarioStep) {
        do throws(GestureError) {
            try backend.apply(gesture, at: runner.now)
        } catch {
            return fail(step.place, "the gesture cannot be made: \(error)\n")
        }
        while backend.nextChange != .never, !runner.record.isFull {
            runner.run(until: backend.nextChange)
        }
        runner.run(until: runner.now + scenario.plan.settleTime(of: control))
    }

    private func restart(after pause: TimeSpan, isOrderly: Bool, _ step: ScenarioStep) {
        if !isOrderly { backend.cutPower(at: runner.now) }
        do throws(EngineError) {
            try runner.restart(after: pause, isOrderly: isOrderly)
        } catch {
            fail(step.place, "the panel cannot start again: \(error)\n")
        }
    }

    /// Goes from one thing that happens to the next until all is as expected.
    private func wait(
        for expectations: [Expectation], until end: Instant, _ step: ScenarioStep
    ) {
        let began = runner.now
        while true {
            if expectations.allSatisfy({ found($0) == $0.expected }) { break }
            let next = runner.next
            guard next <= end, next != .never, !runner.record.isFull else {
                runner.run(until: end)
                break
            }
            runner.run(until: next)
        }
        let waited = (runner.now - began).milliseconds
        for expectation in expectations { check(expectation, step, " after \(waited)") }
    }

    private func check(_ expectation: Expectation, _ step: ScenarioStep, _ when: String) {
        let found = found(expectation)
        if expectation.field == .event {
            seen[Int(expectation.control.index)] = runner.record.entries.count
        }
        guard found != expectation.expected else { return }
        let id = scenario.plan.controls[Int(expectation.control.index)].id
        let now = (runner.now - .zero).milliseconds
        var text = "\(step.verb): `\(id)` at \(now)\(when)\n"
        text += "    expected \(expectation.field.rawValue): \(shown(expectation.expected))\n"
        text += "    found    \(expectation.field.rawValue): \(shown(found))\n"
        fail(expectation.place, text)
    }

    private func shown(_ word: String) -> String { word.isEmpty ? "(nothing)" : word }

    /// What the panel says, in the words of `Expectation.expected`.
    private func found(_ expectation: Expectation) -> String {
        let control = expectation.control
        guard let it = runner.snapshot(of: control) else { return "" }
        let names = scenario.plan.controls[Int(control.index)].valueNames
        if expectation.field == .event { return event(expectation) }
        return expectation.field.word(of: it, names: names)
    }

    /// The expected event if it came since the last step that asked; else the last that came.
    private func event(_ expectation: Expectation) -> String {
        var last = ""
        for entry in runner.record.entries.dropFirst(seen[Int(expectation.control.index)])
        where entry.report.control == expectation.control {
            let line = EventLine.text(entry.report, plan: scenario.plan, at: entry.at)
            last = EventLine.word(in: line)
            if last == expectation.expected { return last }
        }
        return last
    }

    private func fail(_ place: SourcePlace, _ text: String) {
        guard failures.count < WorldLimits.failures else { return }
        var text = text
        let last = runner.record.entries.suffix(8)
        text += last.isEmpty ? "    no event yet\n" : "    last events:\n"
        for entry in last {
            text += "      \(EventLine.text(entry.report, plan: scenario.plan, at: entry.at))\n"
        }
        failures.append(ScenarioResult.Failure(place: place, text: text))
    }

    private func compare(_ events: [String], _ expected: SourceText) {
        let found = events.joined().split(separator: "\n", omittingEmptySubsequences: false)
        let wanted = String(decoding: expected.bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard found != wanted else { return }
        var place = 0
        while place < min(found.count, wanted.count), found[place] == wanted[place] { place += 1 }
        var text = "the events differ from \(expected.file) at its line \(place + 1)\n"
        text += "    expected: \(place < wanted.count ? String(wanted[place]) : "(the end)")\n"
        text += "    found:    \(place < found.count ? String(found[place]) : "(the end)")\n"
        failures.append(
            ScenarioResult.Failure(place: SourcePlace(line: 1, column: 1), text: text))
    }
}

extension EventLine {
    /// The word of `"event"` in an event line.
    package static func word(in line: String) -> String {
        let parts = line.split(separator: "\"")
        guard let key = parts.firstIndex(of: "event"), key + 2 < parts.count else { return "" }
        return String(parts[key + 2])
    }
}
