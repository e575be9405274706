import DetentCore
public import DetentHAL
import DetentPanel
import DetentPlatform
internal import DetentRuntime
package import DetentTypes
package import DetentWorld

/// Plays a scenario on chips of the kernel's simulator gpio-sim.
///
/// The same file also plays in virtual time; here contacts do not bounce. An expectation holds if
/// it was true at any time since its step was due, or becomes true within
/// `GPIOSimLimits.tolerance`. So neither a late program nor a short phase causes a false failure.
public final class GPIOSimPlayer: ScenarioPlayer {
    package let scenario: Scenario
    package var log: ScenarioLog
    private let panel: GPIOSimPanel
    /// When the previous step would have ended without delays.
    private var due = Instant.zero

    /// Reads and plays a file. If `NAME.expected` exists, its events are compared.
    ///
    /// - Parameter backend: a closed backend that can request the lines of the simulated chips.
    /// - Throws: `GPIOSimError` if the lines cannot be requested or changed.
    public static func run(
        _ file: String, backend: any GPIOBackend
    ) throws -> ScenarioFile.Outcome {
        let reading = ScenarioReader.read(file: file)
        guard let scenario = reading.scenario else { return .unreadable(reading.problems) }
        let refused = refusals(scenario)
        if !refused.isEmpty { return .unreadable(refused) }
        let player = try GPIOSimPlayer(scenario, backend)
        let expected = try? SourceText.read(file: ScenarioFile.expectedTrace(of: file))
        return .ran(try player.play(expected))
    }

    private static let virtualOnly = Rule(
        "virtual-only",
        "A scenario with `time: virtual`, `report`, `answer`, `broker` or `reload` cannot run in "
            + "real time.")
    private static let tooQuick = Rule(
        "too-quick", "On real lines, a glitch must last at least 1 ms.")

    /// Steps that are impossible on real lines.
    static func refusals(_ scenario: Scenario) -> [Problem] {
        if scenario.isVirtualOnly {
            return [
                Problem(
                    severity: .error, rule: virtualOnly, file: scenario.file,
                    place: SourcePlace(line: 1, column: 1),
                    text: "the scenario has `time: virtual`, so it cannot run in real time",
                    help: "run it with `--backend sim`")
            ]
        }
        if scenario.actions.values.contains(where: { $0.answer != nil }) {
            return [
                inRealTime(
                    "answer", SourcePlace(line: 1, column: 1), scenario, instead: "use `device`")
            ]
        }
        return scenario.steps.compactMap { step in
            if case .apply(.actions(_, let script)) = step.work, script.answer != nil {
                return inRealTime("answer", step.place, scenario, instead: "use `device`")
            }
            if case .apply(.report) = step.work {
                return inRealTime("report", step.place, scenario, instead: "use `feedback`")
            }
            if case .apply(.broker) = step.work {
                return inRealTime("broker", step.place, scenario, instead: "use `lose-feedback`")
            }
            if case .reload = step.work {
                return inRealTime("reload", step.place, scenario, instead: "remove the step")
            }
            guard case .apply(.gestures(let gestures)) = step.work,
                let width = gestures.compactMap(Self.glitch).min(),
                width < GPIOSimLimits.narrowestGlitch
            else { return nil }
            return Problem(
                severity: .error, rule: tooQuick, file: scenario.file, place: step.place,
                text: "a glitch of \(width.milliseconds) is too short for real lines",
                help: "use at least \(GPIOSimLimits.narrowestGlitch.milliseconds), or run it with "
                    + "`--backend sim`")
        }
    }

    private static func inRealTime(
        _ word: String, _ place: SourcePlace, _ scenario: Scenario, instead remedy: String
    ) -> Problem {
        Problem(
            severity: .error, rule: virtualOnly, file: scenario.file, place: place,
            text: "`\(word)` cannot run in real time",
            help: "\(remedy), or run it with `--backend sim`")
    }

    init(_ scenario: Scenario, _ backend: any GPIOBackend) throws {
        self.scenario = scenario
        let plan = scenario.plan
        let world = PhysicalModel(
            plan, seed: scenario.seed, bounce: scenario.bounce.withoutBounce,
            at: MonotonicClock.now)
        panel = try GPIOSimPanel(
            plan,
            backend: GPIOSimBackend(
                backend, plan: plan, lines: try Self.lines(of: plan), world: world),
            scripts: ActionModel(scripts: scenario.actions, connections: plan.connections))
        log = ScenarioLog(controls: plan.controls.count)
    }

    private static func glitch(_ it: PartGesture) -> TimeSpan? {
        if case .glitch(_, let width) = it.gesture { width } else { nil }
    }

    private static func lines(of plan: PanelPlan) throws(GPIOSimError) -> [GPIOSimLine] {
        let chips = GPIOSimChips()
        var lines: [GPIOSimLine] = []
        for line in plan.lines {
            guard let folder = chips.folder(of: line) else {
                throw GPIOSimError(
                    cause: "no gpio-sim chip has the line \(line.name) (\(GPIOSimChips.root))",
                    remedy: "create one with the panel's lines (see docs/scenarios.md), or run "
                        + "with `--backend sim`")
            }
            lines.append(try GPIOSimLine(folder: folder, name: line.name))
        }
        return lines
    }

