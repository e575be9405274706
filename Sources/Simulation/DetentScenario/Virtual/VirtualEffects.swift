import DetentCore
import DetentHAL
import DetentPanel
import DetentActions
internal import DetentRuntime
import DetentTypes
import DetentWorld

/// Performs the engine's effects in virtual time, and records what happened.
///
/// Synchronization: none; one thread at a time. As in `VirtualRunner`, exclusive access is not
/// checked.
final class VirtualEffects: EffectHandler {
    private let plan: PanelPlan
    private let backend: any GPIOBackend
    /// Starts attempts instead of `actions`.
    private let programs: (any AttemptStarter)?
    /// The simulated devices.
    @exclusivity(unchecked) var actions: ActionModel
    /// The latest attempt of each control since the panel started.
    @exclusivity(unchecked) private(set) var attempts: [ControlID: ActionAttempt] = [:]
    /// What they report without being asked.
    @exclusivity(unchecked) var feedback: FeedbackModel
    /// What they say word by word.
    @exclusivity(unchecked) var reports: ReportModel
    /// Reads what devices answer word by word; made when the first one does.
    private lazy var reader = PanelActions(plan)
    /// What the attempt needs that starts next.
    @exclusivity(unchecked) private var provided = ActionValues()
    /// What follows an outcome at the same moment: the next of `takeOutcome`.
    @exclusivity(unchecked) private var following: TimedEvent?
    /// The contents of a state directory; nil if there is none.
    @exclusivity(unchecked) private(set) var journal: StateJournal?
    /// Whether the record also contains the levels of lines.
    @exclusivity(unchecked) var notesLines = false
    /// Detects the changes of a trace; nil if none is needed.
    @exclusivity(unchecked) private var watch: ChangeDetector?
    /// Notes what goes through the engine; nil if nothing does.
    private let tape: EngineTape?
    /// Driven levels; a trace shows them after the lines that changed at the same moment.
    @exclusivity(unchecked) private var driven: [VirtualChange] = []
    /// The record so far.
    @exclusivity(unchecked) private(set) var record = VirtualRecord()

    init(
        _ plan: PanelPlan, backend: any GPIOBackend, actions: ActionModel,
        programs: (any AttemptStarter)?, keepsState: Bool, isTraced: Bool,
        tape: EngineTape? = nil
    ) {
        self.plan = plan
        self.tape = tape
        self.backend = backend
        self.actions = actions
        self.actions.connections = plan.connections
        feedback = FeedbackModel(plan)
        reports = ReportModel(plan)
        self.programs = programs
        journal = keepsState ? StateJournal(plan) : nil
        watch = isTraced ? ChangeDetector(controls: plan.controls.count) : nil
    }

    /// The effects of a panel that follows another one, with its record so far.
    init(
        _ plan: PanelPlan, following former: VirtualEffects, _ difference: PanelDifference,
        at now: Instant
    ) {
        self.plan = plan
        tape = nil
        backend = former.backend
        programs = former.programs
        func moved(_ control: ControlID) -> ControlID? {
            let place = difference.controlPlaces[Int(control.index)]
            return place == Engine.Places.nowhere ? nil : ControlID(place)
        }
        actions = former.actions.moved(moved)
        actions.connections = plan.connections
        for var attempt in former.attempts.values {
            let action = difference.actionPlaces[Int(attempt.action.index)]
            guard let control = moved(attempt.control), action != Engine.Places.nowhere else {
                continue
            }
            (attempt.control, attempt.action) = (control, ActionID(action))
            attempts[control] = attempt
        }
        feedback = former.feedback.moved(to: plan, at: now, moved)
        reports = ReportModel(plan)
        journal = former.journal.map { journal in
            StateJournal(
                plan,
                saved: journal.saved.compactMap { it in
                    moved(it.control).map { SavedValue(control: $0, value: it.value) }
                })
        }
        notesLines = former.notesLines
        watch = former.watch.map { _ in ChangeDetector(controls: plan.controls.count) }
        record = former.record
    }

    // MARK: Start and end of the process

    /// The panel is about to start.
    func willStart(at now: Instant) {
        guard watch != nil else { return }
        watch = ChangeDetector(controls: plan.controls.count)
        record.add(VirtualChange(kind: .started, at: now))
    }

    func didStart(at now: Instant) {
        feedback.begin(at: now)
        endTurn()
        record.turn(at: now)
    }

    /// The process has ended; if orderly, it has saved its values.
    func didEnd(at now: Instant, isOrderly: Bool) {
        journal?.writeDue(by: now)
        if isOrderly { journal?.writeAll() }
        journal = journal.map { StateJournal(plan, saved: $0.saved) }
        tape?.add(nil, at: now)
        actions.abandon()
        attempts = [:]
        feedback.end()
        reports = ReportModel(plan)
        if watch != nil { record.add(VirtualChange(kind: .ended, at: now)) }
    }

