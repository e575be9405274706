internal import DetentActions
internal import DetentCore
internal import DetentPanel
internal import DetentRuntime
internal import DetentScenario
internal import DetentTypes
internal import DetentWorld

/// The devices of a panel by the rules of virtual time: what an attempt finds, when it ends and
/// what is reported. Real programs and services ask them, and bring what they say.
final class WorldDevices {
    /// An attempt that a device has to answer.
    struct Question {
        var control: ControlID
        var action: ActionID
        var value: Value
        var isQuery: Bool
        /// Brings how it ended, and what the device says.
        var answer: (ActionOutcome, Said) -> Void
    }

    /// What a device says.
    enum Said {
        case nothing
        /// A value of the control, by its word.
        case word(String)
        /// A text, verbatim.
        case text(String)
    }

    private struct Series {
        var control: ControlID
        var reports: DeviceReports
        var next = 0
        var nextAt: Instant
    }

    private let plan: PanelPlan
    private let reader: PanelActions
    private var model: ActionModel
    private var feedback: FeedbackModel
    private var series: [Series] = []
    private var questions: [RunID: Question] = [:]
    private var lastRun: UInt32 = 0
    /// Brings what the source of a control's feedback says.
    var say: (ControlID, [UInt8]) -> Void = { _, _ in }

    init(_ plan: PanelPlan, scripts: [ControlID: ActionScript]) {
        self.plan = plan
        reader = PanelActions(plan)
        model = ActionModel(scripts: scripts, connections: plan.connections)
        feedback = FeedbackModel(plan)
    }

    // MARK: What is asked

    /// Takes a question.
    func ask(_ question: Question, at now: Instant) -> RunID {
        lastRun += 1
        let run = RunID(lastRun)
        questions[run] = question
        if question.isQuery {
            model.ask(question.control, run, at: now)
        } else {
            let text = model.scripts[question.control]?.answer
            let isConfirmed = text.flatMap {
                reader.confirms(command(question, run), Array($0.utf8))
            }
            model.start(
                question.control, run, value: question.value, at: now, isConfirmed: isConfirmed)
        }
        return run
    }

    /// Nobody waits for the answer any more.
    func cancel(_ run: RunID) {
        questions[run] = nil
        model.cancel(run)
    }

    private func command(_ question: Question, _ run: RunID) -> ActionCommand {
        ActionCommand(
            .start, action: question.action.index, run: run, control: question.control,
            value: question.value)
    }

    // MARK: Time

    /// The next moment at which a device answers or reports; `never` if none does.
    var next: Instant {
        series.reduce(min(model.next, feedback.next)) { min($0, $1.nextAt) }
    }

    /// The panel starts.
    func begin(at now: Instant) { feedback.begin(at: now) }

    /// The panel has ended.
    func end() {
        model.abandon()
        questions = [:]
        feedback.end()
        series = []
    }

    /// Lets the devices do what is due.
    func act(by now: Instant) {
        while let outcome = model.takeEnded(by: now) { tell(outcome) }
        for place in series.indices where series[place].nextAt <= now { report(place) }
        series.removeAll { $0.nextAt == .never }
        while let word = feedback.takeDue(by: now) {
            guard case .report = word.word else { continue }
            if let value = model.device(of: word.control) { say(word.control, of: value) }
        }
    }

    private func tell(_ outcome: ActionModel.Outcome) {
        guard let question = questions.removeValue(forKey: outcome.run) else { return }
        if let text = outcome.text {
            switch reader.answer(command(question, outcome.run), Array(text.utf8)) {
            case .value(let value), .confirmed(let value): model.set(question.control, to: value)
            case .unreadable: break
            }
            return question.answer(outcome.outcome, .text(text))
        }
        let value = outcome.answer ?? (outcome.isQuery ? nil : question.value)
        let device = plan[question.control]
        question.answer(outcome.outcome, value.map { .word(device.deviceWord(of: $0)) } ?? .nothing)
    }

    // MARK: What is reported

    private func say(_ control: ControlID, of value: Value) {
        guard let feedback = plan[control].feedback else { return }
        let text = feedback.word(of: value, for: plan[control])
        say(control, Array(JSONText.text(text, at: feedback.pointer).utf8))
    }

    private func report(_ place: Int) {
        // All that is due at one moment comes at once.
        let now = series[place].nextAt
        while series[place].nextAt == now {
            let reports = series[place].reports
            say(
                series[place].control,
                Array(reports.texts[series[place].next % reports.texts.count].utf8))
            series[place].next += 1
            let isLast = series[place].next >= reports.count
            series[place].nextAt = isLast ? .never : now + reports.period
            if isLast { return }
        }
    }

    // MARK: What is done to them

    /// Applies what is not done to lines or to the panel.
    func apply(_ stimulus: Stimulus, at now: Instant) {
        switch stimulus {
        case .failAction(let control, let code): model.fail(control, code: code, at: now)
        case .finishAction(let control): model.finish(control, at: now)
        case .failNext: model.failNext(code: 1)
        case .actions(let control, let script): model.setScript(script, for: control)
        case .device(let control, let value): model.set(control, to: value)
        case .feedback(let control, let value):
            model.set(control, to: value)
            feedback.setSilent(control, false, at: now)
            say(control, of: value)
        case .report(let control, let reports):
            feedback.setSilent(control, true, at: now)
            series.removeAll { $0.control == control }
            series.append(Series(control: control, reports: reports, nextAt: now))
        case .silence(let control): feedback.setSilent(control, true, at: now)
        case .gestures, .tell, .bounce, .loseFeedback, .broker: break
        }
    }
}

/// A text inside JSON.
enum JSONText {
    /// The text; with a pointer such as `/switch/state`, JSON that has it there.
    static func text(_ text: String, at pointer: String?) -> String {
        guard let pointer else { return text }
        let members = pointer.split(separator: "/").reversed()
        return members.reduce(JSONValue.string(text)) { value, name in
            .object([(String(name), value)])
        }.line
    }
}
