import DetentCore
import DetentRuntime
import DetentTypes

/// What the next process has to know of the session: its events, and the last phase of each
/// control, which gives the reason of a failure.
struct SessionRecord {
    private var history = EventHistory()
    private var phases: [EventHistory.Entry?]

    init(controls: Int) {
        phases = Array(repeating: nil, count: controls)
    }

    /// Notes an update.
    mutating func note(_ timed: TimedUpdate) {
        switch timed.update {
        case .report(let report, let number):
            let entry = EventHistory.Entry(number: number, report: report, at: timed.at)
            history.append(entry)
            let index = Int(report.control.index)
            if case .phase = report.kind, phases.indices.contains(index) {
                phases[index] = entry
            }
        case .restarted:
            history = EventHistory()
            phases = phases.map { _ in nil }
        case .state, .answer, .complete, .level, .contact, .simulation: break
        }
    }

    /// The updates that tell it, in their order: phases from before the history come first.
    var updates: [TimedUpdate] {
        let kept = history.all
        let first = kept.first?.number ?? .max
        let earlier = phases.compactMap { $0 }.filter { $0.number < first }
            .sorted { $0.number < $1.number }
        return (earlier + kept).map {
            TimedUpdate(.report($0.report, number: $0.number), at: $0.at)
        }
    }
}
