import DetentActions
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentSimulator
import Synchronization

/// Wires one panel on the desk together: panel, actions, recorder.
struct SimHost {
    let panel: DeskPanel
    let recorder: Recorder
    /// Runs programs; nil where actions are played.
    private let dispatcher: ActionDispatcher?

    /// Starts a panel; its time goes on with `run`.
    init(_ start: DeskStart, runsActions: Bool, isWatched: Bool) throws {
        let stream = try ReportStream()
        let stop = LateStop()
        let recorder = try Recorder(
            plan: start.plan, stream: stream,
            printLine: { line in
                let error = StandardOutput.write(line)
                if error != 0 { stop.stop() }
                return error
            }, logLine: { StandardError.write($0) })
        dispatcher =
            runsActions ? try Self.dispatcher(PanelActions(start.plan), start, recorder) : nil
        panel = try DeskPanel(
            start, dispatcher: dispatcher, reports: stream, isWatched: isWatched,
            say: { recorder.say($0) })
        self.recorder = recorder
        stop.set(panel)
    }

    private static func dispatcher(
        _ actions: PanelActions, _ start: DeskStart, _ recorder: Recorder
    ) throws -> ActionDispatcher {
        try ActionDispatcher(
            actionCount: start.plan.actions.count, runner: ProcessSupervisor(),
            makeRequest: { actions.request($0) }, readAnswer: { actions.answer($0, $1) },
            didEnd: { recorder.log($0, $1) })
    }

    /// Runs until a signal, the panel's rest or somebody's wish ends it.
    func run(signals: SignalInbox) {
        _ = panel.run(signals: signals)
        let left = dispatcher?.stop(grace: RuntimeLimits.actionsGrace) ?? 0
        if left > 0 {
            recorder.say(
                "detent: \(left) programs of actions did not end when asked to, and were killed\n")
        }
        recorder.stop(within: RuntimeLimits.recorderGrace)
    }
}

/// Ends a panel that may not be there yet.
private final class LateStop: Sendable {
    private let state = Mutex<(panel: DeskPanel?, isWanted: Bool)>((nil, false))

    func set(_ panel: DeskPanel) {
        let isWanted = state.withLock { state in
            state.panel = panel
            return state.isWanted
        }
        if isWanted { panel.stop() }
    }

    func stop() {
        let panel = state.withLock { state in
            state.isWanted = true
            return state.panel
        }
        panel?.stop()
    }
}
