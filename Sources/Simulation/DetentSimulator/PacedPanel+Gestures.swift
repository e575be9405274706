import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld

/// Gestures, which wait for earlier ones of the same control.
extension PacedPanel {
    /// Performs a gesture as soon as earlier ones of the same control have ended; buttons stay down
    /// while any source holds them.
    func make(_ gesture: Gesture, by source: InputSourceID) throws(SimulationError) {
        if let duration = gesture.duration {
            _ = try time(duration, gesture.push == nil ? "glitch" : "hold")
        }
        guard let contact = gesture.contact else { return try begin(gesture, by: source) }
        // A finger can always be released, unless its press is still waiting.
        let isDue =
            gesture.push == .up
            ? !queue.waits(source, for: contact) : queue.isFree(gesture, at: now)
        if isDue { return try begin(gesture, by: source) }
        try check(gesture)
        guard queue.add(.init(gesture: gesture, source: source)) else {
            throw SimulationError(
                .tooMuch,
                cause:
                    "\(SimulatorLimits.waitingGestures) gestures already wait for this control",
                remedy: "wait until they have ended")
        }
    }

    /// Performs the waiting gestures that may begin now.
    func beginWaiting() {
        while let queued = queue.pop(by: now) {
            if isTooEarly(queued.gesture) { continue }
            do throws(SimulationError) {
                try begin(queued.gesture, by: queued.source)
            } catch {
                say("detent: a waiting gesture failed: \(error.cause)\n")
            }
        }
    }

    /// Whether a press waited while the same button brought a question up. Its hand had not read
    /// it, and the press would confirm it now. Another button leads away from it.
    private func isTooEarly(_ gesture: Gesture) -> Bool {
        switch gesture.push {
        case .down, .click:
            queue.repeatsContact(gesture)
                && (gesture.contact.flatMap { machine.snapshot(of: $0.control)?.progress } ?? 0) > 0
        case .up, nil: false
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
        guard case .button(let control, let button)? = gesture.contact, let push = gesture.push
        else { return try make(gesture) }
        switch push {
        case .down: try hold(control, button, by: source, until: .never)
        case .click(let span): try hold(control, button, by: source, until: now + span)
        case .up:
            var after = holdings
            if let up = after.release(control, button, by: source, at: now) { try make(up) }
            holdings = after
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
        switch gesture.push {
        // Other sources that press the button join in.
        case .down: return .zero
        case .up: return now + rest
        case .click(let hold): return now + hold + rest
        case nil: break
        }
        if case .turn(let control, let detents, let speed) = gesture, isEncoder(control) {
            return now + TimeSpan(nanoseconds: 1_000_000_000 / UInt64(speed))
                * UInt64(detents.magnitude)
        }
        guard case .part(let control)? = gesture.contact else { return now }
        return machine.outside.lastMove(of: control) + rest
    }

    private func isEncoder(_ control: ControlID) -> Bool {
        if case .encoder = plan[control].settings.decoder {
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
                ? plan[line].control : ControlID(0)
        }
    }

    private func hold(
        _ control: ControlID, _ button: Int, by source: InputSourceID, until end: Instant
    ) throws(SimulationError) {
        var after = holdings
        try make(after.hold(control, button, by: source, from: now, until: end))
        holdings = after
    }
}
