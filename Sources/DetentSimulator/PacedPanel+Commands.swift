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
        case .action(let control, let script): try follow(script, for: control)
        case .fail(let control, let code):
            try checkAction(control)
            let codes = WorldLimits.failureCodes
            guard codes.contains(code) else {
                throw .impossible(
                    "\(code) is not an exit code of an action",
                    "use a code from \(codes.lowerBound) to \(codes.upperBound)")
            }
            try record(.failAction(control, code: code))
        case .device(let control, let value):
            try checkPlays()
            let it = try self.control(control)
            let word = it.valueNames.name(of: value)
            guard it.valueNames.value(named: word) == value else {
                throw .impossible("\(it.id) does not have this value", "use one of its values")
            }
            try record(.device(control, value))
        }
        publishSimulation()
    }

    /// Performs a gesture as soon as earlier ones on the same contact have ended; buttons stay down
    /// while any source holds them.
    func make(_ gesture: Gesture, by source: InputSourceID) throws(SimulationError) {
        switch gesture {
        case .click(_, _, let span): _ = try time(span, "hold")
        case .glitch(_, let width): _ = try time(width, "glitch")
        case .press, .release, .cover, .flip, .select, .turn, .miss, .stick, .cut, .restore: break
        }
        guard let contact = gesture.contact else { return try begin(gesture, by: source) }
        // A finger can always be released, unless its press is still waiting.
        let isDue =
            if case .release = gesture { !queue.waits(source, for: contact) } else {
                queue.isFree(contact, at: now)
            }
        if isDue { return try begin(gesture, by: source) }
        try check(gesture)
        guard queue.add(.init(gesture: gesture, source: source), for: contact) else {
            throw SimulationError(
                .tooMuch,
                cause:
                    "\(SimulatorLimits.waitingGestures) gestures already wait for this contact",
                remedy: "wait until they have ended")
        }
    }

    /// Performs the waiting gestures that may begin now.
    func beginWaiting() {
        while let it = queue.take(by: now) {
            do throws(SimulationError) {
                try begin(it.gesture, by: it.source)
            } catch {
                say("detent: a waiting gesture failed: \(error.cause)\n")
            }
        }
    }

    /// Checks whether a gesture is possible, without performing it.
    private func check(_ gesture: Gesture) throws(SimulationError) {
        var outside = machine.outside
        do throws(GestureError) {
            try outside.apply(gesture, at: now)
        } catch {
            throw SimulationError(gesture, error, plan: plan)
        }
    }

    private func begin(_ gesture: Gesture, by source: InputSourceID) throws(SimulationError) {
        switch gesture {
        case .press(let control, let button):
            try hold(control, button, by: source, until: .never)
        case .click(let control, let button, let span):
            try hold(control, button, by: source, until: now + span)
        case .release(let control, let button):
            var after = holdings
            if let up = after.release(control, button, by: source, at: now) { try make(up) }
            holdings = after
        case .cover, .flip, .select, .turn, .miss, .glitch, .stick, .cut, .restore:
            try make(gesture)
        }
    }

    /// An input source has disconnected.
    func releaseAll(_ source: InputSourceID, realNow: Instant) {
        advance(realNow: realNow)
        queue.releaseAll(source)
        for gesture in holdings.releaseAll(source, at: now) {
            // If it could be pressed, it can be released.
            try? make(gesture)
        }
        publishSimulation()
    }

    /// Sends an event of a remote caller; false if remote callers cannot send it.
    func send(_ event: Event, realNow: Instant) -> Bool {
        advance(realNow: realNow)
        let stimulus: Stimulus
        switch event {
        case .intent, .fire, .resync, .lampTest: stimulus = .tell(event)
        case .feedback(let control, let value): stimulus = .feedback(control, value)
        case .tick, .start, .edge, .reading, .overflow, .lineFault, .lineRestored, .actionStarted,
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
        for it in news {
            let event: Event =
                switch it.kind {
                case .started: .actionStarted(it.control, it.run)
                case .finished(let outcome): .actionFinished(it.control, it.run, outcome)
                case .answered(let value): .answered(it.control, it.run, value)
                }
            try? perform(.tell(event))
        }
    }

    // // MARK: Gestures

    private func make(_ gesture: Gesture) throws(SimulationError) {
        do throws(GestureError) {
            try perform(.gestures([PartGesture(gesture, control(of: gesture))]))
        } catch {
            throw SimulationError(gesture, error, plan: plan)
        }
        if let contact = gesture.contact { queue.occupy(contact, until: end(of: gesture)) }
    }

    /// When the next gesture on the contact may begin, after one that begins now: the part has
    /// rested as long as a finger would, so that the panel detects both.
    private func end(of gesture: Gesture) -> Instant {
        let rest = Gesture.clickHold
        switch gesture {
        // Other sources that press the button join in.
        case .press: return .zero
        case .release: return now + rest
        case .click(_, _, let hold): return now + hold + rest
        case .turn(let control, let detents, let speed) where isEncoder(control):
            return now + TimeSpan(nanoseconds: 1_000_000_000 / UInt64(speed))
                * UInt64(detents.magnitude)
        case .flip(let control, _), .select(let control, _), .turn(let control, _, _):
            return machine.outside.lastMove(of: control) + rest
        case .cover, .miss, .glitch, .stick, .cut, .restore: return now
        }
    }

    private func isEncoder(_ control: ControlID) -> Bool {
        if case .encoder = plan.controls[Int(control.index)].settings.decoder {
            true
        } else {
            false
        }
    }

    /// The control of the part or line; any control if there is none.
    private func control(of gesture: Gesture) -> ControlID {
        switch gesture.subject {
        case .control(let control): control
        case .line(let line):
            plan.lines.indices.contains(Int(line.index))
                ? plan.lines[Int(line.index)].control : ControlID(0)
        }
    }

    private func hold(
        _ control: ControlID, _ button: Int, by source: InputSourceID, until end: Instant
    ) throws(SimulationError) {
        var after = holdings
        try make(after.hold(control, button, by: source, from: now, until: end))
        holdings = after
    }

    // // MARK: Clock, bounce and devices

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
        let it = try self.control(control)
        guard it.settings.contacts.count > 0 else {
            throw .impossible("\(it.id) has no contact", "name a control with an input")
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
        case .profile(let it):
            guard max(it.closes, it.opens) <= SimulatorLimits.longestBounce else {
                throw .impossible("the bounce time is too long", "use at most 1s")
            }
            says = "closes \(DurationText.text(it.closes)), opens \(DurationText.text(it.opens))"
        }
        try record(.bounce(control, word))
        bounces[control] = says
    }

    private func follow(_ script: ActionScript, for control: ControlID) throws(SimulationError) {
        try checkAction(control)
        _ = try time(script.takes, "takes")
        try record(.actions(control, script))
    }

    private func checkAction(_ control: ControlID) throws(SimulationError) {
        try checkPlays()
        let it = try self.control(control)
        guard start.scripts[control] != nil else {
            throw .impossible("\(it.id) has no action", "use a control that has one")
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
        return plan.controls[Int(control.index)]
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

extension PacedPanel {
    /// The current state of the simulation.
    func state() -> SimulationState {
        let outside = machine.outside
        var state = SimulationState()
        state.now = now
        state.isRunning = clock.isRunning
        state.rate = clock.rate
        for place in plan.lines.indices {
            let line = LineID(UInt16(place))
            if let fault = outside.fault(of: line) { state.faults[line] = fault }
        }
        state.bounces = bounces
        if programs == nil {
            state.actions = machine.scripts
        }
        state.partPositions = plan.controls.indices.map { place in
            let control = ControlID(UInt16(place))
            return SimulationState.PartPosition(
                position: outside.position(of: control),
                isCoverOpen: outside.isCoverOpen(of: control))
        }
        state.profiles =
            ["none", "typical"] + BounceCatalogue.builtIn.names.filter { $0 != "none" }
        state.waitingGestures = queue.count
        state.refusedGestures = queue.refused
        state.recordedSteps = session.saidSteps
        state.isRecording = session.end == nil
        state.runsRealActions = programs != nil
        return state
    }
}
