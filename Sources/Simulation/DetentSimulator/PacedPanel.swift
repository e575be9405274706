import DetentCore
import DetentHAL
import DetentPanel
import DetentRuntime
import DetentScenario
import DetentTypes
import DetentWorld

/// A panel in virtual time, paced by a clock. It runs the panel at exactly its own moments,
/// publishes its updates, and records the stimuli.
///
/// The result depends only on the stimuli and their moments, not on when or how often `turn` is
/// called. Synchronization: none; `SimulatedPanel` locks. Real moments are passed in.
final class PacedPanel {
    /// With what the panel starts at the next restart.
    private(set) var start: SimulationOptions
    /// With what the recorded session began.
    private(set) var sessionStart: SimulationOptions
    let programs: ProgramBridge?
    private let stream: ReportStream
    let say: @Sendable (String) -> Void
    private(set) var machine: VirtualPanel
    var clock: PacedClock
    var holdings = ButtonHolders()
    /// Gestures that wait for their contacts.
    var queue = GestureQueue()
    private(set) var session: SessionRecorder
    /// The bounce profiles that were set for controls, as words.
    var bounces: [ControlID: String] = [:]
    private var rest: IdleDetector
    private let updates: [UpdateChannel]
    private var publisher: UpdatePublisher
    private var wantsRecorder = false
    /// Moments since the panel last caught up with its clock.
    private var behind = 0
    /// More states were requested than one turn sends.
    private var hasMoreStates = false
    /// The change count of the physical model at the last update.
    private var toldChanges: UInt64 = 0
    /// Whether it ends when it is at rest.
    var endsAtRest = false

    init(
        _ start: SimulationOptions, programs: ProgramBridge?, stream: ReportStream,
        updates: UpdateChannel?,
        say: @escaping @Sendable (String) -> Void, realNow: Instant
    ) throws(EngineError) {
        self.start = start
        sessionStart = start
        self.updates = [updates].compactMap(\.self)
        self.programs = programs
        self.stream = stream
        self.say = say
        machine = try start.panel(programs: programs)
        clock = PacedClock(startedAt: realNow)
        session = SessionRecorder(start)
        rest = IdleDetector(rest: start.plan.restTime)
        publisher = UpdatePublisher(
            self.updates, controls: start.plan.controls.count, lines: start.plan.lines.count)
        publish()
        finish()
    }

    var plan: PanelPlan { machine.plan }
    var now: Instant { machine.now }

    // MARK: Time

    /// Runs what is due by a real moment.
    ///
    /// - Returns: the real moment of the next call; an earlier call is safe.
    func turn(realNow: Instant) -> Instant {
        drainOutcomes(realNow: realNow)
        let isThere = advance(realNow: realNow, moments: SimulatorLimits.momentsPerTurn)
        finish()
        if hasMoreStates || !isThere { return .zero }
        let isStill = endsAtRest && isStill
        return clock.realMoment(of: min(next, isStill ? rest.due : .never))
    }

    /// Whether it should end at rest, and is at rest.
    var isAtRest: Bool { endsAtRest && machine.now >= rest.due && isStill }

    /// Whether no part moves, and no gesture is waiting.
    private var isStill: Bool { machine.nextChange == .never && queue.count == 0 }

    /// The next moment at which something is due without a command.
    private var next: Instant { min(machine.next, queue.next) }

    /// Runs up to the clock's moment, one due moment after the other, so that the next command
    /// happens there.
    func advance(realNow: Instant) {
        _ = advance(realNow: realNow, moments: SimulatorLimits.momentsBehind)
    }

    /// - Parameter moments: the maximum number of moments.
    /// - Returns: whether it has caught up.
    private func advance(realNow: Instant, moments: Int) -> Bool {
        let target = clock.moment(at: realNow)
        for _ in 0..<moments {
            let due = next
            guard due <= target, due != .never else {
                behind = 0
                machine.run(until: target)
                return true
            }
            behind += 1
            machine.run(until: max(due, machine.now))
            publish()
            beginWaiting()
        }
        if clock.isRunning, behind >= SimulatorLimits.momentsBehind {
            behind = 0
            clock.set(at: realNow, to: machine.now)
        }
        return false
    }

    // MARK: Stimuli

    /// Applies a stimulus at the panel's current moment, and records it.
    func perform(_ stimulus: Stimulus) throws(GestureError) {
        let obstacle = session.obstacle(to: stimulus, at: machine.now).map { ($0, cut()) }
        // Failed stimuli are not recorded, so it is applied first; its events follow it.
        try machine.apply(stimulus)
        if let (why, before) = obstacle { session.end(why, before) }
        session.add(stimulus, at: machine.now)
        rest.isMoving(at: machine.now)
        publish()
    }

    /// The state of the simulation changed.
    func publishSimulation() { publisher.publish(.simulation, at: machine.now) }

