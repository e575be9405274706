import DetentActions
import DetentCore
import DetentPanel
import DetentRuntime
import DetentScenario
import DetentTypes
import DetentWorld

/// Commands for a simulated panel.
extension PacedPanel {
    /// Performs a command at the clock's current moment.
    func perform(
        _ request: SimulationCommand, by source: InputSourceID, realNow: Instant
    ) throws(SimulationError) {
        advance(realNow: realNow)
        switch request {
        case .gesture(let gesture): try make(gesture, by: source)
        case .clock(let clock): try turn(clock, realNow: realNow)
        case .bounce(let control, let bounce): try setBounce(control, bounce)
        case .action(let control, let script): try setScript(script, for: control)
        case .fail(let control, let code):
            try checkAction(control)
            let codes = WorldLimits.failureCodes
            guard codes.contains(code) else {
                throw .impossible(
                    "\(code) is not an exit code of an action",
                    "use a code from \(codes.lowerBound) to \(codes.upperBound)")
            }
            try record(.failAction(control, code: code))
        case .finish(let control):
            try checkAction(control)
            guard machine.isActing(control) else {
                throw .impossible(
                    "no action of \(try self.control(control).id) runs",
                    "let it hang, and operate the control first")
            }
            try record(.finishAction(control))
        case .device(let control, let value):
            try checkPlays()
            try checkValue(value, of: control)
            try record(.device(control, value))
        case .feedback(let control, let value):
            try checkReports(control)
            try checkValue(value, of: control)
            try record(.feedback(control, value))
        case .report(let control, let text, let times):
            let period: TimeSpan = times > 1 ? .milliseconds(1) : .zero
            guard (1...ScenarioLimits.reports).contains(times) else {
                throw .impossible(
                    "`times` is out of range", "use 1 to \(ScenarioLimits.reports)")
            }
            try checkReports(control)
            try checkLength(text)
            try record(.report(control, DeviceReports([text], count: times, period: period)))
        }
        publishSimulation()
    }

    /// Sends an event of a remote caller; false if remote callers cannot send it.
    func send(_ event: Event, realNow: Instant) -> Bool {
        advance(realNow: realNow)
        let stimulus: Stimulus
        switch event {
        case .intent, .change, .fire, .resync, .lampTest, .close: stimulus = .tell(event)
        case .feedback(let control, let value, _): stimulus = .feedback(control, value)
        case .feedbackLost(let control): stimulus = .loseFeedback(control)
        case .broker(let isOffline): stimulus = .broker(isThere: !isOffline)
        case .reload:
            // It does nothing to the panel, and a recording goes on.
            try? machine.apply(.tell(event))
            publish()
            return true
        case .tick, .start, .edge, .reading, .sample, .overflow, .lineFault, .lineRestored,
            .actionStarted,
            .actionFinished, .outputWritten, .saved, .answered:
            return false
        }
        try? perform(stimulus)
        publishSimulation()
        return true
    }

    /// Handles the outcomes of real programs since the last call.
    func drainOutcomes(realNow: Instant) {
        guard let news = programs?.drainOutcomes(), !news.isEmpty else { return }
        advance(realNow: realNow)
        for event in news { try? perform(.tell(event)) }
    }

    // MARK: Clock, bounce and devices

    private func turn(_ request: SimulationCommand.Clock, realNow: Instant) throws(SimulationError)
    {
        switch request {
        case .pause: clock.pause(at: realNow, on: now)
        case .run: clock.run(at: realNow, from: now)
        case .step(let span):
            guard !clock.isRunning else {
                throw .impossible("the clock cannot be stepped while it runs", "pause it first")
            }
            let span = try time(span, "step")
            clock.set(at: realNow, to: clock.moment(at: realNow) + span)
            advance(realNow: realNow)
        case .rate(let rate):
            guard WorldLimits.clockRates.contains(rate) else {
                throw .impossible("the rate of the clock is out of range", "use 0.1 to 100")
            }
            clock.setRate(rate, at: realNow, on: now)
        case .restart:
            do throws(EngineError) {
                try restart(realNow: realNow)
            } catch {
                throw .impossible(
                    "cannot restart the panel: \(error)", "stop the simulator and start it again")
            }
        }
    }

