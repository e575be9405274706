import DetentActions
internal import DetentCore
import DetentHAL
import DetentPanel
import DetentPlatform
internal import DetentRuntime
internal import DetentTypes
import DetentWorld

/// A panel that runs in real time on lines of gpio-sim, with gestures from a scenario. The player
/// of the scenario runs the turns of the real-time loop.
///
/// Synchronization: none; all calls on one thread.
final class GPIOSimPanel {
    /// A control's state from a moment on.
    private struct State {
        var at: Instant
        var snapshot: ControlSnapshot
    }

    let plan: PanelPlan
    let backend: GPIOSimBackend
    private let stream: ReportStream
    private var inbox: Inbox
    private var actions: ScriptedActions
    private var dispatcher: ActionDispatcher
    private var loop: PanelLoop
    /// When the panel first started; event lines count from here.
    private(set) var origin = Instant.zero
    /// What the panel has reported, oldest first.
    private(set) var reports: [TimedReport] = []
    /// There were more reports than the stream can hold.
    private(set) var hasLostReports = false
    private var states: [[State]]
    /// The contents of a state directory.
    private var journal: StateJournal

    /// Makes the panel; requests no lines.
    init(_ plan: PanelPlan, backend: GPIOSimBackend, scripts: ActionModel) throws {
        self.plan = plan
        self.backend = backend
        stream = try ReportStream()
        states = Array(repeating: [], count: plan.controls.count)
        journal = StateJournal(plan)
        inbox = try Inbox()
        actions = try ScriptedActions(scripts)
        dispatcher = try Self.dispatcher(plan, actions)
        loop = try PanelLoop(
            plan: plan, backend: backend, dispatcher: dispatcher, inbox: inbox, reports: stream)
    }

    private static func dispatcher(
        _ plan: PanelPlan, _ actions: ScriptedActions
    ) throws -> ActionDispatcher {
        let kinds = PanelActions(plan).kinds
        return try ActionDispatcher(
            kinds: kinds, runners: ActionRunners(actions, for: kinds.compactMap(\.self)),
            makeRequest: { command in
                actions.note(command)
                let control = Int(command.control.index)
                return ActionRequest(
                    run: command.run, .simulated(command.control, command.value),
                    keepsAnswer: plan.controls[control].settings.query?.index == command.action)
            },
            readAnswer: { _, bytes in
                Int32(String(decoding: bytes, as: UTF8.self)).map { .value(Value($0)) }
                    ?? .unreadable("the device has no value")
            })
    }

    /// Whether the run must end: too many events, or a chip was removed.
    var isOver: Bool {
        hasLostReports || backend.hasLostChip || reports.count >= GPIOSimLimits.reports
    }

    /// What the latest attempt of a control asks for; empty if there was none.
    func asked(of control: ControlID) -> String {
        actions.command(of: control).map { PanelActions(plan).text(of: $0) } ?? ""
    }

    /// Requests the lines and starts the panel.
    ///
    /// - Parameter moment: the earliest start.
    /// - Throws: `GPIOSimError` for the first line that cannot be requested.
    func start(at moment: Instant = .zero) throws {
        let errors = loop.open()
        if let first = errors.first {
            end()
            throw GPIOSimError(cause: "\(first.line): \(first.cause)", remedy: first.remedy)
        }
        try sleep(until: max(moment, MonotonicClock.now + GPIOSimLimits.settling))
        if origin == .zero { origin = MonotonicClock.now }
        loop.start(saved: journal.saved)
        note()
    }

    /// Ends the panel: cancels attempts and releases lines.
    func end() {
        loop.close()
        dispatcher.stop(grace: RuntimeLimits.actionsGrace)
    }

    /// The process ends and starts again; if orderly, it saves its values first.
    func restart(after pause: TimeSpan, isOrderly: Bool = true) throws {
        let moment = MonotonicClock.now + pause
        end()
        note()
        journal.writeDue(by: MonotonicClock.now)
        if isOrderly { journal.writeAll() }
        journal = StateJournal(plan, saved: journal.saved)
        let model = actions.remainder
        // The lines are requested just before the panel starts.
        let early = TimeSpan(
            nanoseconds: pause.nanoseconds - min(pause.nanoseconds, Self.opening.nanoseconds))
        try sleep(until: moment - pause + early)
        inbox = try Inbox()
        actions = try ScriptedActions(model)
        dispatcher = try Self.dispatcher(plan, actions)
        loop = try PanelLoop(
            plan: plan, backend: backend, dispatcher: dispatcher, inbox: inbox, reports: stream)
        try start(at: moment)
    }

    private static let opening = GPIOSimLimits.settling * 2

    /// Runs one turn, or waits until `end`.
    func turn(until end: Instant) {
        actions.release()
        backend.wakeAt = end
        _ = loop.turn()
        backend.wakeAt = .never
        note()
    }

    /// Runs turns until a moment.
    func run(until end: Instant) {
        while !isOver, MonotonicClock.now < end { turn(until: end) }
    }

    /// The states of a control since a moment, beginning with the state at that moment.
    func states(of control: ControlID, since moment: Instant) -> [ControlSnapshot] {
        let all = states[Int(control.index)]
        let first = all.lastIndex { $0.at <= moment } ?? 0
        return all[min(first, all.count)...].map(\.snapshot)
    }

    private func note() {
        let dropped = stream.drain { timed in
            reports.append(timed)
            journal.writeDue(by: timed.at)
            if journal.note(timed.report, at: timed.at) { journal.writeDue(by: timed.at) }
        }
        if dropped > 0 { hasLostReports = true }
        let now = MonotonicClock.now
        for place in plan.controls.indices {
            guard let snapshot = loop.snapshot(of: ControlID(UInt16(place))),
                snapshot != states[place].last?.snapshot
            else { continue }
            if states[place].count >= GPIOSimLimits.states { states[place].removeFirst() }
            states[place].append(State(at: now, snapshot: snapshot))
        }
    }

    private func sleep(until moment: Instant) throws {
        let clock = try WakeUp()
        while MonotonicClock.now < moment { clock.wait(until: moment, isExact: true) }
    }
}

extension GPIOSimPanel: ScenarioStage {
    func begin(_ gestures: [PartGesture]) throws(GestureError) {
        let start = MonotonicClock.now
        for timed in gestures { try backend.apply(timed.gesture, at: start) }
    }

    func send(_ event: Event) {
        _ = inbox.send(event)
        turn(until: MonotonicClock.now)
    }

    /// Contacts of gpio-sim always change cleanly, and simulated devices report only what a step
    /// says. `GPIOSimPlayer` refuses scenarios that ask for more.
    func change(_ stimulus: Stimulus) {
        switch stimulus {
        case .failAction(let control, let code): actions.fail(control, code: code)
        case .finishAction(let control): actions.finish(control)
        case .failNext: actions.failNext()
        case .actions(let control, let script): actions.setScript(script, for: control)
        case .device(let control, let value): actions.set(control, to: value)
        case .feedback(let control, let value):
            actions.set(control, to: value)
            send(.feedback(control, value))
        case .loseFeedback(let control): send(.feedbackLost(control))
        default: break
        }
    }
}

extension Instant {
    /// The moment `span` earlier, but not before zero.
    static func - (instant: Instant, span: TimeSpan) -> Instant {
        Instant(nanoseconds: instant.nanoseconds - min(instant.nanoseconds, span.nanoseconds))
    }
}
