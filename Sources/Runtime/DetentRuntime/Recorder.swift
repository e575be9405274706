public import DetentActions
import DetentCore
public import DetentPanel
public import DetentPlatform
public import DetentTypes
import Glibc
import Synchronization

/// Handles reports outside the real-time loop: saves values, prints events, logs failures.
///
/// It has one thread under the normal scheduling policy, which never waits for a reader: the store,
/// the printer and the log each have their own thread. If an event line cannot be written (full
/// disk, closed pipe), this is logged once and printing stops; the panel continues. If the buffer
/// is full, an event line is dropped and counted.
public final class Recorder: Sendable {
    /// The ids of the controls of each panel, by its number.
    private let names: Mutex<[[String]]>
    private let stream: ReportStream
    private let printer: TextWriter?
    private let eventLine: @Sendable (TimedReport) -> String?
    private let log: TextWriter
    private let store: StateStore?
    private let displays: PanelDisplays?
    /// Whether the store is a listener, because it keeps events.
    private let keepsEvents: Atomic<Bool>
    private let droppedReports = Atomic<Int>(0)
    private let shallEnd = Atomic<Bool>(false)
    private let thread = Mutex<WorkerThread?>(nil)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - printer: prints every event as one line; nil if no events are printed, which saves the
    ///     loop one system call per event.
    ///   - eventLine: makes the line of an event, with a line feed; nil if the event is not
    ///     printed. Called on the recorder's thread.
    ///   - log: prints messages for people.
    ///   - store: saves values; nil if values are not saved.
    ///   - displays: shows what controls report; nil if nothing does.
    /// - Throws: `PlatformError` if no thread is available.
    public init(
        plan: PanelPlan, stream: ReportStream, printer: TextWriter?,
        eventLine: @escaping @Sendable (TimedReport) -> String?, log: TextWriter,
        store: StateStore? = nil, displays: PanelDisplays? = nil
    ) throws(PlatformError) {
        names = Mutex([plan.controls.map(\.id)])
        self.stream = stream
        self.printer = printer
        self.eventLine = eventLine
        self.log = log
        self.store = store
        self.displays = displays
        keepsEvents = Atomic(store?.keepsEvents == true)
        if displays?.isOn == true { stream.addListeners(1) }
        if store != nil { stream.keepValues() }
        // Events of a history are written within seconds.
        if keepsEvents.load(ordering: .relaxed) { stream.addListeners(1) }
        if printer != nil { stream.addListeners(1) }
        let worker = try WorkerThread(named: "detent-recorder") { [self] in work() }
        thread.withLock { $0 = worker }
    }

    /// Handles the remaining reports, then ends the thread. Stop the store, the printer and the log
    /// afterwards.
    ///
    /// - Returns: false if the thread did not end within `span`; it is then abandoned.
    @discardableResult
    public func stop(within span: TimeSpan) -> Bool {
        shallEnd.store(true, ordering: .releasing)
        stream.wake()
        let deadline = MonotonicClock.now + span
        return thread.withLock { $0.take()?.join(until: deadline) ?? true }
    }

    /// Another panel follows: call it before the stream begins to carry its reports.
    public func replacePlan(_ plan: PanelPlan, _ difference: PanelDifference) {
        names.withLock { $0.append(plan.controls.map(\.id)) }
        let keeps = store != nil && plan.historyRows != nil
        let kept = keepsEvents.exchange(keeps, ordering: .relaxed)
        if keeps != kept { stream.addListeners(keeps ? 1 : -1) }
        guard let displays else { return }
        let wasOn = displays.isOn
        displays.replacePlan(plan, difference)
        if displays.isOn != wasOn { stream.addListeners(wasOn ? -1 : 1) }
        stream.wake()
    }

    /// Reports that were dropped because there were too many to record.
    public var dropped: Int { droppedReports.load(ordering: .acquiring) }