    /// Restarts the panel at 0.
    func restart(realNow: Instant) throws(EngineError) {
        programs?.restart()
        machine = try start.panel(programs: programs)
        clock.set(at: realNow, to: .zero)
        session = SessionRecorder(start)
        sessionStart = start
        holdings = ButtonHolders()
        queue = GestureQueue()
        bounces = [:]
        rest = IdleDetector(rest: plan.restTime)
        toldChanges = 0
        publisher.publish(.restarted, at: .zero)
        publish()
    }

    /// Publishes the updates, after all work of one call.
    func finish() {
        let machine = machine
        hasMoreStates = publisher.endTurn(
            at: machine.now, snapshot: { machine.snapshot(of: $0) },
            present: { machine.level(of: $0) }, contact: { machine.contact($0) })
        machine.notesLines = publisher.isTracing
        guard wantsRecorder else { return }
        wantsRecorder = false
        stream.wake()
    }

    /// Another panel follows: its parts stay where they are, and the clock goes on. Fingers leave
    /// their buttons, and gestures that wait are forgotten. The recorded session ends, because a
    /// scenario has one panel.
    ///
    /// - Parameter willStart: called before the first report of the new panel.
    /// - Returns: the lines that could not be requested; the panel then goes on unchanged.
    func replacePlan(
        _ plan: PanelPlan, _ difference: PanelDifference, keys: ActionKeys?, willStart: () -> Void
    ) throws(EngineError) -> [HALError] {
        for gesture in holdings.releaseEverything(at: now) {
            guard let control = gesture.control else { continue }
            try? perform(.gestures([PartGesture(gesture, control)]))
        }
        publish()
        var next = start
        next.plan = plan
        let before = cut()
        let errors = try machine.replacePlan(plan, difference, scripts: next.scripts)
        guard errors.isEmpty else { return errors }
        session.end(.unspeakable, before)
        start = next
        programs?.setKeys(keys)
        queue = GestureQueue()
        bounces = [:]
        rest = IdleDetector(rest: plan.restTime)
        rest.isMoving(at: now)
        stream.beginPanel()
        willStart()
        publisher = UpdatePublisher(
            updates, controls: plan.controls.count, lines: plan.lines.count)
        publisher.publish(.restarted, at: now)
        publish()
        return []
    }

    // MARK: Recording

    /// Where a file of the session ends.
    func cut(for file: SessionRecorder.File) -> SessionRecorder.Cut {
        session.cut(for: file, now: cut())
    }

    private func cut() -> SessionRecorder.Cut {
        SessionRecorder.Cut(
            at: machine.now, steps: session.steps.count, entries: session.entries.count,
            states: plan.controls.indices.compactMap {
                machine.snapshot(of: ControlID(UInt16($0)))
            })
    }

    /// Passes on the events of the last instant.
    func publish() {
        let machine = machine
        machine.takeRecord { record in
            for change in record.changes {
                if case .line(let line, let level) = change.kind {
                    publisher.level(line, level, at: change.at)
                }
            }
            let told = VirtualRecord.ordered(record.entries)
            if !session.add(told) { session.end(.tooManyEvents, cut()) }
            for entry in told {
                rest.report(entry)
                if stream.push(entry.report, at: entry.at) { wantsRecorder = true }
                publisher.report(entry.report, at: entry.at)
            }
            for answered in record.answers {
                publisher.answer(
                    answered.request, answered.control, answered.answer, at: answered.at)
            }
            for attempt in record.attempts { log(attempt) }
        }
        if machine.nextChange != .never { rest.isMoving(at: machine.now) }
        if publisher.isTracing {
            publisher.lookAtContacts(at: machine.now) { machine.contact($0) }
        }
        let changes = machine.outside.changeCount
        if changes != toldChanges {
            toldChanges = changes
            publishSimulation()
        }
    }

    private func log(_ attempt: VirtualRecord.Attempt) {
        if case .started = attempt.step { publishSimulation() }
        guard case .ended(let outcome) = attempt.step else { return }
        switch outcome {
        case .succeeded, .cancelled: return
        case .failed, .timedOut, .killed, .lost: break
        }
        if attempt.isQuery, machine.device(of: attempt.control) == nil,
            machine.scripts[attempt.control]?.answer == nil
        {
            // Whoever reads the terminal has done nothing yet.
            return say(
                "detent: \(plan[attempt.control].id): its simulated device has no value, so the "
                    + "query fails; set the control once, or the device in the inspector\n")
        }
        let how = Reason(outcome).text(in: plan) ?? ""
        let id = plan[attempt.control].id
        let what = attempt.isQuery ? "query" : "action"
        say("detent: \(id): \(what) failed: \(how) (simulated)\n")
    }
}

extension Gesture {
    /// The control of its part; nil for a fault of a line.
    fileprivate var control: ControlID? {
        switch subject {
        case .control(let control): control
        case .line: nil
        }
    }
}