    private func setBounce(
        _ control: ControlID, _ word: BounceSelection
    ) throws(SimulationError) {
        let found = try self.control(control)
        guard found.settings.contacts.count > 0 else {
            throw .impossible("\(found.id) has no contact", "name a control with an input")
        }
        let says: String?
        switch word {
        case .original: says = nil
        case .typical: says = "typical"
        case .named(let name):
            let names = BounceCatalogue.builtIn.names
            guard names.contains(name) else {
                throw .impossible(
                    "there is no bounce profile `\(quoted(name))`",
                    "one of: " + (["typical"] + names).joined(separator: ", "))
            }
            says = name
        case .profile(let found):
            guard max(found.closes, found.opens) <= SimulatorLimits.longestBounce else {
                throw .impossible("the bounce time is too long", "use at most 1s")
            }
            says =
                "closes \(DurationText.text(found.closes)), opens \(DurationText.text(found.opens))"
        }
        try record(.bounce(control, word))
        bounces[control] = says
    }

    private func setScript(_ script: ActionScript, for control: ControlID) throws(SimulationError) {
        try checkAction(control)
        _ = try time(script.takes, "takes")
        if let answer = script.answer {
            try checkLength(answer)
            guard plan.readsAnswers(of: control) else {
                throw .impossible(
                    "`\(plan[control].id)` has no action that reads an answer",
                    "leave `answer` away; it is for queries, and for actions with `confirm` or "
                        + "`expect`")
            }
        }
        try record(.actions(control, script))
    }

    private func checkAction(_ control: ControlID) throws(SimulationError) {
        try checkPlays()
        let found = try self.control(control)
        guard start.scripts[control] != nil else {
            throw .impossible("\(found.id) has no action", "use a control that has one")
        }
    }

    /// Only a simulated device of `feedback` reports its value in texts.
    private func checkReports(_ control: ControlID) throws(SimulationError) {
        try checkPlays()
        let found = try self.control(control)
        guard plan.hasReports(control) else {
            throw .impossible(
                "no device tells `\(found.id)` its value in texts",
                "name a control with `feedback` that is no line")
        }
    }

    private func checkValue(_ value: Value, of control: ControlID) throws(SimulationError) {
        let found = try self.control(control)
        let word = found.valueNames.name(of: value)
        guard found.valueNames.value(named: word) == value else {
            throw .impossible("\(found.id) does not have this value", "use one of its values")
        }
    }

    private func checkLength(_ text: String) throws(SimulationError) {
        guard text.utf8.count <= SimulatorLimits.saidBytes else {
            throw .impossible(
                "the text is too long", "use \(SimulatorLimits.saidBytes) bytes at most")
        }
    }

    func checkPlays() throws(SimulationError) {
        guard programs == nil else {
            throw .impossible(
                "the outcome of real programs cannot be set",
                "start without --run-actions")
        }
    }

    private func record(_ stimulus: Stimulus) throws(SimulationError) {
        do throws(GestureError) {
            try perform(stimulus)
        } catch {
            throw .impossible("internal error: \(error)", "report this")
        }
    }

    private func control(_ control: ControlID) throws(SimulationError) -> ControlPlan {
        guard plan.controls.indices.contains(Int(control.index)) else {
            throw .impossible("unknown control", "use a control of the panel")
        }
        return plan[control]
    }

    func time(_ span: TimeSpan?, _ what: String) throws(SimulationError) -> TimeSpan {
        guard let span else {
            throw .impossible(
                "`\(what)` needs a time", "write a time such as 2s; in JSON \"for\": \"2s\"")
        }
        guard span <= WorldLimits.longest else {
            throw .impossible("`\(what)` takes at most a day", "use a shorter time")
        }
        return span
    }
}

extension SimulationError {
    static func impossible(_ cause: String, _ remedy: String) -> SimulationError {
        SimulationError(.impossible, cause: cause, remedy: remedy)
    }
}