    /// The next moment at which an attempt ends or a device reports; `never` if there is none.
    var next: Instant { min(actions.next, min(feedback.next, reports.next)) }

    /// The outcome of the next attempt that has ended by now, or else the next report of a device;
    /// nil if there is neither. Call it until then.
    func takeOutcome(by now: Instant) -> TimedEvent? {
        if let event = following.take() { return event }
        guard var it = actions.takeEnded(by: now) else { return takeReport(by: now) }
        let confirmed = readText(&it)
        note(it.control, it.run, .ended(it.outcome), at: it.at, isQuery: it.isQuery)
        switch it.outcome {
        case .lost, .failed(.unreachable):
            setWire(of: it, openFrom: it.at + ActionLimits.wireFirstPause)
        case .succeeded, .failed(.invalidAnswer): setWire(of: it, openFrom: it.at)
        case .cancelled, .timedOut, .killed, .failed: break
        }
        if let confirmed {
            following = TimedEvent(event: .feedback(it.control, confirmed), at: it.at)
        }
        let event: Event =
            if let answer = it.answer {
                .answered(it.control, it.run, answer)
            } else {
                .actionFinished(it.control, it.run, it.outcome)
            }
        return TimedEvent(event: event, at: it.at)
    }

    /// Reads an answer verbatim, as a panel does, and lets the device have its value.
    ///
    /// - Returns: the value of the device, if it is another one than was asked for.
    private func readText(_ it: inout ActionModel.Outcome) -> Value? {
        guard let text = it.text, let attempt = attempts[it.control], attempt.run == it.run else {
            return nil
        }
        switch reader.answer(attempt.command, Array(text.utf8)) {
        case .value(let value):
            actions.set(it.control, to: value)
            it.answer = value
        case .confirmed(let value):
            actions.set(it.control, to: value)
            return value == attempt.value ? nil : value
        case .unreadable:
            it.outcome = .failed(.invalidAnswer)
        }
        return nil
    }

    private func takeReport(by now: Instant) -> TimedEvent? {
        while reports.next <= feedback.next, let due = reports.takeDue(by: now) {
            // What the device says while its broker or wire is away reaches nobody.
            if case .feedback(let control, _, _) = due.event, !feedback.hears(control, at: due.at) {
                continue
            }
            return due
        }
        while let due = feedback.takeDue(by: now) {
            switch due.word {
            case .lost: return TimedEvent(event: .feedbackLost(due.control), at: due.at)
            case .report:
                guard let value = actions.device(of: due.control) else { continue }
                return TimedEvent(event: .feedback(due.control, value), at: due.at)
            }
        }
        return nil
    }

    // MARK: Wires and the broker

    /// An attempt has shown that its wire is open, or that it is gone until `moment`: so is what
    /// reports over it.
    private func setWire(of it: ActionModel.Outcome, openFrom moment: Instant) {
        guard let attempt = attempts[it.control], attempt.run == it.run,
            case .call(let call) = plan.actions[Int(attempt.action.index)].command,
            let wire = WirePlace(ActionKindID(call.kind), call.fields)
        else { return }
        feedback.setWire(openFrom: moment, at: it.at) { control in
            guard case .wire(let kind, let fields)? = plan[control].feedback?.source else {
                return false
            }
            return WirePlace(ActionKindID(kind), fields) == wire
        }
    }

    /// The broker goes away, with all messages that it has not acknowledged, or comes back.
    func setBroker(isThere: Bool, at now: Instant) {
        feedback.setBroker(isThere: isThere, at: now)
        guard !isThere else { return }
        for attempt in attempts.values where isMessage(attempt) {
            actions.breakOff(attempt.run, at: now)
        }
    }

    /// Whether an attempt sends a message to the broker.
    private func isMessage(_ attempt: ActionAttempt) -> Bool {
        let action = plan.actions[Int(attempt.action.index)]
        guard case .call(let call) = action.command else { return false }
        return call.carrier == .broker
    }

    /// Whether the device of an attempt confirms it with what it says, word for word: through the
    /// broker, or with what `expect` waits for. nil if it says nothing, or confirms nothing.
    private func isConfirmed(_ attempt: ActionAttempt) -> Bool? {
        guard let text = actions.scripts[attempt.control]?.answer else { return nil }
        let bytes = Array(text.utf8)
        return reader.confirms(attempt.command, bytes) ?? reader.fits(attempt.command, bytes)
    }

    /// What the latest attempt of a control asks for; empty if there was none.
    func asked(of control: ControlID) -> String {
        attempts[control].map { reader.text(of: $0.command) } ?? ""
    }

    /// Passes the record on and clears it.
    func takeRecord(_ body: (VirtualRecord) -> Void) {
        body(record)
        record.removeAll()
    }

    /// Removes and returns the completed part, as `VirtualRecord.takeSettled`.
    func takeSettled(keepsTail: Bool) -> VirtualRecord { record.takeSettled(keepsTail: keepsTail) }

