import DetentActions
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentRuntime

/// Wires one running panel together: loop, actions, recorder.
struct PanelHost: ~Copyable {
    let inbox: Inbox
    let recorder: Recorder
    private let dispatcher: ActionDispatcher
    private var loop: PanelLoop

    init(
        plan: PanelPlan, backend: any GPIOBackend, runner: any ActionRunner,
        signals: SignalInbox, printLine: Recorder.Write?
    ) throws {
        let stream = try ReportStream()
        let inbox = try Inbox()
        let recorder = try Recorder(
            plan: plan, stream: stream, printLine: printLine,
            logLine: { StandardError.write($0) })
        let actions = PanelActions(plan)
        let dispatcher = try ActionDispatcher(
            actionCount: plan.actions.count, runner: runner,
            makeRequest: { actions.request($0) }, didEnd: { recorder.log($0, $1) })
        let loop = try PanelLoop(
            plan: plan, backend: backend, dispatcher: dispatcher, inbox: inbox, reports: stream,
            signals: signals)
        self.inbox = inbox
        self.recorder = recorder
        self.dispatcher = dispatcher
        self.loop = loop
    }

    /// Requests the lines; what could not be had comes back.
    mutating func open() -> [HALError] { loop.open() }

    /// Applies the start-up rules and runs until a signal or the inbox ends it, then leaves everything as the panel file says.
    mutating func run() {
        loop.start()
        _ = loop.run()
        close()
    }

    /// Leaves outputs at their declared levels, ends programs, and records what is left.
    mutating func close() {
        loop.close()
        let left = dispatcher.stop(grace: RuntimeLimits.actionsGrace)
        if left > 0 { StandardError.write("detent: \(left) programs would not end\n") }
        recorder.stop()
    }
}
