import DetentCore
import DetentScenario
import DetentTypes

/// Tracks since when a panel is at rest: nothing moves, no attempt is running, and only lamps have
/// changed.
struct IdleDetector {
    private let rest: TimeSpan
    private var busy: Set<ControlID> = []
    private var lastActivity = Instant.zero

    /// - Parameter rest: the time after the last change at which no contact or gesture can still be
    ///   waiting.
    init(rest: TimeSpan) {
        self.rest = rest
    }

    mutating func report(_ entry: VirtualRecord.Entry) {
        switch entry.report.kind {
        case .indicator: return
        case .phase(.pending, _), .phase(.loading, _): busy.insert(entry.report.control)
        case .phase(.idle, _), .phase(.failed, _): busy.remove(entry.report.control)
        default: break
        }
        lastActivity = max(lastActivity, entry.at)
    }

    /// A part moves, or there was a stimulus.
    mutating func isMoving(at now: Instant) { lastActivity = max(lastActivity, now) }

    /// When the panel will be at rest if nothing more happens; `never` while an attempt is running.
    var due: Instant { busy.isEmpty ? lastActivity + rest : .never }
}
