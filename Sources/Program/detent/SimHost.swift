import DetentActions
import DetentCommand
import DetentPlatform
import DetentRuntime
import DetentSimulator
import Synchronization

/// Connects the parts of one simulated panel: panel, actions, recorder.
struct SimHost {
    let panel: SimulatedPanel
    private let recorder: Recorder
    private let formats: EventFormats
    private let actions: PanelActions
    private let printer: TextWriter
    private let log: TextWriter
    /// Runs programs; nil if actions are simulated.
    private let dispatcher: ActionDispatcher?
    /// The wires of real actions; nil if actions are simulated.
    private let wires: Wires?

    /// Starts a panel; its time advances in `run`.
    ///
    /// - Parameters:
    ///   - runners: run the panel's actions; nil simulates them.
    ///   - events: prints events to standard output.
    ///   - story: takes events during the tour; nil without a tour.
    ///   - log: prints messages for people; the caller stops it last.
    init(
        _ start: SimulationOptions, runners: ActionRunners?, events: EventFormats,
        story: TourStory?,
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
                if let story, timed.panel == 0, story.receive(timed) { return nil }
                return events.line(timed)
            }, log: log)
        let actions = PanelActions(start.plan)
        dispatcher = try runners.map { try ActionDispatcher(actions, $0, recorder) }
        wires = (runners?[.key] as? WireRunner)?.wires
        wires?.keep(start.plan)
        panel = try SimulatedPanel(
            start, dispatcher: dispatcher, reports: stream, isWatched: isWatched,
            say: { log.add($0) })
        self.recorder = recorder
        self.actions = actions
        formats = events
        self.printer = printer
        self.log = log
        stop.set(panel)
    }

    /// Lets another panel follow the present one. From one thread at a time.
    func replacePanel(_ change: PanelChange) -> PanelChange.Answer {
        let former = actions.keys
        guard let next = actions.replacePlan(change.plan, change.difference) else {
            return .tooManyReloads
        }
        dispatcher?.add(next.kinds)
        let answer = panel.change(
            to: change.plan, change.difference, keys: dispatcher == nil ? nil : next.keys
        ) { [recorder, formats] in
            recorder.replacePlan(change.plan, change.difference)
            formats.replacePlan(change.plan)
        }
        if answer == .changed { wires?.keep(change.plan) } else { actions.goBack(to: former) }
        return answer
    }

    /// Runs until a signal, `stop`, or rest after the end of the input.
    ///
    /// - Returns: whether every event was written; the log reports losses.
    func run(signals: SignalInbox) -> Bool {
        _ = panel.run(signals: signals)
        dispatcher?.end(log)
        recorder.stop(within: RuntimeLimits.recorderGrace)
        return printer.end(log)
    }
}

/// Stops a panel that may not exist yet.
private final class LateStop: Sendable {
    private let state = Mutex<(panel: SimulatedPanel?, isWanted: Bool)>((nil, false))

    func set(_ panel: SimulatedPanel) {
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
