public import DetentCore
public import DetentPlatform
public import DetentTypes
import Synchronization

/// A report with the moment at which the engine made it.
public struct TimedReport: Equatable, Sendable, BitwiseCopyable {
    /// What the engine told.
    public var report: Report
    /// When it happened.
    public var at: Instant

    /// Makes a timed report.
    public init(report: Report, at: Instant) {
        self.report = report
        self.at = at
    }
}

/// Carries reports from the real-time loop to the recorder.
///
/// The loop pushes and never waits. It wakes the recorder, which is a system call, only if somebody
/// listens, something failed, a value changed that is kept, or the ring is half full: a panel that
/// nobody watches and that keeps nothing costs none.
public final class ReportStream: Sendable {
    private let ring = Ring<TimedReport>(capacity: RuntimeLimits.reports)
    private let waiting = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)
    private let listeners = Atomic<Int>(0)
    private let keepsValues = Atomic<Bool>(false)
    private let wakeUp: WakeUp

    /// Opens the stream.
    ///
    /// - Throws: `PlatformError` when the process has no descriptor left.
    public init() throws(PlatformError) {
        wakeUp = try WakeUp()
    }

    /// Readable while the recorder should look.
    var descriptor: Int32 { wakeUp.descriptor }

    /// Reports that wait for the recorder.
    var count: Int { waiting.load(ordering: .acquiring) }

    /// Sleeps until the recorder should look.
    public func wait() { wakeUp.wait() }

    /// One more, or one fewer, wants every report at once.
    public func addListeners(_ count: Int) {
        listeners.wrappingAdd(count, ordering: .acquiringAndReleasing)
    }

    /// From now on the recorder is woken for every value that changes, since values are kept.
    func keepValues() { keepsValues.store(true, ordering: .releasing) }

    /// Wakes the recorder whatever there is, such as at the end.
    public func wake() { wakeUp.ring() }

    /// For the loop: keeps a report; true where the recorder should be woken for it.
    package func push(_ report: Report, at now: Instant) -> Bool {
        guard ring.push(TimedReport(report: report, at: now)) else {
            dropped.wrappingAdd(1, ordering: .relaxed)
            return true
        }
        let count = waiting.wrappingAdd(1, ordering: .relaxed).newValue
        return count == RuntimeLimits.reports / 2 || report.kind.isUrgent
            || listeners.load(ordering: .acquiring) > 0
            || (report.kind.isChange && keepsValues.load(ordering: .acquiring))
    }

    /// For the recorder: hands over all reports that wait.
    ///
    /// - Returns: how many had to be dropped since the last call.
    public func drain(_ body: (TimedReport) -> Void) -> Int {
        wakeUp.clear()
        while let report = ring.pop() {
            waiting.wrappingSubtract(1, ordering: .relaxed)
            body(report)
        }
        return dropped.exchange(0, ordering: .acquiringAndReleasing)
    }
}

extension Report.Kind {
    /// Whether it tells another value.
    fileprivate var isChange: Bool {
        if case .changed = self { true } else { false }
    }

    /// What a log should say although nobody listens.
    var isUrgent: Bool {
        switch self {
        case .phase(.failed, _), .fault, .lost: true
        case .phase(.idle, _), .phase(.pending, _), .phase(.loading, _), .pressed, .released,
            .clicked, .doubleClicked, .multiClicked, .held, .repeated, .stepped, .moved, .invalid,
            .buttonPressed, .buttonReleased, .opened, .closed, .focused, .chosen, .staged,
            .changed, .confirmed, .flag, .refused, .armed, .progress, .indicator, .output:
            false
        }
    }
}
