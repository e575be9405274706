import DetentCore
public import DetentHAL
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes
public import DetentWorld

/// Plays a scenario on real lines: chips of the kernel's simulator, moved from outside.
///
/// It is the file that virtual time plays, with contacts that do not bounce. An expectation holds
/// if it held since the moment at which its step was due, or comes to hold within
/// `BenchtopLimits.tolerance`, so that neither a late program nor a short phase fails falsely.
public final class BenchtopScenario {
    private let scenario: Scenario
    private let panel: BenchtopPanel
    private var failures: [ScenarioResult.Failure] = []
    /// When the step before was over, had nothing come late.
    private var due = Instant.zero
    /// Reports of each control that a step has already asked for.
    private var seen: [Int]

    /// Reads and plays a file; with `NAME.expected` beside it, its events are compared.
    ///
    /// - Parameter backend: closed; it must reach the lines of the simulated chips.
    /// - Throws: `BenchtopError` where the lines cannot be had or moved.
    public static func run(
        _ file: String, backend: any GPIOBackend
    ) throws -> ScenarioFile.Outcome {
        let reading = ScenarioReader.read(file: file)
        guard let scenario = reading.scenario else { return .unreadable(reading.problems) }
        let refused = refusals(scenario)
        if !refused.isEmpty { return .unreadable(refused) }
        let player = try BenchtopScenario(scenario, backend)
        let expected = try? SourceText.read(file: ScenarioFile.expectedTrace(of: file))
        return .ran(try player.play(expected))
    }

    private static let tooQuick = Rule(
        "too-quick", "Two writes to a kernel's line are at least 1 ms apart.")

    /// What no program can do to a real line.
    static func refusals(_ scenario: Scenario) -> [Problem] {
        scenario.steps.compactMap { step in
            guard case .gesture(.glitch(_, let width), _) = step.work,
                width < BenchtopLimits.narrowestGlitch
            else { return nil }
            return Problem(
                severity: .error, rule: tooQuick, file: scenario.file, place: step.place,
                text: "a glitch of \(width.milliseconds) cannot be made on real lines",
                help: "at least \(BenchtopLimits.narrowestGlitch.milliseconds), or run it with "
                    + "`--backend sim`")
        }
    }

    init(_ scenario: Scenario, _ backend: any GPIOBackend) throws {
        self.scenario = scenario
        let plan = scenario.plan
        let world = World(
            plan, seed: scenario.seed, bounce: scenario.bounce.withoutBounce,
            at: MonotonicClock.now)
        panel = try BenchtopPanel(
            plan,
            backend: BenchtopBackend(
                backend, plan: plan, lines: try Self.lines(of: plan), world: world),
            scripts: ActionModel(scripts: scenario.actions))
        seen = Array(repeating: 0, count: plan.controls.count)
    }

    private static func lines(of plan: PanelPlan) throws(BenchtopError) -> [BenchtopLine] {
        let chips = SimulatedChips()
        var lines: [BenchtopLine] = []
        for line in plan.lines {
            guard let folder = chips.folder(of: line) else {
                throw BenchtopError(
                    cause: "nothing can move \(line.name): no chip of gpio-sim that is plugged in "
                        + "has it (\(SimulatedChips.root))",
                    remedy: "make one with the panel's lines, as docs/scenarios.md shows, or run "
                        + "with `--backend sim`")
            }
            lines.append(try BenchtopLine(folder: folder, name: line.name))
        }
        return lines
    }

    private func play(_ expectedTrace: SourceText?) throws -> ScenarioResult {
        try panel.start()
        due = panel.origin
        defer { panel.end() }
        var steps = 0
        for step in scenario.steps where failures.count < WorldLimits.failures && !panel.isOver {
            steps += 1
            try run(step)
        }
        if panel.isOver {
            fail(
                SourcePlace(line: 1, column: 1),
                "the run was cut: a chip has gone, or more "
                    + "was reported than can be kept\n")
        }
        let events = panel.reports.map(line)
        if let expectedTrace { compare(events, expectedTrace) }
        return ScenarioResult(
            file: scenario.file, plan: scenario.plan, seed: scenario.seed, steps: steps,
            failures: failures, duration: MonotonicClock.now - panel.origin, events: events,
            isReal: true)
    }

    private func run(_ step: ScenarioStep) throws {
        switch step.work {
        case .gesture(let gesture, let control): perform(gesture, control, step)
        case .set(let control, let value): panel.send(.intent(control, value, .api))
        case .fire(let control, let event):
            panel.send(.fire(control, event, .api, isConfirmed: false))
        case .wait(let time):
            due = due + time
            panel.run(until: due)
        case .waitUntil(let expectations, let within):
            wait(for: expectations, until: MonotonicClock.now + within, step)
        case .expect(let expectations):
            for expectation in expectations { check(expectation, step) }
        case .failAction(let control, let code): panel.fail(control, code: code)
        case .device(let control, let value): panel.set(control, to: value)
        case .feedback(let control, let value):
            panel.set(control, to: value)
            panel.send(.feedback(control, value))
        case .restart(let pause):
            try panel.restart(after: pause)
            due = MonotonicClock.now
        case .powerCut(let pause):
            try panel.restart(after: pause, isOrderly: false)
            due = MonotonicClock.now
        }
    }

