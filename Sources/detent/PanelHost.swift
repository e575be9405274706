import DetentActions
import DetentCore
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes

/// Wires one running panel together: loop, actions, recorder.
struct PanelHost: ~Copyable {
    /// The port that a server uses.
    let port: LoopPort
    let inbox: Inbox
    private let plan: PanelPlan
    private let recorder: Recorder
    private let printer: TextWriter?
    private let log: TextWriter
    private let dispatcher: ActionDispatcher
    private let store: StateStore?
    private var loop: PanelLoop

    /// Wires a panel; nothing is requested yet.
    ///
    /// - Parameters:
    ///   - log: takes lines for people; the caller stops it, after everything else.
    ///   - events: the form of events on standard output; nil for none.
    ///   - store: keeps values over a restart; nil if none are kept.
    init(
        plan: PanelPlan, backend: any GPIOBackend, runners: ActionRunners,
        signals: SignalInbox, log: TextWriter, store: StateStore? = nil, events: EventFormat?
    ) throws {
        let stream = try ReportStream()
        let inbox = try Inbox()
        let printer =
            events == nil
            ? nil : try TextWriter.printer(for: stream, log: log) { StandardOutput.write($0) }
        let recorder = try Recorder(
            plan: plan, stream: stream, printer: printer,
            eventLine: { events?.line($0.report, at: $0.at) }, log: log, store: store)
        let watch = try PanelWatch { inbox.wake() }
        let actions = PanelActions(plan)
        let dispatcher = try ActionDispatcher(
            kinds: actions.kinds, runners: runners,
            makeRequest: { actions.request($0) }, readAnswer: { actions.answer($0, $1) },
            didEnd: { recorder.log($0, $1) })
        let loop = try PanelLoop(
            plan: plan, backend: backend, dispatcher: dispatcher, inbox: inbox, reports: stream,
            watch: watch, signals: signals)
        port = LoopPort(plan: plan, watch: watch, inbox: inbox)
        self.plan = plan
        self.inbox = inbox
        self.recorder = recorder
        self.printer = printer
        self.log = log
        self.dispatcher = dispatcher
        self.store = store
        self.loop = loop
    }

    /// Requests the lines; returns the errors of those that are not available.
    mutating func open() -> [HALError] { loop.open() }

    /// Applies the start-up rules.
    mutating func start() { loop.start(saved: store?.saved ?? []) }

    /// Runs until a signal or the inbox ends it, then sets outputs as the panel file says.
    ///
    /// - Returns: whether everything was written; the log says what was lost.
    mutating func run() -> Bool {
        _ = loop.run()
        return close()
    }

    /// Sets outputs to their declared levels, ends programs, and records the remaining events.
    ///
    /// - Returns: whether everything was written.
    @discardableResult
    mutating func close() -> Bool {
        loop.close()
        dispatcher.end(log)
        recorder.stop(within: RuntimeLimits.recorderGrace)
        var isWhole = true
        if let store {
            if recorder.dropped > 0 { store.take(lastValues) }
            if !store.stop(within: RuntimeLimits.stateGrace) {
                isWhole = false
                log.add("detent: values were not saved in time; the latest ones are lost\n")
            }
        }
        return printer?.end(log) ?? true && isWhole
    }

    private var lastValues: [SavedValue] {
        plan.controls.indices.compactMap { place in
            let control = ControlID(UInt16(place))
            guard let value = loop.snapshot(of: control)?.desired, value != .unknown else {
                return nil
            }
            return SavedValue(control: control, value: value)
        }
    }
}

extension ActionDispatcher {
    /// Ends all attempts; the log says how many programs had to be killed.
    func end(_ log: TextWriter) {
        let left = stop(grace: RuntimeLimits.actionsGrace)
        guard left > 0 else { return }
        log.add(
            "detent: \(left) programs of actions did not end on request and were killed\n")
    }
}

extension TextWriter {
    /// Writes the remaining event lines; the log says how many were lost.
    ///
    /// - Returns: whether all lines were written.
    func end(_ log: TextWriter) -> Bool {
        let lost = stop(within: RuntimeLimits.writerGrace)
        guard lost > 0 else { return true }
        // If a write failed, the log already says why.
        if !hasFailed {
            log.add(
                "detent: \(lost) event lines were not written: their reader did not take them\n"
            )
        }
        return false
    }
}
