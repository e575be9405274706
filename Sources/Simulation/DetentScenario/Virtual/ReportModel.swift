import DetentCore
import DetentPanel
internal import DetentRuntime
import DetentTypes
import Synchronization

/// The reports of simulated devices, byte for byte as a broker, a web service or a program would
/// bring them, in virtual time.
///
/// They are read, thinned and passed on by the entry of real reports, `FeedbackIntake`.
/// Synchronization: none; one thread at a time.
struct ReportModel {
    private struct Series {
        var source: FeedbackSource
        var reports: DeviceReports
        var next = 0
        var nextAt: Instant
    }

    /// What has passed the entry.
    private final class Passed: Sendable {
        private let events = Mutex<[Event]>([])

        func add(_ event: Event) { events.withLock { $0.append(event) } }

        var isEmpty: Bool { events.withLock { $0.isEmpty } }

        func pop() -> Event? {
            events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }

    private let plan: PanelPlan
    private let intake: FeedbackIntake
    private let passed = Passed()
    private var series: [Series] = []
    /// The moment of what has passed and was not taken.
    private var passedAt = Instant.zero

    /// The devices of a panel; none reports anything yet.
    init(_ plan: PanelPlan) {
        self.plan = plan
        let passed = passed
        intake = FeedbackIntake(
            plan,
            send: { event, _, _ in
                passed.add(event)
                return true
            }, log: { _ in }, wake: {})
    }

    /// The source of a control's device reports from now on. A later call replaces the rest.
    mutating func begin(_ reports: DeviceReports, of control: ControlID, at now: Instant) {
        guard let source = plan[control].feedback?.source else { return }
        series.removeAll { $0.source == source }
        series.append(Series(source: source, reports: reports, nextAt: now))
        find()
    }

    /// The next moment at which a report comes or passes; `never` if none does.
    private(set) var next = Instant.never

    /// Finds `next`; most panels never begin a report, so nothing is locked for it.
    private mutating func find() {
        // One report can be of several controls.
        next = passed.isEmpty ? series.reduce(intake.deadline) { min($0, $1.nextAt) } : passedAt
    }

    /// The next report that has passed by `now`, and when.
    mutating func takeDue(by now: Instant) -> TimedEvent? {
        while next != .never, next <= now {
            if let event = passed.pop() {
                find()
                return TimedEvent(event: event, at: passedAt)
            }
            passedAt = next
            intake.passDue(at: passedAt)
            for place in series.indices where series[place].nextAt <= passedAt { report(place) }
            series.removeAll { $0.nextAt == .never }
            find()
        }
        return nil
    }

    private mutating func report(_ place: Int) {
        let reports = series[place].reports
        let text = reports.texts[series[place].next % reports.texts.count]
        let source = series[place].source
        // Over a wire, each line is a report.
        let lines: [Substring] =
            if case .wire = source { text.split(whereSeparator: \.isNewline) } else { [text[...]] }
        for line in lines {
            intake.receive(Array(line.utf8), from: source, at: series[place].nextAt)
        }
        series[place].next += 1
        series[place].nextAt =
            series[place].next < reports.count ? series[place].nextAt + reports.period : .never
    }
}