    private func perform(_ gesture: Gesture, _ control: ControlID, _ step: ScenarioStep) {
        do throws(GestureError) {
            try panel.backend.apply(gesture, at: MonotonicClock.now)
        } catch {
            return fail(step.place, "the gesture cannot be made: \(error)\n")
        }
        var last = MonotonicClock.now
        while panel.backend.nextChange != .never, !panel.isOver {
            last = panel.backend.nextChange
            panel.turn(until: last)
        }
        due = last + scenario.plan.settleTime(of: control)
        panel.run(until: due)
    }

    private func wait(
        for expectations: [Expectation], until end: Instant, _ step: ScenarioStep
    ) {
        let late = end + BenchtopLimits.tolerance
        while !panel.isOver, MonotonicClock.now < late {
            if expectations.allSatisfy({ holds($0, since: MonotonicClock.now) }) { break }
            panel.turn(until: late)
        }
        due = MonotonicClock.now
        for expectation in expectations { check(expectation, step) }
    }

    private func check(_ expectation: Expectation, _ step: ScenarioStep) {
        let moment = min(MonotonicClock.now, due + BenchtopLimits.reaction)
        let end = MonotonicClock.now + BenchtopLimits.tolerance
        while !holds(expectation, since: moment), !panel.isOver, MonotonicClock.now < end {
            panel.turn(until: end)
        }
        let place = Int(expectation.control.index)
        let isHeld = holds(expectation, since: moment)
        let found = isHeld ? expectation.expected : self.found(expectation)
        if expectation.field == .event { seen[place] = panel.reports.count }
        if isHeld { return }
        let id = scenario.plan.controls[place].id
        let now = (MonotonicClock.now - panel.origin).milliseconds
        var text = "\(step.verb): `\(id)` at \(now)\n"
        text += "    expected \(expectation.field.rawValue): \(shown(expectation.expected))\n"
        text += "    found    \(expectation.field.rawValue): \(shown(found))\n"
        fail(expectation.place, text)
    }

    private func shown(_ word: String) -> String { word.isEmpty ? "(nothing)" : word }

    private func holds(_ expectation: Expectation, since moment: Instant) -> Bool {
        let control = expectation.control
        switch expectation.field {
        case .event: return events(of: control).contains(expectation.expected)
        case .lamp: return lamp(of: control) == expectation.expected
        case .value, .actual, .position, .phase, .indicator, .flags, .lost:
            let names = scenario.plan.controls[Int(control.index)].valueNames
            return panel.states(of: control, since: moment).contains {
                expectation.field.word(of: $0, names: names) == expectation.expected
            }
        }
    }

    private func found(_ expectation: Expectation) -> String {
        let control = expectation.control
        switch expectation.field {
        case .event: return events(of: control).last ?? ""
        case .lamp: return lamp(of: control)
        case .value, .actual, .position, .phase, .indicator, .flags, .lost:
            let names = scenario.plan.controls[Int(control.index)].valueNames
            let state = panel.states(of: control, since: .never).last
            return state.map { expectation.field.word(of: $0, names: names) } ?? ""
        }
    }

    /// What somebody sees who looks at the lamps of a control from outside.
    private func lamp(of control: ControlID) -> String {
        let lamps = scenario.plan.controls[Int(control.index)].settings.indicator.lines
        let isLit = (lamps.first..<lamps.first + lamps.count)
            .contains { panel.backend.isActive(LineID($0)) }
        return isLit ? "on" : "off"
    }

    /// The words of the events of a control since a step last asked.
    private func events(of control: ControlID) -> [String] {
        panel.reports.dropFirst(seen[Int(control.index)])
            .filter { $0.report.control == control }
            .map { EventLine.word(in: line($0)) }
    }

    private func line(_ timed: TimedReport) -> String {
        EventLine.text(
            timed.report, plan: scenario.plan, at: .zero + (timed.at - panel.origin)) + "\n"
    }

    private func fail(_ place: SourcePlace, _ text: String) {
        guard failures.count < WorldLimits.failures else { return }
        let last = panel.reports.suffix(8).map { "      " + line($0) }
        let events = last.isEmpty ? "    no event yet\n" : "    last events:\n" + last.joined()
        failures.append(ScenarioResult.Failure(place: place, text: text + events))
    }

    private func compare(_ events: [String], _ expected: SourceText) {
        let wanted = String(decoding: expected.bytes, as: UTF8.self)
            .split(separator: "\n").map(String.init)
        let comparison = TraceComparison(
            found: events, expected: wanted, tolerance: BenchtopLimits.tolerance)
        for difference in comparison.differences.prefix(BenchtopLimits.differences) {
            failures.append(
                ScenarioResult.Failure(
                    place: SourcePlace(line: 1, column: 1),
                    text: "\(expected.file): \(difference)"))
        }
    }
}

extension BounceChoice {
    /// The same mechanics with contacts that change cleanly.
    var withoutBounce: BounceChoice {
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
