import DetentCore
import DetentScenario
import DetentTypes
import DetentWorld

/// Knows since when a panel has been at rest: nothing moves, no attempt is on its way, and nothing
/// but lamps has changed.
struct RestWatch {
    private let rest: TimeSpan
    private var busy: Set<ControlID> = []
    private var lastActivity = Instant.zero

    /// - Parameter rest: so long after the last change no contact or gesture is still waiting.
    init(rest: TimeSpan) {
        self.rest = rest
    }

    mutating func report(_ entry: VirtualRecord.Entry) {
        switch entry.report.kind {
        case .indicator: return
        case .phase(.pending, _), .phase(.loading, _): busy.insert(entry.report.control)
        case .phase(.idle, _), .phase(.failed, _): busy.remove(entry.report.control)
        case .pressed, .released, .clicked, .doubleClicked, .multiClicked, .held, .repeated,
            .buttonPressed, .buttonReleased, .opened, .closed, .focused, .chosen, .staged,
            .stepped, .moved, .invalid, .changed, .confirmed, .flag, .refused, .armed,
            .progress, .output, .lost, .fault:
            break
        }
        lastActivity = max(lastActivity, entry.at)
    }

    /// Something moves, or somebody did something.
    mutating func isMoving(at now: Instant) { lastActivity = max(lastActivity, now) }

    /// When it will be at rest if nothing more happens; `never` while an attempt is on its way.
    var due: Instant { busy.isEmpty ? lastActivity + rest : .never }
}
