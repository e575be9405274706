internal import DetentCore

internal import DetentPanel
internal import DetentRuntime
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
        if plan.broker?.isSecure == true { reasons.append("the broker needs certificates") }
        for control in plan.controls {
            if case .request? = control.feedback?.source {
                reasons.append("\(control.id): virtual time does not ask in a rhythm")
            }
        }
        let questions = Questions(plan)
        for place in plan.controls.indices {
            let control = ControlID(UInt16(place))
            if questions.kinds(of: control).contains("udp") {
                reasons.append("\(plan[control].id): the real world has no device for datagrams")
            }
        }
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

    /// Why the real world cannot do a step; nil if it can.
    static func refusal(
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
        case .report(_, let reports)
        where reports.period > .zero && reports.period < RuntimeLimits.feedbackGap
            && reports.count > reports.texts.count:
            return "reports that come faster than they pass: which of them is heard is chance"
        case .feedback(let control, _), .report(let control, _):
            switch plan[control].feedback?.source {
            case .control: return "the reports of another panel need that panel"
            case .wire(let kind, let fields) where kind == "udp" || fields["text"] != nil:
                return "the real world has no device for datagrams, and none that is asked in turn"
            case .wire, .program, .line, .topic, .message, .request, nil: return nil
            }
        case .loseFeedback:
            return "a topic, a web service and a message of OSC have no end that a panel notices"
        case .broker:
            return
                "a panel waits before it tries to connect again, and virtual time connects at once"
        }
    }

    private static func refusals(
        of script: ActionScript, for control: ControlID, _ plan: PanelPlan, _ questions: Questions
    ) -> [String] {
        let id = plan[control].id
        if questions.kinds(of: control) == ["mqtt"] {
            let isConfirmed = questions.actions(of: control).contains {
                questions.fields(of: $0).text("confirm.topic") != nil
            }
            switch script.ending {
            case .succeed where isConfirmed || script.takes <= Comparison.tolerance: return []
            case .hang where isConfirmed: return []
            case _: return ["\(id): a broker takes each message at once"]
            }
        }
        let kinds = questions.kinds(of: control)
        if !kinds.isDisjoint(with: ["tcp", "serial"]) {
            let texts = questions.actions(of: control).map(questions.fields).filter { !$0.isEmpty }
            let answers = texts.allSatisfy { $0["expect"] != nil }
            switch script.ending {
            case .succeed where answers || script.takes <= Comparison.tolerance: return []
            case .hang where answers && kinds == ["tcp"]: return []
            case .lose where answers && kinds == ["tcp"] && plan[control].feedback == nil:
                return []
            case _:
                return [
                    "\(id): a device at a wire has no status, a serial wire stays, and who hears "
                        + "a wire notices its end"
                ]
            }
        }
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
        if !kinds.isDisjoint(with: ["tcp", "serial"]) { return "a text to a device has no code" }
        if kinds == ["run"], !(1...255).contains(code) {
            return "a program does not end with the code \(code)"
        }
        if kinds == ["http"], code < 256 {
            return "a web service answers with a status from 256, not with the code \(code)"
        }
        return nil
    }
}
