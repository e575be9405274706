import DetentCore
package import DetentHAL
package import DetentPanel
package import DetentTypes
package import DetentWorld

/// Performs the steps of a scenario: in virtual time, or on real lines.
///
/// All players share the meaning of steps and the messages of failures; each has its own time.
package protocol ScenarioPlayer: AnyObject {
    var scenario: Scenario { get }
    /// The panel of the scenario.
    var stage: any ScenarioStage { get }
    var log: ScenarioLog { get set }
    /// The time since the start of the panel.
    var moment: Instant { get }
    /// The number of events of the panel.
    var eventCount: Int { get }

    /// An event of the panel, with its time since the start.
    func event(_ place: Int) -> VirtualRecord.Entry
    /// Begins gestures at one moment, and waits until the parts are at rest and the controls have
    /// reacted.
    func make(_ gestures: [PartGesture]) throws(GestureError)
    /// Runs until a time since the start of the panel.
    ///
    /// - Returns: false if it has passed.
    func go(to moment: Instant) -> Bool
    func wait(_ span: TimeSpan)
    /// Waits until all expectations hold, with a time limit.
    func wait(for expectations: [Expectation], within: TimeSpan)
    /// Whether an expectation holds, and what was found.
    func look(_ expectation: Expectation) -> (isHeld: Bool, found: String)
    func restart(after pause: TimeSpan, isOrderly: Bool) throws
    /// The panel follows its own file; these controls start again.
    ///
    /// - Returns: the lines that could not be requested; the panel then goes on unchanged.
    func reload(touching controls: [ControlID]) throws -> [HALError]
}

/// The results of a scenario so far.
package struct ScenarioLog {
    /// The failures.
    package private(set) var failures: [ScenarioResult.Failure] = []
    /// The number of events of each control that steps have already checked.
    fileprivate var seen: [Int]

    package init(controls: Int) {
        seen = Array(repeating: 0, count: controls)
    }

    /// Adds a failure that belongs to no step; only the first failures are kept.
    package mutating func fail(_ place: SourcePlace, _ text: String) {
        guard failures.count < ScenarioLimits.failures else { return }
        failures.append(ScenarioResult.Failure(place: place, text: text))
    }
}

extension ScenarioPlayer {
    package var plan: PanelPlan { scenario.plan }

    /// Performs the steps while `isGoing` is true, and returns how many it performed.
    ///
    /// A failed step does not stop the following ones.
    package func play(while isGoing: () -> Bool) throws -> Int {
        var steps = 0
        for step in scenario.steps where log.failures.count < ScenarioLimits.failures && isGoing() {
            steps += 1
            try play(step)
        }
        return steps
    }

    package func play(_ step: ScenarioStep) throws {
        if let at = step.at, !go(to: at) {
            fail(
                step.place,
                "\(step.verb): its time \((at - .zero).milliseconds) has passed: it is "
                    + "\((moment - .zero).milliseconds)\n")
        }
        switch step.work {
        case .apply(let stimulus):
            do throws(GestureError) {
                if case .gestures(let gestures) = stimulus, step.at == nil {
                    try make(gestures)
                } else {
                    try stage.apply(stimulus)
                }
            } catch {
                fail(step.place, "the gesture failed: \(error)\n")
            }
        case .wait(let time): wait(time)
        case .waitUntil(let expectations, let within):
            let began = moment
            wait(for: expectations, within: within)
            let waited = " after \((moment - began).milliseconds)"
            for expectation in expectations { check(expectation, step, waited) }
        case .expect(let expectations):
            for expectation in expectations { check(expectation, step, "") }
        case .restart(let pause): try restart(after: pause, isOrderly: true)
        case .powerCut(let pause): try restart(after: pause, isOrderly: false)
        case .reload(let controls):
            for error in try reload(touching: controls) {
                fail(step.place, "\(step.verb): \(error.line): \(error.cause)\n")
            }
        }
    }

    private func check(_ expectation: Expectation, _ step: ScenarioStep, _ when: String) {
        let (isHeld, found) = look(expectation)
        if case .control(let control, .event) = expectation.subject {
            log.seen[Int(control.index)] = eventCount
        }
        if isHeld { return }
        let (name, field) = words(of: expectation.subject)
        var text = "\(step.verb): `\(name)` at \((moment - .zero).milliseconds)\(when)\n"
        text += "    expected \(field): \(shown(expectation.expected))\n"
        text += "    found    \(field): \(shown(found))\n"
        fail(expectation.place, text)
    }

    /// The item that a menu fired last; unknown if it has fired none.
    package func lastChosen(of control: ControlID) -> Value {
        for place in (0..<eventCount).reversed() {
            let report = event(place).report
            if report.control == control, case .chosen(let item, _) = report.kind { return item }
        }
        return .unknown
    }

    private func words(of subject: Expectation.Subject) -> (name: String, field: String) {
        switch subject {
        case .control(let control, let field):
            (plan[control].id, field.rawValue)
        case .line(let line): (plan[line].name, "level")
        }
    }

    private func shown(_ word: String) -> String { word.isEmpty ? "(nothing)" : word }

    /// Adds a failure with the last events.
    package func fail(_ place: SourcePlace, _ text: String) {
        var text = text
        text += eventCount == 0 ? "    no event yet\n" : "    last events:\n"
        let lines = EventText(plan: plan)
        for place in max(0, eventCount - 8)..<eventCount {
            let entry = event(place)
            let members = EventLine.members(entry.report, plan: plan, at: entry.at)
            text += "      \(lines.line(members))\n"
        }
        log.fail(place, text)
    }

    /// The expected event if it occurred since the last step that checked; otherwise the last
    /// event, in the same form.
    package func told(_ expected: String, _ control: ControlID) -> String {
        var last = ""
        for place in min(eventCount, log.seen[Int(control.index)])..<eventCount {
            let entry = event(place)
            guard entry.report.control == control else { continue }
            let (word, detail) = EventLine.words(entry.report, plan: plan)
            last = word.rawValue
            if last == expected { return last }
            guard expected.contains(" ") else { continue }
            last += detail.map { " " + $0 } ?? ""
            if last == expected { return last }
        }
        return last
    }
}
