import DetentActions
import DetentCore
import DetentScenario
import DetentTypes
import DetentWorld

/// Lets a panel in virtual time run real programs: what they come to is stamped by the panel's
/// clock when it is seen.
final class ProgramBridge: AttemptStarter {
    /// What became of an attempt.
    typealias News = (control: ControlID, run: RunID, kind: ActionReport.Kind)

    let dispatcher: ActionDispatcher
    /// The engine counts attempts from 1 each time that the panel starts; the dispatcher goes on.
    private var offset: UInt32 = 0
    private var latest: UInt32 = 0
    private var running: [UInt32: ActionID] = [:]

    /// Whether an attempt is on its way.
    var isBusy: Bool { !running.isEmpty }

    init(_ dispatcher: ActionDispatcher) {
        self.dispatcher = dispatcher
    }

    func start(_ it: ActionAttempt) -> Bool {
        let number = it.run.number &+ offset
        let isTaken = dispatcher.start(
            action: it.action.index, run: RunID(number), control: it.control, value: it.value,
            previous: it.previous, origin: it.origin)
        if isTaken {
            running[number] = it.action
            latest = number
        }
        return isTaken
    }

    func cancel(_ action: ActionID, _ run: RunID) {
        // A full ring is full of starts that have not begun; the attempt's own timeout ends it.
        _ = dispatcher.cancel(action: action.index, run: RunID(run.number &+ offset))
    }

    /// The panel starts again: what becomes of the attempts of before matters to nobody.
    func startOver() {
        for (number, action) in running.sorted(by: { $0.key < $1.key }) {
            _ = dispatcher.cancel(action: action.index, run: RunID(number))
        }
        running = [:]
        offset = latest
    }

    /// What became of attempts since the last call.
    func takeNews() -> [News] {
        var news: [News] = []
        dispatcher.drainReports { report in
            guard running[report.run.number] != nil else { return }
            switch report.kind {
            case .started: break
            case .finished, .answered: running[report.run.number] = nil
            }
            news.append((report.control, RunID(report.run.number &- offset), report.kind))
        }
        return news
    }
}
