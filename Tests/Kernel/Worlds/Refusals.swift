internal import DetentCore
internal import DetentPanel
internal import DetentScenario
internal import DetentTypes
internal import DetentWorld

/// What of a scenario only virtual time can do, with the reason.
enum Refusals {
    /// The reasons; empty if both worlds can play it.
    static func of(_ scenario: Scenario) -> [String] {
        let plan = scenario.plan
        guard plan.lines.count <= WorldBoard.mostLines else {
            return [
                "the panel has \(plan.lines.count) lines, and the kernel that simulates chips has "
                    + "interrupts for \(WorldBoard.mostLines)"
            ]
        }
        var reasons: [String] = []
        let questions = Questions(plan)
        for (control, script) in scenario.actions {
            reasons += refusals(of: script, for: control, plan, questions)
        }
        for step in scenario.steps {
            if let reason = refusal(of: step, plan, questions) {
                reasons.append("\(step.verb), line \(step.place.line): \(reason)")
            }
        }
        return reasons
    }

    private static func refusal(
        of step: ScenarioStep, _ plan: PanelPlan, _ questions: Questions
    ) -> String? {
        switch step.work {
        case .reload: return "a file in which nothing changed is reloaded by no daemon"
        case .wait, .waitUntil, .expect, .restart, .powerCut: return nil
        case .apply(let stimulus):
            return refusal(of: stimulus, plan, questions)
        }
    }

    private static func refusal(
        of stimulus: Stimulus, _ plan: PanelPlan, _ questions: Questions
    ) -> String? {
        switch stimulus {
        case .gestures(let gestures):
            for it in gestures {
                if case .glitch(_, let width) = it.gesture, width < .milliseconds(1) {
                    return "a glitch below 1 ms is too short for two writes"
                }
                if case .miss = it.gesture { return "no hand makes a contact miss its edges" }
            }
            return nil
        case .tell, .device, .bounce, .silence, .failNext, .finishAction: return nil
        case .actions(let control, let script):
            return refusals(of: script, for: control, plan, questions).first
        case .failAction(let control, let code):
            return refusal(ofCode: code, for: control, questions)
        case .feedback(let control, _), .report(let control, _):
            switch plan[control].feedback?.source {
            case .request:
                return "a web service is asked in a rhythm, and virtual time reports at once"
            case .control: return "the reports of another panel need that panel"
            case .topic, .message: return "not yet"
            case .program, .line, nil: return nil
            }
        case .loseFeedback: return "a broker, a web service and a message cannot be lost alone"
        case .broker: return "not yet"
        }
    }

    private static func refusals(
        of script: ActionScript, for control: ControlID, _ plan: PanelPlan, _ questions: Questions
    ) -> [String] {
        let id = plan[control].id
        switch script.ending {
        case .fail(let code):
            return refusal(ofCode: code, for: control, questions).map { ["\(id): \($0)"] } ?? []
        case .lose where questions.kinds(of: control) == ["run"]:
            return ["\(id): the outcome of a program is never unknown"]
        case .succeed, .hang, .lose: return []
        }
    }

    private static func refusal(
        ofCode code: Int32, for control: ControlID, _ questions: Questions
    ) -> String? {
        let kinds = questions.kinds(of: control)
        if kinds == ["run"], !(1...255).contains(code) {
            return "a program does not end with the code \(code)"
        }
        if kinds == ["http"], code < 256 {
            return "a web service answers with a status from 256, not with the code \(code)"
        }
        return nil
    }
}
