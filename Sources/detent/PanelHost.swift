import DetentActions
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentRuntime

/// Wires one running panel together: loop, actions, recorder.
struct PanelHost: ~Copyable {
    let recorder: Recorder
    /// What a server sees of the panel.
    let port: LoopPort
    let inbox: Inbox
    private let dispatcher: ActionDispatcher
    private let store: StateStore?
    private var loop: PanelLoop

    /// Wires a panel; nothing is requested yet.
    ///
    /// - Parameters:
    ///   - printsEvents: every event goes to standard output.
    ///   - store: keeps values over a restart; nil where none are kept.
    init(
        plan: PanelPlan, backend: any GPIOBackend, runner: any ActionRunner,
        signals: SignalInbox, store: StateStore? = nil, printsEvents: Bool
    ) throws {
        let stream = try ReportStream()
        let inbox = try Inbox()
        let printLine: Recorder.Write = { StandardOutput.write($0) }
        let recorder = try Recorder(
            plan: plan, stream: stream, printLine: printsEvents ? printLine : nil,
            logLine: { StandardError.write($0) }, store: store)
        let watch = try PanelWatch { inbox.wake() }
        let actions = PanelActions(plan)
        let dispatcher = try ActionDispatcher(
            actionCount: plan.actions.count, runner: runner,
            makeRequest: { actions.request($0) }, readAnswer: { actions.answer($0, $1) },
            didEnd: { recorder.log($0, $1) })
        let loop = try PanelLoop(
            plan: plan, backend: backend, dispatcher: dispatcher, inbox: inbox, reports: stream,
            watch: watch, signals: signals)
        port = LoopPort(plan: plan, watch: watch, inbox: inbox)
        self.inbox = inbox
        self.recorder = recorder
        self.dispatcher = dispatcher
        self.store = store
        self.loop = loop
    }

    /// Requests the lines; what could not be had comes back.
    mutating func open() -> [HALError] { loop.open() }

    /// Applies the start-up rules.
    mutating func start() { loop.start(saved: store?.saved ?? []) }

    /// Runs until a signal or the inbox ends it, then leaves everything as the panel file says.
    mutating func run() {
        _ = loop.run()
        close()
    }

    /// Leaves outputs at their declared levels, ends programs, and records what is left.
    mutating func close() {
        loop.close()
        let left = dispatcher.stop(grace: RuntimeLimits.actionsGrace)
        if left > 0 {
            recorder.say(
                "detent: \(left) programs of actions did not end when asked to, and were killed\n")
        }
        recorder.stop(within: RuntimeLimits.recorderGrace)
        if let store, !store.stop(within: RuntimeLimits.stateGrace) {
            StandardError.write("detent: values were not written in time; the last ones are lost\n")
        }
    }
}
