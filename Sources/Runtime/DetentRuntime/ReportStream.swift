public import DetentCore
public import DetentPlatform
public import DetentTypes
import Synchronization

/// A report with the moment at which the engine made it.
public struct TimedReport: Equatable, Sendable, BitwiseCopyable {
    /// The report.
    public var report: Report
    /// When it happened.
    public var at: Instant
    /// Which panel its control belongs to: 0, or how many panels came before it by reloads.
    public var panel: UInt32

    /// Makes a timed report.
    public init(report: Report, at: Instant, panel: UInt32 = 0) {
        self.report = report
        self.at = at
        self.panel = panel
    }
}

/// Carries reports from the real-time loop to the recorder.
///
/// The loop pushes and never waits. Waking the recorder costs a system call, so the loop does it
/// only if there is a listener, something failed, a saved value changed, or the ring is half full.
public final class ReportStream: Sendable {
    private let ring = Ring<TimedReport>(capacity: RuntimeLimits.reports)
    private let waiting = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)
    private let listeners = Atomic<Int>(0)
    private let panel = Atomic<UInt32>(0)
    private let keepsValues = Atomic<Bool>(false)
    private let wakeUp: WakeUp

    /// Opens the stream.
    ///
    /// - Throws: `PlatformError` when the process has no descriptor left.
    public init() throws(PlatformError) {
        wakeUp = try WakeUp()
    }

    /// Readable when the recorder has work.
    var descriptor: Int32 { wakeUp.descriptor }

    /// Reports that wait for the recorder.
    var count: Int { waiting.load(ordering: .acquiring) }

    /// Sleeps until the recorder has work.
    public func wait() { wakeUp.wait() }

    /// Adds listeners, which need every report at once; negative counts remove them.
    public func addListeners(_ count: Int) {
        listeners.wrappingAdd(count, ordering: .acquiringAndReleasing)
    }

    /// From now on every change of a value wakes the recorder, because values are saved.
    func keepValues() { keepsValues.store(true, ordering: .releasing) }

    /// Wakes the recorder in any case, such as at the end.
    public func wake() { wakeUp.ring() }

    /// For the loop: adds a report; true if the recorder should be woken.
    package func push(_ report: Report, at now: Instant) -> Bool {
        guard ring.push(TimedReport(report: report, at: now, panel: panel.load(ordering: .relaxed)))
        else {
            // Woken at the first, the recorder finds the others too.
            return dropped.wrappingAdd(1, ordering: .relaxed).oldValue == 0
        }
        let count = waiting.wrappingAdd(1, ordering: .relaxed).newValue
        return count == RuntimeLimits.reports / 2 || report.kind.isUrgent
            || listeners.load(ordering: .acquiring) > 0
            || (report.kind.isChange && keepsValues.load(ordering: .acquiring))
    }

    /// For the loop: the reports from now on are those of the panel that follows.
    package func beginPanel() { panel.wrappingAdd(1, ordering: .relaxed) }

    /// For the recorder: passes on all waiting reports.
    ///
    /// - Returns: how many were dropped since the last call.
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
    /// Whether the report changes a value.
    fileprivate var isChange: Bool {
        if case .changed = self { true } else { false }
    }

    /// Whether the report is logged even without a listener.
    var isUrgent: Bool {
        switch self {
        case .phase(.failed, _), .fault, .lost: true
        default: false
        }
    }
}
