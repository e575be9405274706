import DetentActions
import DetentCore
import DetentRuntime
import DetentScenario
import DetentTypes

/// Runs real programs for a panel in virtual time. Outcomes get the panel's time when they are
/// noticed.
final class ProgramBridge: AttemptStarter {
    let dispatcher: ActionDispatcher
    /// The engine counts attempts from 1 at each start of the panel; the dispatcher does not
    /// restart.
    private var offset: UInt32 = 0
    private var latest: UInt32 = 0
    private var running: [UInt32: ActionID] = [:]
    /// How the dispatcher names controls and actions; nil: by their indices in the plan.
    private var keys: ActionKeys?

    /// Whether an attempt is running.
    var isBusy: Bool { !running.isEmpty }

    init(_ dispatcher: ActionDispatcher) {
        self.dispatcher = dispatcher
    }

    func start(_ it: ActionAttempt) -> Bool {
        let number = it.run.number &+ offset
        let isTaken = dispatcher.start(
            action: keys?.action(it.action.index) ?? it.action.index, run: RunID(number),
            control: keys?.control(it.control) ?? it.control, value: it.value,
            previous: it.previous, values: it.values, origin: it.origin)
        if isTaken {
            running[number] = ActionID(keys?.action(it.action.index) ?? it.action.index)
            latest = number
        }
        return isTaken
    }

    func cancel(_ action: ActionID, _ run: RunID) {
        // If the ring is full, the attempts in it have not started; the timeout of the attempt ends
        // it.
        let key = keys?.action(action.index) ?? action.index
        _ = dispatcher.cancel(action: key, run: RunID(run.number &+ offset))
    }

    /// Another panel follows: attempts of controls that are gone end without an effect.
    func setKeys(_ keys: ActionKeys?) { self.keys = keys }

    /// The panel restarts: outcomes of earlier attempts are ignored.
    func restart() {
        for (number, action) in running.sorted(by: { $0.key < $1.key }) {
            _ = dispatcher.cancel(action: action.index, run: RunID(number))
        }
        running = [:]
        offset = latest
    }

    /// The outcomes since the last call.
    func drainOutcomes() -> [Event] {
        var news: [Event] = []
        dispatcher.drainReports { report in
            guard running[report.run.number] != nil else { return }
            switch report.kind {
            case .started: break
            case .finished, .answered, .confirmed: running[report.run.number] = nil
            }
            let place = keys.map { $0.control(ofKey: report.control) } ?? report.control
            guard let place else { return }
            report.forEachEvent(of: RunID(report.run.number &- offset), place) { news.append($0) }
        }
        return news
    }
}
