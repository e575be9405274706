import DetentActions
import DetentCore
import DetentPanel
import DetentRuntime
import DetentScenario
import DetentTypes
import DetentWorld

/// What can be asked of a panel on the desk, as its parts and its world understand it.
extension LivePanel {
    /// Does what is asked, at the clock's present moment.
    func perform(
        _ request: DeskRequest, by holder: HolderID, realNow: Instant
    ) throws(DeskRefusal) {
        advance(realNow: realNow)
        switch request {
        case .move(let control, let verb, let target, let span):
            try move(control, verb, target, span, by: holder)
        case .befall(let line, let accident, let level, let span):
            try make(try gesture(line, accident, level, span))
        case .clock(let clock): try turn(clock, realNow: realNow)
        case .bounce(let control, let bounce): try setBounce(control, bounce)
        case .action(let control, let script): try follow(script, for: control)
        case .fail(let control, let code):
            try checkAction(control)
            guard (-1...599).contains(code) else {
                throw .impossible("an action does not end with \(code)", "a code from -1 to 599")
            }
            try record(.failAction(control, code: code))
        case .device(let control, let value):
            try checkPlays()
            let it = try self.control(control)
            let word = it.valueNames.name(of: value)
            guard it.valueNames.value(named: word) == value else {
                throw .impossible("\(it.id) has no such value", "one of its values")
            }
            try record(.device(control, value))
        }
        tellDesk()
    }

    /// Makes a gesture as soon as the earlier ones on the same contact have been played; buttons
    /// stay down while anybody holds them.
    func make(_ gesture: Gesture, by holder: HolderID) throws(DeskRefusal) {
        guard let contact = gesture.contact else { return try begin(gesture, by: holder) }
        // A finger may always go up, unless it has yet to go down.
        let isDue =
            if case .release = gesture { !queue.waits(holder, for: contact) } else {
                queue.isFree(contact, at: now)
            }
        if isDue { return try begin(gesture, by: holder) }
        try check(gesture)
        guard queue.add(.init(gesture: gesture, holder: holder), for: contact) else {
            throw DeskRefusal(
                .tooMuch,
                cause: "\(SimulatorLimits.waitingGestures) gestures wait for this contact already",
                remedy: "wait until they have been played")
        }
    }

    /// Makes the gestures that waited and may begin now.
    func beginWaiting() {
        while let it = queue.take(by: now) {
            do throws(DeskRefusal) {
                try begin(it.gesture, by: it.holder)
            } catch {
                say("detent: a gesture that waited was not made: \(error.cause)\n")
            }
        }
    }

    /// Whether a gesture is possible, without making it.
    private func check(_ gesture: Gesture) throws(DeskRefusal) {
        var outside = machine.outside
        do throws(GestureError) {
            try outside.apply(gesture, at: now)
        } catch {
            throw DeskRefusal(gesture, error, plan: plan)
        }
    }

    private func begin(_ gesture: Gesture, by holder: HolderID) throws(DeskRefusal) {
        switch gesture {
        case .press(let control, let button):
            try hold(control, button, by: holder, until: .never)
        case .click(let control, let button, let span):
            let span = try time(span, "hold")
            try hold(control, button, by: holder, until: now + span)
        case .release(let control, let button):
            var after = holdings
            if let up = after.release(control, button, by: holder, at: now) { try make(up) }
            holdings = after
        case .glitch(_, let width):
            _ = try time(width, "glitch")
            try make(gesture)
        case .cover, .flip, .select, .turn, .miss, .stick, .cut, .restore:
            try make(gesture)
        }
    }

    /// Somebody is gone.
    func letGo(_ holder: HolderID, realNow: Instant) {
        advance(realNow: realNow)
        queue.letGo(holder)
        for gesture in holdings.letGo(holder, at: now) {
            // What could be pressed can be released.
            try? make(gesture)
        }
        tellDesk()
    }

