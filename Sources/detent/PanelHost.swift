import DetentActions
import DetentCore
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes

/// Connects the parts of one running panel: loop, actions, recorder.
struct PanelHost: ~Copyable {
    /// The interface for a server; nil if there is none, so that no updates are made.
    let port: LoopPort?
    let inbox: Inbox
    private let plan: PanelPlan
    private let recorder: Recorder
    private let displays: DisplayWriter?
    private let printer: TextWriter?
    private let log: TextWriter
    private let dispatcher: ActionDispatcher
    private let store: StateStore?
    private var loop: PanelLoop

    /// Connects a panel; requests no lines.
    ///
    /// - Parameters:
    ///   - isServed: whether a server reads the updates of the panel.
    ///   - log: prints messages for people; the caller stops it last.
    ///   - events: prints events to standard output; nil if they are not printed.
    ///   - store: saves values; nil if they are not saved.
    ///   - kept: keeps the latest values when the process dies; nil without a store.
    ///   - guardian: kills the programs of displays when this process dies.
    init(
        plan: PanelPlan, backend: any GPIOBackend, runners: ActionRunners, isServed: Bool,
        signals: SignalInbox, log: TextWriter, store: StateStore? = nil,
        kept: KeptValues? = nil, events: EventFormat?, guardian: Guardian?
    ) throws {
        let displays =
            plan.displays.isEmpty
            ? nil : try DisplayWriter(plan, guardian: guardian) { log.add($0) }
        let stream = try ReportStream()
        let inbox = try Inbox()
        let printer =
            events == nil
            ? nil : try TextWriter.printer(for: stream, log: log) { StandardOutput.write($0) }
        let recorder = try Recorder(
            plan: plan, stream: stream, printer: printer,
            eventLine: { events?.line($0.report, at: $0.at) }, log: log, store: store,
            displays: displays)
        let updates = isServed ? try UpdateChannel { inbox.wake() } : nil
        let actions = PanelActions(plan)
        let dispatcher = try ActionDispatcher(
            kinds: actions.kinds, runners: runners,
            makeRequest: { actions.request($0) }, readAnswer: { actions.answer($0, $1) },
            didEnd: { recorder.log($0, $1) })
        let loop = try PanelLoop(
            plan: plan, backend: backend, dispatcher: dispatcher, inbox: inbox, reports: stream,
            updates: updates, signals: signals, kept: kept)
        port = updates.map { LoopPort(plan: plan, updates: $0, inbox: inbox) }
        self.plan = plan
        self.inbox = inbox
        self.recorder = recorder
        self.displays = displays
        self.printer = printer
        self.log = log
        self.dispatcher = dispatcher
        self.store = store
        self.loop = loop
    }

    /// Requests the lines; returns the ones that could not be requested.
    mutating func open() -> [HALError] { loop.open() }

    /// Applies the start-up rules.
    mutating func start() { loop.start(saved: store?.saved ?? []) }

    /// Runs until a signal or the inbox ends it, then sets the outputs to their `on-exit` levels.
    ///
    /// - Returns: whether all data was written; the log reports losses.
    mutating func run() -> Bool {
        _ = loop.run()
        return close()
    }

    /// Sets outputs to their `on-exit` levels, ends programs, and records the remaining reports.
    ///
    /// - Returns: whether all data was written.
    @discardableResult
    mutating func close() -> Bool {
        loop.close()
        dispatcher.end(log)
        recorder.stop(within: RuntimeLimits.recorderGrace)
        displays?.stop(within: RuntimeLimits.displayGrace + RuntimeLimits.displayGrace)
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
    /// Ends all programs; logs how many had to be killed.
    func end(_ log: TextWriter) {
        let left = stop(grace: RuntimeLimits.actionsGrace)
        guard left > 0 else { return }
        log.add(
            "detent: \(left) programs of actions did not end on request and were killed\n")
    }
}

extension TextWriter {
    /// Writes the remaining event lines; logs how many were lost.
    ///
    /// - Returns: whether all lines were written.
    func end(_ log: TextWriter) -> Bool {
        let lost = stop(within: RuntimeLimits.writerGrace)
        guard lost > 0 else { return true }
        // After a failed write, the log already has the reason.
        if !hasFailed {
            log.add("detent: \(lost) event lines were not written: the output was not read\n")
        }
        return false
    }
}
