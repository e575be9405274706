public import DetentActions
import DetentCore
public import DetentPanel
public import DetentPlatform
import DetentTypes
import Synchronization

/// Takes reports off the real-time loop's hands: prints event lines, logs what failed, keeps
/// history.
///
/// One thread under the ordinary policy. A line that cannot be written (full disk, closed pipe) is
/// said once to the log, and printing stops; the panel goes on.
public final class Recorder: Sendable {
    /// Where a line of text goes; false where it could not.
    public typealias Write = @Sendable (String) -> Bool

    private let plan: PanelPlan
    private let stream: ReportStream
    private let printLine: Write?
    private let logLine: Write
    private let history = Mutex(History())
    private let shallEnd = Atomic<Bool>(false)
    private let thread = Mutex<WorkerThread?>(nil)

    private struct History {
        var reports: [TimedReport] = []
        var next = 0
        var dropped = 0
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - printLine: takes every event as one line of JSON with its line feed; nil where nobody
    ///     wants them, which spares the loop a system call an event.
    ///   - logLine: takes lines for people.
    /// - Throws: `PlatformError` where no thread can be had.
    public init(
        plan: PanelPlan, stream: ReportStream, printLine: Write?, logLine: @escaping Write
    ) throws(PlatformError) {
        self.plan = plan
        self.stream = stream
        self.printLine = printLine
        self.logLine = logLine
        if printLine != nil { stream.addListeners(1) }
        let worker = try WorkerThread(named: "detent-recorder") { [self] in work() }
        thread.withLock { $0 = worker }
    }

    /// Takes what is left, then ends the thread.
    public func stop() {
        shallEnd.store(true, ordering: .releasing)
        stream.wake()
        thread.withLock { $0.take()?.join() }
    }

    /// The last reports, oldest first; at most `RuntimeLimits.history`.
    public var reports: [TimedReport] {
        history.withLock { history in
            Array(history.reports[history.next...] + history.reports[..<history.next])
        }
    }

    /// Logs how an attempt ended if it did not succeed: for `ActionDispatcher.didEnd`.
    public func log(_ command: ActionCommand, _ result: ActionResult) {
        switch result.outcome {
        case .succeeded, .cancelled: return
        case .failed, .timedOut, .lost: break
        }
        let id = name(Int(command.control.index))
        var text = "detent: \(id): action failed: \(result.explanation)\n"
        let lines = result.standardErrorTail.split(separator: "\n").suffix(3)
        for line in lines { text += "detent: \(id): stderr: \(line)\n" }
        _ = logLine(text)
    }

    private func name(_ control: Int) -> String {
        plan.controls.indices.contains(control) ? plan.controls[control].id : "#\(control)"
    }

    private func work() {
        var canPrint = printLine != nil
        while true {
            let isLast = shallEnd.load(ordering: .acquiring)
            let dropped = stream.drain { timed in
                keep(timed)
                logUrgent(timed)
                if canPrint { canPrint = show(timed) }
            }
            if dropped > 0 {
                history.withLock { $0.dropped += dropped }
                _ = logLine(
                    "detent: \(dropped) events were dropped: more came than can be recorded\n")
            }
            if isLast { return }
            stream.wait()
        }
    }

    private func keep(_ timed: TimedReport) {
        history.withLock { history in
            if history.reports.count < RuntimeLimits.history {
                history.reports.append(timed)
            } else {
                history.reports[history.next] = timed
                history.next = (history.next + 1) % RuntimeLimits.history
            }
        }
    }

    private func show(_ timed: TimedReport) -> Bool {
        guard let printLine else { return false }
        let line = EventLine.text(timed.report, plan: plan, at: timed.at) + "\n"
        if printLine(line) { return true }
        _ = logLine("detent: events cannot be written any more; the panel goes on without them\n")
        stream.addListeners(-1)
        return false
    }

    private func logUrgent(_ timed: TimedReport) {
        let id = name(Int(timed.report.control.index))
        switch timed.report.kind {
        case .phase(.failed, .timedOut):
            // Its program is stopped by the loop, so nobody else tells.
            _ = logLine("detent: \(id): action timed out\n")
        case .fault(.line):
            _ = logLine("detent: \(id): a line cannot be used; it is tried again\n")
        case .fault(.none):
            _ = logLine("detent: \(id): its lines are back\n")
        case .lost(let count):
            _ = logLine("detent: \(id): \(count) edges lost so far; the level was read again\n")
        case .phase, .pressed, .released, .clicked, .doubleClicked, .multiClicked, .held,
            .repeated, .stepped, .moved, .invalid, .changed, .confirmed, .flag, .refused, .armed,
            .progress, .indicator, .output:
            break
        }
    }
}