    /// Hands an event in that somebody outside the panel sends; false where nobody could.
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
        tellDesk()
        return true
    }

    /// What real programs have come to since the last time happens now.
    func takeNews(realNow: Instant) {
        guard let news = programs?.takeNews(), !news.isEmpty else { return }
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

    // MARK: Hands

    private func make(_ gesture: Gesture) throws(DeskRefusal) {
        do throws(GestureError) {
            try perform(.gestures([PartGesture(gesture, gesture.control(in: plan))]))
        } catch {
            throw DeskRefusal(gesture, error, plan: plan)
        }
        if let contact = gesture.contact { queue.occupy(contact, until: end(of: gesture)) }
    }

    /// When the next gesture on the contact may begin, after one that begins now: the part has
    /// rested as long as a finger does, so that the panel hears both.
    private func end(of gesture: Gesture) -> Instant {
        let rest = Gesture.clickHold
        switch gesture {
        // Whoever else presses the button joins in.
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

    private func hold(
        _ control: ControlID, _ button: Int, by holder: HolderID, until end: Instant
    ) throws(DeskRefusal) {
        var after = holdings
        try make(after.hold(control, button, by: holder, from: now, until: end))
        holdings = after
    }

    private func move(
        _ control: ControlID, _ verb: DeskRequest.Verb, _ target: DeskRequest.Target?,
        _ span: TimeSpan?, by holder: HolderID
    ) throws(DeskRefusal) {
        let gesture: Gesture
        switch verb {
        case .press: gesture = .press(control, button: try button(target, of: control))
        case .release: gesture = .release(control, button: try button(target, of: control))
        case .click:
            let button = try button(target, of: control)
            gesture = .click(control, button: button, hold: Gesture.clickHold)
        case .hold:
            let button = try button(target, of: control)
            gesture = .click(control, button: button, hold: try time(span, "hold"))
        case .flip: gesture = .flip(control, to: try position(target, of: control))
        case .select: gesture = .select(control, try position(target, of: control))
        case .turn:
            gesture = .turn(
                control, detents: try detents(target), perSecond: Gesture.turnsPerSecond)
        case .cover:
            guard target == .word("open") || target == .word("shut") else {
                throw .impossible("`cover` needs a word", "say `open` or `shut`")
            }
            gesture = .cover(control, isOpen: target == .word("open"))
        }
        try make(gesture, by: holder)
    }

    private func button(
        _ target: DeskRequest.Target?, of control: ControlID
    ) throws(DeskRefusal) -> Int {
        let it = try self.control(control)
        let words = plan.buttonWords(of: control)
        switch target {
        case .number(let place): return place
        case .word(let word):
            if let place = plan.button(named: word, of: control) { return place }
            if words.isEmpty, word == "push" { return 0 }
            throw .impossible(
                "\(it.id) has no button `\(shown(word))`",
                words.isEmpty
                    ? plan.possibleGestures(of: control)
                    : "one of: " + words.joined(separator: ", "))
        case nil:
            if words.count < 2 { return 0 }
            throw .impossible(
                "\(it.id) has several buttons", "one of: " + words.joined(separator: ", "))
        }
    }

    private func position(
        _ target: DeskRequest.Target?, of control: ControlID
    ) throws(DeskRefusal) -> Int {
        let it = try self.control(control)
        switch target {
        case .number(let place): return place
        case .word(let word):
            if let value = it.valueNames.value(named: word) { return Int(value.raw) }
            throw .impossible(
                "\(it.id) has no position `\(shown(word))`", plan.possibleGestures(of: control))
        case nil:
            throw .impossible("\(it.id) needs a position", plan.possibleGestures(of: control))
        }
    }

    private func detents(_ target: DeskRequest.Target?) throws(DeskRefusal) -> Int {
        switch target {
        case .number(let detents): return detents
        case .word(let word):
            if let detents = Int(word) { return detents }
        case nil: break
        }
        throw .impossible("`turn` needs a number of detents", "such as 3, clockwise positive")
    }

    private func shown(_ word: String) -> String {
        quoted(word)
    }

    // MARK: Accidents and surroundings

    private func gesture(
        _ line: LineID, _ accident: DeskRequest.Accident, _ level: Level?, _ span: TimeSpan?
    ) throws(DeskRefusal) -> Gesture {
        switch accident {
        case .cut: return .cut(line)
        case .restore: return .restore(line)
        case .glitch: return .glitch(line, width: try time(span, "glitch"))
        case .stick:
            guard let level else {
                throw .impossible("`stick` needs a level", "say `active` or `inactive`")
            }
            return .stick(line, level)
        }
    }

    private func turn(_ request: DeskRequest.Clock, realNow: Instant) throws(DeskRefusal) {
        switch request {
        case .pause: clock.pause(at: realNow, on: now)
        case .run: clock.run(at: realNow, from: now)
        case .step(let span):
            guard !clock.isRunning else {
                throw .impossible("the clock runs, so it cannot be stepped", "pause it first")
            }
            let span = try time(span, "step")
            clock.set(at: realNow, to: clock.moment(at: realNow) + span)
            advance(realNow: realNow)
        case .rate(let rate):
            guard SimulatorLimits.rates.contains(rate) else {
                throw .impossible("the clock does not go at this speed", "from 0.1 to 100")
            }
            clock.setRate(rate, at: realNow, on: now)
        case .startOver:
            do throws(EngineError) {
                try startOver(realNow: realNow)
            } catch {
                throw .impossible("the panel cannot start again: \(error)", "end it, and start it")
            }
        }
    }

    private func setBounce(
        _ control: ControlID, _ bounce: DeskRequest.Bounce
    ) throws(DeskRefusal) {
        let it = try self.control(control)
        guard it.settings.contacts.count > 0 else {
            throw .impossible("\(it.id) has no contact that could bounce", "name one with a part")
        }
        let word: BounceWord
        let says: String?
        switch bounce {
        case .original: (word, says) = (.original, nil)
        case .profile("typical"): (word, says) = (.typical, "typical")
        case .profile(let name):
            let names = BounceCatalogue.builtIn.names
            guard names.contains(name) else {
                throw .impossible(
                    "there is no bounce profile `\(shown(name))`",
                    "one of: " + (["typical"] + names).joined(separator: ", "))
            }
            (word, says) = (.named(name), name)
        case .times(let closes, let opens):
            guard max(closes, opens ?? .zero) <= SimulatorLimits.longestBounce else {
                throw .impossible("no contact bounces so long", "at most 1s")
            }
            let profile = BounceProfile(closes: closes, opens: opens)
            word = .profile(profile)
            says = "closes \(DurationText.text(closes)), opens \(DurationText.text(profile.opens))"
        }
        try record(.bounce(control, word))
        bounces[control] = says
    }

    private func follow(_ script: DeviceScript, for control: ControlID) throws(DeskRefusal) {
        try checkAction(control)
        _ = try time(script.takes, "takes")
        try record(.actions(control, ActionScript(takes: script.takes, then: script.ending.played)))
    }

    private func checkAction(_ control: ControlID) throws(DeskRefusal) {
        try checkPlays()
        let it = try self.control(control)
        guard start.scripts[control] != nil else {
            throw .impossible("\(it.id) has no action", "name a control that has one")
        }
    }

    func checkPlays() throws(DeskRefusal) {
        guard programs == nil else {
            throw .impossible(
                "actions are really run, so they cannot be told how to end",
                "start without --run-actions")
        }
    }

    private func record(_ stimulus: Stimulus) throws(DeskRefusal) {
        do throws(GestureError) {
            try perform(stimulus)
        } catch {
            throw .impossible("it cannot be done: \(error)", "name what the panel has")
        }
    }

    private func control(_ control: ControlID) throws(DeskRefusal) -> ControlPlan {
        guard plan.controls.indices.contains(Int(control.index)) else {
            throw .impossible("there is no such control", "name one that the panel has")
        }
        return plan.controls[Int(control.index)]
    }

    func time(_ span: TimeSpan?, _ what: String) throws(DeskRefusal) -> TimeSpan {
        guard let span else {
            throw .impossible("`\(what)` needs a time", "such as 2s: in JSON \"for\": \"2s\"")
        }
        guard span <= SimulatorLimits.longest else {
            throw .impossible("`\(what)` takes no more than a day", "use a shorter time")
        }
        return span
    }
}

extension DeskRefusal {
    static func impossible(_ cause: String, _ remedy: String) -> DeskRefusal {
        DeskRefusal(.impossible, cause: cause, remedy: remedy)
    }
}

extension DeviceScript.Ending {
    fileprivate var played: ActionScript.Ending {
        switch self {
        case .succeed: .succeed
        case .fail(let code): .fail(code: code)
        case .hang: .hang
        case .lose: .lose
        }
    }
}

extension ActionScript.Ending {
    fileprivate var told: DeviceScript.Ending {
        switch self {
        case .succeed: .succeed
        case .fail(let code): .fail(code: code)
        case .hang: .hang
        case .lose: .lose
        }
    }
}

extension Gesture {
    /// The control whose part or line it is; any where there is none.
    fileprivate func control(in plan: PanelPlan) -> ControlID {
        switch self {
        case .press(let control, _), .release(let control, _), .click(let control, _, _),
            .cover(let control, _), .flip(let control, _), .select(let control, _),
            .turn(let control, _, _), .miss(let control, _):
            control
        case .glitch(let line, _), .stick(let line, _), .cut(let line), .restore(let line):
            plan.lines.indices.contains(Int(line.index))
                ? plan.lines[Int(line.index)].control : ControlID(0)
        }
    }
}

extension LivePanel {
    /// How things stand on the desk.
    func state() -> DeskState {
        let outside = machine.outside
        var state = DeskState()
        state.now = now
        state.isRunning = clock.isRunning
        state.rate = clock.rate
        for place in plan.lines.indices {
            let line = LineID(UInt16(place))
            switch outside.fault(of: line) {
            case nil: continue
            case .cut: state.faults[line] = .cut
            case .stuck(.active): state.faults[line] = .stuckActive
            case .stuck(.inactive): state.faults[line] = .stuckInactive
            }
        }
        state.bounces = bounces
        if programs == nil {
            for (control, script) in machine.scripts {
                state.actions[control] = DeviceScript(
                    takes: script.takes, ending: script.ending.told)
            }
        }
        state.stands = plan.controls.indices.map { place in
            let control = ControlID(UInt16(place))
            return DeskState.Stand(
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