    /// Logs how an attempt ended if it failed: for `ActionDispatcher.didEnd`.
    ///
    /// The engine has an attempt cancelled at its timeout. So a cancel at that moment, or at most
    /// `RuntimeLimits.timeoutSlack` before it, is logged too, with what is known of the attempt.
    /// Any other cancel was asked for.
    public func log(_ result: ActionResult, of attempt: PanelActions.Subject) {
        let ending: String
        switch result.outcome {
        case .cancelled:
            guard let timeout = attempt.timeout, let startedAt = result.startedAt,
                result.endedAt + RuntimeLimits.timeoutSlack >= startedAt + timeout
            else { return }
            ending = "ended after its timeout"
        case .failed, .timedOut, .killed, .lost: ending = "failed"
        case .succeeded: return
        }
        let subject = "detent: \(attempt.control): "
        var text = subject + (attempt.isQuery ? "query " : "action ") + ending
        let secrets = KnownSecrets.ofThisProcess
        text += ": \(secrets.hide(result.explanation))\n"
        for line in PrintableText.lines(secrets.hide(result.standardErrorTail)).suffix(3) {
            text += subject + "stderr: \(line)\n"
        }
        log.add(text)
    }

    private func name(_ control: Int, panel: UInt32) -> String {
        names.withLock { names in
            guard Int(panel) < names.count, control < names[Int(panel)].count else {
                return "#\(control)"
            }
            return names[Int(panel)][control]
        }
    }

    private func work() {
        var isBehind = false
        while true {
            let isLast = shallEnd.load(ordering: .acquiring)
            // All reports before these panels are in the stream.
            let following = displays?.following ?? 0
            let dropped = stream.drain { timed in
                store?.note(timed)
                displays?.record(timed)
                logUrgent(timed)
                show(timed, &isBehind)
            }
            if dropped > 0 {
                droppedReports.wrappingAdd(dropped, ordering: .acquiringAndReleasing)
                log.add("detent: \(dropped) events were dropped: too many at once\n")
            }
            displays?.settle(following)
            if isLast { return }
            // The wake-up of `stop` may have been cleared before these reports were taken.
            if !shallEnd.load(ordering: .acquiring) { stream.wait() }
        }
    }

    /// - Parameter isBehind: whether event lines are being dropped; logged when this begins.
    private func show(_ timed: TimedReport, _ isBehind: inout Bool) {
        guard let printer, !printer.hasFailed else { return }
        guard let line = eventLine(timed) else { return }
        let isTaken = printer.add(line)
        if !isTaken, !isBehind, !printer.hasFailed {
            log.add(
                "detent: event lines are dropped: the reader of standard output is too slow\n"
                    + "help: read the output faster, or do not print events; the panel continues\n")
        }
        isBehind = !isTaken
    }

    private func logUrgent(_ timed: TimedReport) {
        let id = name(Int(timed.report.control.index), panel: timed.panel)
        switch timed.report.kind {
        case .phase(.failed, .timedOut):
            // At once; how the attempt ended, which is stopped then, follows.
            log.add("detent: \(id): action timed out\n")
        case .fault(.line):
            log.add("detent: \(id): GPIO line unavailable; retrying\n")
        case .fault(.none):
            log.add("detent: \(id): its GPIO lines are available again\n")
        case .lost(let count):
            log.add(
                "detent: \(id): \(count) edges lost since the start; the level was read again\n")
        default: break
        }
    }
}

extension TextWriter {
    /// A writer of event lines that stops for good at the first line that cannot be written.
    ///
    /// - Parameters:
    ///   - stream: stops waking the recorder when printing ends.
    ///   - log: prints the reason.
    ///   - write: writes a line; it may block.
    /// - Throws: `PlatformError` if no descriptor or thread is available.
    public static func printer(
        for stream: ReportStream, log: TextWriter, write: @escaping Write
    ) throws(PlatformError) -> TextWriter {
        try TextWriter(
            named: "detent-events", capacity: RuntimeLimits.eventLines, write: write,
            didFail: { error in
                log.add(
                    "detent: cannot write events: "
                        + "\(String(cString: strerror(error)))\n"
                        + "help: fix the output and restart; events are no longer printed\n")
                stream.addListeners(-1)
                return false
            })
    }

    /// A log that continues after a failed write and prints how many messages were dropped.
    ///
    /// - Parameter write: writes messages for people; it may block.
    /// - Throws: `PlatformError` if no descriptor or thread is available.
    public static func log(write: @escaping Write) throws(PlatformError) -> TextWriter {
        try TextWriter(
            named: "detent-log", capacity: RuntimeLimits.messages, write: write,
            note: { "detent: \($0) log messages were dropped: the log is written too slowly\n" })
    }
}
