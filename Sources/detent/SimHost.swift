import DetentActions
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentSimulator
import Synchronization

/// Wires one panel on the desk together: panel, actions, recorder.
struct SimHost {
    let panel: DeskPanel
    private let recorder: Recorder
    private let printer: TextWriter
    private let log: TextWriter
    /// Runs actions; nil if they are simulated.
    private let dispatcher: ActionDispatcher?

    /// Starts a panel; its time goes on with `run`.
    ///
    /// - Parameters:
    ///   - runners: run the panel's actions; nil simulates them.
    ///   - events: how events go to standard output.
    ///   - story: takes events while the tour runs; nil without a tour for people.
    ///   - log: takes lines for people; stopped by the caller, after everything else.
    init(
        _ start: DeskStart, runners: ActionRunners?, events: EventFormat, story: TourStory?,
        log: TextWriter, isWatched: Bool
    ) throws {
        let stream = try ReportStream()
        let stop = LateStop()
        let printer = try TextWriter.printer(for: stream, log: log) { line in
            let error = StandardOutput.write(line)
            if error != 0 { stop.stop() }
            return error
        }
        let recorder = try Recorder(
            plan: start.plan, stream: stream, printer: printer,
            eventLine: { timed in
                if let story, story.take(timed) { return nil }
                return events.line(timed.report, at: timed.at)
            }, log: log)
        let actions = PanelActions(start.plan)
        dispatcher = try runners.map { runners in
            try ActionDispatcher(
                kinds: actions.kinds, runners: runners,
                makeRequest: { actions.request($0) }, readAnswer: { actions.answer($0, $1) },
                didEnd: { recorder.log($0, $1) })
        }
        panel = try DeskPanel(
            start, dispatcher: dispatcher, reports: stream, isWatched: isWatched,
            say: { log.add($0) })
        self.recorder = recorder
        self.printer = printer
        self.log = log
        stop.set(panel)
    }

    /// Runs until a signal, the panel's rest or somebody's wish ends it.
    ///
    /// - Returns: whether every event was written; what was lost is in the log.
    func run(signals: SignalInbox) -> Bool {
        _ = panel.run(signals: signals)
        dispatcher?.end(log)
        recorder.stop(within: RuntimeLimits.recorderGrace)
        return printer.end(log)
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