    func forgetRecord() { record.removeAll() }

    /// Removes repeats and pattern steps after the last other event.
    func endAtLastTurn() { record.endAtLastTurn() }

    // MARK: EffectHandler

    func carryOut(_ effect: Effect, due: Instant, now: Instant, into queue: inout TurnQueue) {
        tape?.add(effect, at: due)
        switch effect {
        case .readLevel(let line):
            if let reading = backend.read(line, now: now) {
                queue.insert(.reading(line, reading.level), at: reading.at)
            }
        case .indicate(let line, let level):
            _ = backend.write(line, level, now: now)
            noteWrite(line, level, at: due)
        case .adjust(let line, let strength):
            backend.adjust(line, to: strength, now: now)
        case .drive(let line, let level):
            noteWrite(line, level, at: due)
            record.turn(at: due)
            if let written = backend.write(line, level, now: now) {
                queue.insert(.outputWritten(line, level), at: written)
            }
        case .provide(_, let value):
            provided.append(value)
        case .start(let action, let run, let control, let value, let previous, let origin):
            record.turn(at: due)
            let attempt = ActionAttempt(
                action: action, run: run, control: control, value: value, previous: previous,
                values: provided, origin: origin)
            provided = ActionValues()
            if let event = start(attempt, at: now) { queue.insert(event, at: now) }
        case .cancel(let action, let run):
            record.turn(at: due)
            if let programs { return programs.cancel(action, run) }
            if let control = actions.cancel(run) { note(control, run, .cancelled, at: now) }
        case .report(let report):
            record.add(VirtualRecord.Entry(report: report, at: due))
            journal?.writeDue(by: due)
            if journal?.note(report, at: due) == true { journal?.writeDue(by: due) }
        case .answer(let request, let control, let answer):
            record.add(
                VirtualRecord.Answered(request: request, control: control, answer: answer, at: due))
        }
    }

    func willHandle(_ event: Event, at moment: Instant) {
        tape?.add(event, at: moment)
        if !event.isUnsolicited { showDriven() }
    }

    func didHandle(_ event: Event, at moment: Instant, by engine: inout Engine) {
        if let changes = watch?.changes(
            by: event, at: moment, snapshot: { engine.snapshot(of: $0) })
        {
            for change in changes { record.add(change) }
        } else if notesLines, let change = VirtualChange(event, at: moment) {
            record.add(change)
        }
        if event.isUnsolicited { record.turn(at: moment) }
    }

    /// The turn has ended.
    func endTurn() { showDriven() }

    private func showDriven() {
        guard !driven.isEmpty else { return }
        for change in driven { record.add(change) }
        driven.removeAll(keepingCapacity: true)
    }

    /// Starts an attempt; returns the event for the engine, if it follows at once.
    private func start(_ it: ActionAttempt, at now: Instant) -> Event? {
        let isQuery = plan[it.control].settings.query == it.action
        attempts[it.control] = it
        note(it.control, it.run, .started, at: now, isQuery: isQuery)
        if let programs {
            return programs.start(it)
                ? nil : .actionFinished(it.control, it.run, .failed(.notStarted))
        }
        if isQuery {
            actions.ask(it.control, it.run, at: now)
        } else if feedback.isBrokerAway, isMessage(it) {
            let outcome = ActionOutcome.failed(.unreachable)
            note(it.control, it.run, .ended(outcome), at: now)
            return .actionFinished(it.control, it.run, outcome)
        } else {
            actions.start(
                it.control, it.run, value: it.value, at: now, isConfirmed: isConfirmed(it))
        }
        return .actionStarted(it.control, it.run)
    }

    private func note(
        _ control: ControlID, _ run: RunID, _ step: VirtualRecord.Attempt.Step,
        at moment: Instant, isQuery: Bool = false
    ) {
        record.add(
            VirtualRecord.Attempt(
                control: control, run: run, step: step, at: moment, isQuery: isQuery))
    }

    private func noteWrite(_ line: LineID, _ level: Level, at due: Instant) {
        record.add(VirtualRecord.Write(line: line, level: level, at: due))
        if watch != nil || notesLines {
            driven.append(VirtualChange(kind: .line(line, level), at: due))
        }
    }
}

extension ActionAttempt {
    /// The command that asks for it.
    fileprivate var command: ActionCommand {
        ActionCommand(
            .start, action: action.index, run: run, control: control, value: value,
            previous: previous, values: values, origin: origin)
    }
}

extension Event {
    /// Whether a line or a device reports something unsolicited.
    fileprivate var isUnsolicited: Bool {
        switch self {
        case .edge, .sample, .overflow, .lineFault, .lineRestored, .actionFinished, .answered: true
        case .tick, .start, .reading, .resync, .lampTest, .reload, .broker, .close, .intent,
            .change, .fire, .actionStarted, .outputWritten, .saved, .feedback, .feedbackLost:
            false
        }
    }
}