    private func play(_ expectedTrace: SourceText?) throws -> ScenarioResult {
        try panel.start()
        due = panel.origin
        defer { panel.end() }
        let steps = try play { !panel.isOver }
        if panel.isOver {
            fail(
                SourcePlace(line: 1, column: 1),
                "the run was aborted: a chip was removed, or there "
                    + "were too many events\n")
        }
        let events = panel.reports.indices.map { line(event($0)) }
        if let expectedTrace { compare(events, expectedTrace) }
        return ScenarioResult(
            file: scenario.file, plan: plan, seed: scenario.seed, steps: steps,
            failures: log.failures, duration: MonotonicClock.now - panel.origin, events: events,
            isReal: true)
    }

    package var stage: any ScenarioStage { panel }
    package var moment: Instant { .zero + (MonotonicClock.now - panel.origin) }
    package var eventCount: Int { panel.reports.count }

    package func event(_ place: Int) -> VirtualRecord.Entry {
        let timed = panel.reports[place]
        return VirtualRecord.Entry(report: timed.report, at: .zero + (timed.at - panel.origin))
    }

    package func make(_ gestures: [PartGesture]) throws(GestureError) {
        let start = MonotonicClock.now
        try panel.begin(gestures)
        var last = start
        while panel.backend.nextChange != .never, !panel.isOver {
            last = panel.backend.nextChange
            panel.turn(until: last)
        }
        let settling = gestures.map { plan.settleTime(of: $0.control) }
        // The time counts from the actual last change, which is late on a busy machine.
        due = max(last, MonotonicClock.now) + (settling.max() ?? .zero)
        panel.run(until: due)
    }

    package func go(to moment: Instant) -> Bool {
        let wanted = panel.origin + (moment - .zero)
        guard wanted >= due else { return false }
        due = wanted
        panel.run(until: due)
        return true
    }

    package func wait(_ span: TimeSpan) {
        due = due + span
        panel.run(until: due)
    }

    package func wait(for expectations: [Expectation], within: TimeSpan) {
        let late = MonotonicClock.now + within + GPIOSimLimits.tolerance
        while !panel.isOver, MonotonicClock.now < late {
            if expectations.allSatisfy({ holds($0, since: MonotonicClock.now) }) { break }
            panel.turn(until: late)
        }
        due = MonotonicClock.now
    }

    package func look(_ expectation: Expectation) -> (isHeld: Bool, found: String) {
        let moment = min(MonotonicClock.now, due + GPIOSimLimits.reaction)
        let end = MonotonicClock.now + GPIOSimLimits.tolerance
        while !holds(expectation, since: moment), !panel.isOver, MonotonicClock.now < end {
            panel.turn(until: end)
        }
        let isHeld = holds(expectation, since: moment)
        return (isHeld, isHeld ? expectation.expected : found(expectation))
    }

    package func restart(after pause: TimeSpan, isOrderly: Bool) throws {
        try panel.restart(after: pause, isOrderly: isOrderly)
        due = MonotonicClock.now
    }

    /// Never called: `refusals` reports such a step before the panel starts.
    package func reload(touching controls: [ControlID]) throws -> [HALError] {
        preconditionFailure("a reload in real time")
    }

    /// Earlier states count too, but the levels of lines are read now.
    private func holds(_ expectation: Expectation, since moment: Instant) -> Bool {
        switch expectation.subject {
        case .line, .control(_, .event), .control(_, .asked), .control(_, .lamp):
            return found(expectation) == expectation.expected
        case .control(let control, let field):
            let chosen = lastChosen(of: control)
            return panel.states(of: control, since: moment).contains {
                field.word(of: $0, control, in: plan, chosen: chosen) == expectation.expected
            }
        }
    }

    private func found(_ expectation: Expectation) -> String {
        switch expectation.subject {
        case .line(let line): return panel.backend.isActive(line) ? "active" : "inactive"
        case .control(let control, .event): return told(expectation.expected, control)
        case .control(let control, .asked): return panel.asked(of: control)
        case .control(let control, .lamp): return lamp(of: control)
        case .control(let control, let field):
            let chosen = lastChosen(of: control)
            let state = panel.states(of: control, since: .never).last
            return state.map { field.word(of: $0, control, in: plan, chosen: chosen) } ?? ""
        }
    }

    /// The state of a control's lamps, as measured from outside.
    private func lamp(of control: ControlID) -> String {
        let lamps = plan[control].settings.indicator.lines
        let isLit = (lamps.first..<lamps.first + lamps.count)
            .contains { panel.backend.isActive(LineID($0)) }
        return isLit ? "on" : "off"
    }

    private func line(_ entry: VirtualRecord.Entry) -> String {
        EventLine.text(entry.report, plan: plan, at: entry.at) + "\n"
    }

    private func compare(_ events: [String], _ expected: SourceText) {
        let wanted = String(decoding: expected.bytes, as: UTF8.self)
            .split(separator: "\n").map(String.init)
        let comparison = TraceComparison(
            found: events, expected: wanted, tolerance: GPIOSimLimits.tolerance)
        for difference in comparison.differences.prefix(GPIOSimLimits.differences) {
            log.fail(SourcePlace(line: 1, column: 1), "\(expected.file): \(difference)")
        }
    }
}

extension BounceChoice {
    /// The same mechanics with contacts that do not bounce.
    package var withoutBounce: BounceChoice {
        func clean(_ profile: BounceProfile) -> BounceProfile {
            var profile = profile
            profile.closes = .zero
            profile.opens = .zero
            return profile
        }
        switch self {
        case .all(let one): return .all(clean(one))
        case .perPart(let button, let lever, let selector, let encoder):
            return .perPart(
                button: clean(button), lever: clean(lever), selector: clean(selector),
                encoder: clean(encoder))
        }
    }
}
