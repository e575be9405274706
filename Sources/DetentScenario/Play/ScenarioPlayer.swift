import DetentCore
package import DetentPanel
package import DetentTypes
package import DetentWorld

/// Somebody who does the steps of a scenario: in virtual time, or on real lines.
///
/// What steps mean, and what a failure says, is the same for all; each has its own time.
package protocol ScenarioPlayer: AnyObject {
    var scenario: Scenario { get }
    /// The panel that the steps are done to.
    var stage: any ScenarioStage { get }
    var log: ScenarioLog { get set }
    /// The moment, counted from the start of the panel.
    var moment: Instant { get }
    /// How many events the panel has told.
    var eventCount: Int { get }

    /// An event that the panel has told, with its moment since the start.
    func event(_ place: Int) -> VirtualRecord.Entry
    /// Begins gestures at one moment, and goes on until the parts are at rest and the controls
    /// have heard them.
    func make(_ gestures: [PartGesture]) throws(GestureError)
    /// Goes on until a moment, counted from the start of the panel.
    ///
    /// - Returns: false where it is past.
    func go(to moment: Instant) -> Bool
    func wait(_ span: TimeSpan)
    /// Goes on until all is as expected, at most for a time.
    func wait(for expectations: [Expectation], within: TimeSpan)
    /// Whether it is as expected, and what was found.
    func look(_ expectation: Expectation) -> (isHeld: Bool, found: String)
    func restart(after pause: TimeSpan, isOrderly: Bool) throws
}

/// What a scenario has come to so far.
package struct ScenarioLog {
    /// What was not as expected.
    package private(set) var failures: [ScenarioResult.Failure] = []
    /// Events of each control that a step has already asked for.
    fileprivate var seen: [Int]

    package init(controls: Int) {
        seen = Array(repeating: 0, count: controls)
    }

    /// A failure that no step is to blame for; of many the first ones are kept.
    package mutating func fail(_ place: SourcePlace, _ text: String) {
        guard failures.count < ScenarioLimits.failures else { return }
        failures.append(ScenarioResult.Failure(place: place, text: text))
    }
}

extension ScenarioPlayer {
    package var plan: PanelPlan { scenario.plan }

    /// Does the steps until the world has come to its end; how many it did.
    ///
    /// A failed one does not stop those after it.
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
                "\(step.verb): its moment, \((at - .zero).milliseconds), is past: it is "
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
                fail(step.place, "the gesture cannot be made: \(error)\n")
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

    private func words(of subject: Expectation.Subject) -> (name: String, field: String) {
        switch subject {
        case .control(let control, let field):
            (plan.controls[Int(control.index)].id, field.rawValue)
        case .line(let line): (plan.lines[Int(line.index)].name, "level")
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

    /// The expected event if it came since the last step that asked; else the last that came, in
    /// the same words.
    package func told(_ expected: String, _ control: ControlID) -> String {
        let names = plan.controls[Int(control.index)].valueNames
        let buttons = plan.buttonWords(of: control)
        var last = ""
        for place in min(eventCount, log.seen[Int(control.index)])..<eventCount {
            let entry = event(place)
            guard entry.report.control == control else { continue }
            let line = EventLine.text(entry.report, plan: plan, at: entry.at)
            last = EventLine.word(in: line)
            if last == expected { return last }
            guard expected.contains(" ") else { continue }
            let detail = entry.report.kind.detail(names: names, buttons: buttons)
            last += detail.map { " " + $0 } ?? ""
            if last == expected { return last }
        }
        return last
    }
}
