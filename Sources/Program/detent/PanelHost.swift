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
    /// The interface for the connection to a broker; nil without one.
    let brokerPort: LoopPort?
    let inbox: Inbox
    /// Where reports of devices arrive; nil without a guardian.
    var intake: FeedbackIntake? { feedback?.intake }
    private let hooks: ReloadHooks?
    let actions: PanelActions
    private let formats: EventFormats
    private let recorder: Recorder
    private let displays: PanelDisplays
    private let feedback: PanelFeedback?
    private let printer: TextWriter?
    private let log: TextWriter
    private let dispatcher: ActionDispatcher
    private let store: StateStore?
    private var loop: PanelLoop

    /// Connects a panel; requests no lines.
    ///
    /// - Parameters:
    ///   - isServed: whether a server reads the updates of the panel.
    ///   - isConnected: whether the connection to a broker reads them too.
    ///   - log: prints messages for people; the caller stops it last.
    ///   - events: prints events, if they are printed.
    ///   - store: saves values; nil if they are not saved.
    ///   - kept: keeps the latest values when the process dies; nil without a store.
    ///   - guardian: kills the programs of displays when this process dies.
    ///   - watchdog: fed by the loop; nil without a watchdog.
    ///   - hooks: what else a reload changes.
    init(
        plan: PanelPlan, backend: any GPIOBackend, runners: ActionRunners, isServed: Bool,
        isConnected: Bool, signals: SignalInbox, log: TextWriter, store: StateStore? = nil,
        kept: KeptValues? = nil, events: EventFormats, guardian: Guardian?,
        watchdog: WatchdogTimer? = nil, hooks: ReloadHooks? = nil
    ) throws {
        let displays = try PanelDisplays(plan, guardian: guardian) { log.add($0) }
        let stream = try ReportStream()
        let inbox = try Inbox()
        let printer =
            !events.isOn
            ? nil : try TextWriter.printer(for: stream, log: log, write: events.write)
        let recorder = try Recorder(
            plan: plan, stream: stream, printer: printer,
            eventLine: { events.line($0) }, log: log, store: store, displays: displays)
        let updates = isServed ? try UpdateChannel { inbox.wake() } : nil
        let brokerUpdates = isConnected ? try UpdateChannel { inbox.wake() } : nil
        let actions = PanelActions(plan)
        let feedback = try guardian.map {
            try PanelFeedback(
                plan, guardian: $0, requests: runners[.http],
                wires: (runners[.tcp] as? WireRunner)?.wires, inbox: inbox,
                log: { log.add($0) })
        }
        let dispatcher = try ActionDispatcher(actions, runners, recorder, feedback)
        let loop = try PanelLoop(
            plan: plan, backend: backend, dispatcher: dispatcher, inbox: inbox, reports: stream,
            updates: [updates, brokerUpdates].compactMap(\.self),
            signals: signals, kept: kept, watchdog: watchdog)
        self.feedback = feedback
        port = updates.map { LoopPort(plan: plan, updates: $0, inbox: inbox) }
        brokerPort = brokerUpdates.map { LoopPort(plan: plan, updates: $0, inbox: inbox) }
        self.hooks = hooks
        self.actions = actions
        formats = events
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
    mutating func start() {
        loop.start(saved: store?.saved ?? [])
        beginFeedback { () throws(PlatformError) in try feedback?.begin() }
    }

    /// Starts the thread of the feedback; the panel works without it, and the log says so.
    private func beginFeedback(_ work: () throws(PlatformError) -> Void) {
        do throws(PlatformError) {
            try work()
        } catch {
            log.add("detent: no feedback: \(error.cause)\nhelp: \(error.remedy)\n")
        }
    }

    /// Runs until a signal or the inbox ends it, then sets the outputs to their `on-exit` levels.
    ///
    /// - Parameter willClose: called before the outputs are set.
    /// - Returns: whether all data was written; the log reports losses.
    mutating func run(willClose: () -> Void = {}) -> Bool {
        while loop.run() == .change {
            if let change = inbox.takeChange() { change.finish(replacePanel(change)) }
        }
        willClose()
        return close()
    }

    /// Lets another panel follow the present one.
    private mutating func replacePanel(_ change: PanelChange) -> PanelChange.Answer {
        let (plan, difference) = (change.plan, change.difference)
        let former = actions.keys
        guard port?.hasRoom ?? true, brokerPort?.hasRoom ?? true,
            let next = actions.replacePlan(plan, difference)
        else {
            return .tooManyReloads
        }
        dispatcher.add(next.kinds)
        hooks?.willChange(plan, difference)
        do throws(PanelChangeError) {
            loop = try PanelLoop(
                following: loop, plan, difference, keys: next.keys,
                keep: { [hooks] in hooks?.keep(plan, $0) },
                willStart: { [recorder, formats, port, brokerPort] in
                    recorder.replacePlan(plan, difference)
                    formats.replacePlan(plan)
                    port?.begin(plan)
                    brokerPort?.begin(plan)
                })
        } catch {
            actions.goBack(to: former)
            hooks?.didChange(loop.plan)
            switch error {
            case .lines(let errors): return .refused(errors)
            case .system(let error):
                return .impossible(cause: error.cause, remedy: error.remedy)
            case .engine(let error):
                return .impossible(
                    cause: "the panel exceeds a limit: \(error)", remedy: "make it smaller")
            }
        }
        for note in loop.notes { log.add("detent: \(note)\n") }
        beginFeedback { () throws(PlatformError) in try feedback?.replacePlan(plan) }
        store?.replacePlan(plan, loop.values, lock: nil)
        hooks?.didChange(plan)
        return .changed
    }

    /// Sets outputs to their `on-exit` levels, ends programs, and records the remaining reports.
    ///
    /// - Returns: whether all data was written.
    @discardableResult
    mutating func close() -> Bool {
        loop.close()
        hooks?.didClose()
        feedback?.stop(within: RuntimeLimits.feedbackGrace)
        dispatcher.end(log)
        recorder.stop(within: RuntimeLimits.recorderGrace)
        displays.stop(within: RuntimeLimits.displayGrace + RuntimeLimits.displayGrace)
        var isWhole = true
        if let store {
            if recorder.dropped > 0 { store.record(loop.values) }
            if !store.stop(within: RuntimeLimits.stateGrace) {
                isWhole = false
                let what = store.hasFailed ? "could not be saved" : "were not saved in time"
                log.add("detent: values \(what); the latest ones are lost\n")
            }
        }
        return printer?.end(log) ?? true && isWhole
    }
}

extension PanelChange.Answer {
    /// The plans of the reports have no more numbers.
    static let tooManyReloads = Self.impossible(
        cause: "too many reloads since the start", remedy: "restart the panel")
}

extension ActionDispatcher {
    /// Performs the actions of a panel; the recorder logs how they end, and devices that are asked
    /// for their value are asked again.
    convenience init(
        _ actions: PanelActions, _ runners: ActionRunners, _ recorder: Recorder,
        _ feedback: PanelFeedback? = nil
    ) throws {
        try self.init(
            kinds: actions.kinds, runners: runners,
            makeRequest: { actions.request($0) }, readAnswer: { actions.answer($0, $1) },
            didEnd: { command, result in
                let subject = actions.subject(of: command)
                recorder.log(result, of: subject)
                feedback?.actionEnded(of: subject.control, at: result.endedAt)
            })
    }

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
