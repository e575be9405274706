import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import Synchronization

/// Collects the events of one step of the tour, so that the step is printed on one line.
///
/// During the tour, events are not printed separately. Any thread may call it.
final class TourStory: Sendable {
    private struct State {
        var isRunning = true
        /// The control of the step.
        var control = ""
        var happened: [String] = []
    }

    /// The most events shown for one step.
    private static let longest = 6

    private let plan: PanelPlan
    private let state = Mutex(State())

    /// Begins before the first step.
    init(_ plan: PanelPlan) {
        self.plan = plan
    }

    /// Takes an event; false after the tour, when events are printed again.
    func receive(_ timed: TimedReport) -> Bool {
        let text = words(of: timed)
        return state.withLock { state in
            guard state.isRunning else { return false }
            if let text, state.happened.last != text { state.happened.append(text) }
            return true
        }
    }

    /// Begins the step of a control.
    func begin(_ control: String) {
        state.withLock { state in
            state.control = control
            state.happened = []
        }
    }

    /// The events since `begin`, such as `● on, ◌ loading, ▲ failed: exit 1`.
    func told() -> String {
        state.withLock { $0.happened.prefix(Self.longest).joined(separator: ", ") }
    }

    /// Ends the tour.
    func end() {
        state.withLock { $0.isRunning = false }
    }

    /// The text for an event that changes what users see; nil for other events.
    private func words(of timed: TimedReport) -> String? {
        guard timed.report.kind.isSeen else { return nil }
        let summary = EventText.summary(
            EventLine.members(timed.report, plan: plan, at: timed.at))
        let place = Int(timed.report.control.index)
        guard plan.controls.indices.contains(place) else { return summary }
        let touched = state.withLock { $0.control }
        let control = plan.controls[place]
        return control.id == touched ? summary : "\(PrintableText.text(control.label)) \(summary)"
    }
}

extension Report.Kind {
    /// Whether users see the event on the panel, rather than only in a log.
    fileprivate var isSeen: Bool {
        switch self {
        case .changed, .chosen, .refused, .opened, .closed, .focused, .staged, .armed, .fault,
            .phase(.loading, _), .phase(.failed, _):
            true
        default: false
        }
    }
}
