public import DetentActions
import DetentCore
public import DetentPanel
public import DetentPlatform
public import DetentTypes
import Glibc
import Synchronization

/// Takes reports off the real-time loop's hands: keeps values, prints event lines, logs failures.
///
/// One thread under the ordinary policy, which never waits for a reader: the store, the printer and
/// the log each have a thread of their own. A line that cannot be written (full disk, closed pipe)
/// is logged once, and printing stops; the panel goes on. An event line that finds no room is
/// dropped and counted.
public final class Recorder: Sendable {
    private let plan: PanelPlan
    private let stream: ReportStream
    private let printer: TextWriter?
    private let eventLine: @Sendable (TimedReport) -> String?
    private let log: TextWriter
    private let store: StateStore?
    private let droppedReports = Atomic<Int>(0)
    private let shallEnd = Atomic<Bool>(false)
    private let thread = Mutex<WorkerThread?>(nil)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - printer: takes every event as one line; nil where no events are printed, which spares
    ///     the loop a system call an event.
    ///   - eventLine: makes the line of an event, with its line feed; nil for one that is not
    ///     printed. Called on the recorder's thread.
    ///   - log: takes lines for people.
    ///   - store: keeps values; nil where none are kept.
    /// - Throws: `PlatformError` where no thread can be had.
    public init(
        plan: PanelPlan, stream: ReportStream, printer: TextWriter?,
        eventLine: @escaping @Sendable (TimedReport) -> String?, log: TextWriter,
        store: StateStore? = nil
    ) throws(PlatformError) {
        self.plan = plan
        self.stream = stream
        self.printer = printer
        self.eventLine = eventLine
        self.log = log
        self.store = store
        if store != nil { stream.keepValues() }
        if printer != nil { stream.addListeners(1) }
        let worker = try WorkerThread(named: "detent-recorder") { [self] in work() }
        thread.withLock { $0 = worker }
    }

    /// Takes what is left, then ends the thread; stop the store, the printer and the log after it.
    ///
    /// - Returns: false where it had not ended after `span`; it is left behind then.
    @discardableResult
    public func stop(within span: TimeSpan) -> Bool {
        shallEnd.store(true, ordering: .releasing)
        stream.wake()
        let deadline = MonotonicClock.now + span
        return thread.withLock { $0.take()?.join(until: deadline) ?? true }
    }

    /// Reports that were dropped, since more came than can be recorded.
    public var dropped: Int { droppedReports.load(ordering: .acquiring) }

    /// Logs how an attempt ended if it did not succeed: for `ActionDispatcher.didEnd`.
    public func log(_ command: ActionCommand, _ result: ActionResult) {
        switch result.outcome {
        case .succeeded, .cancelled: return
        case .failed, .timedOut, .killed, .lost: break
        }
        let id = name(Int(command.control.index))
        var text = "detent: \(id): \(what(command)) failed: \(result.explanation)\n"
        for line in Plain.lines(result.standardErrorTail).suffix(3) {
            text += "detent: \(id): stderr: \(line)\n"
        }
        log.add(text)
    }

    private func what(_ command: ActionCommand) -> String {
        let control = Int(command.control.index)
        guard plan.controls.indices.contains(control),
            plan.controls[control].settings.query?.index == command.action
        else { return "action" }
        return "query"
    }

    private func name(_ control: Int) -> String {
        plan.controls.indices.contains(control) ? plan.controls[control].id : "#\(control)"
    }

    private func work() {
        var isBehind = false
        while true {
            let isLast = shallEnd.load(ordering: .acquiring)
            let dropped = stream.drain { timed in
                store?.note(timed)
                logUrgent(timed)
                show(timed, &isBehind)
            }
            if dropped > 0 {
                droppedReports.wrappingAdd(dropped, ordering: .acquiringAndReleasing)
                log.add("detent: \(dropped) events were dropped: more came than can be recorded\n")
            }
            if isLast { return }
            stream.wait()
        }
    }

    /// - Parameter isBehind: whether lines are being dropped, which is logged when it begins.
    private func show(_ timed: TimedReport, _ isBehind: inout Bool) {
        guard let printer, !printer.hasFailed else { return }
        guard let line = eventLine(timed) else { return }
        let isTaken = printer.add(line)
        if !isTaken, !isBehind, !printer.hasFailed {
            log.add(
                "detent: event lines are dropped: the reader of standard output is too slow\n"
                    + "help: let it read on, or leave event lines out; the panel goes on\n")
        }
        isBehind = !isTaken
    }

    private func logUrgent(_ timed: TimedReport) {
        let id = name(Int(timed.report.control.index))
        switch timed.report.kind {
        case .phase(.failed, .timedOut):
            // Its program is stopped by the loop, so nobody else tells.
            log.add("detent: \(id): action timed out\n")
        case .fault(.line):
            log.add("detent: \(id): a line cannot be used; it is tried again\n")
        case .fault(.none):
            log.add("detent: \(id): its lines are back\n")
        case .lost(let count):
            log.add("detent: \(id): \(count) edges lost so far; the level was read again\n")
        case .phase, .pressed, .released, .clicked, .doubleClicked, .multiClicked, .held,
            .buttonPressed, .buttonReleased, .opened, .closed, .focused, .chosen, .staged,
            .repeated, .stepped, .moved, .invalid, .changed, .confirmed, .flag, .refused, .armed,
            .progress, .indicator, .output:
            break
        }
    }
}

extension TextWriter {
    /// A writer of event lines that stops for good at the first line that cannot be written.
    ///
    /// - Parameters:
    ///   - stream: is told when nobody takes lines any more.
    ///   - log: is told why.
    ///   - write: writes a line; it may block.
    /// - Throws: `PlatformError` where no descriptor or thread can be had.
    public static func printer(
        for stream: ReportStream, log: TextWriter, write: @escaping Write
    ) throws(PlatformError) -> TextWriter {
        try TextWriter(
            named: "detent-events", capacity: RuntimeLimits.eventLines, write: write,
            didFail: { error in
                log.add(
                    "detent: events cannot be written any more: "
                        + "\(String(cString: strerror(error)))\n"
                        + "help: mend the output and start again; no more are printed until then\n")
                stream.addListeners(-1)
                return false
            })
    }

    /// A log, which goes on after a line that cannot be written and says how many were dropped.
    ///
    /// - Parameter write: writes lines for people; it may block.
    /// - Throws: `PlatformError` where no descriptor or thread can be had.
    public static func log(write: @escaping Write) throws(PlatformError) -> TextWriter {
        try TextWriter(
            named: "detent-log", capacity: RuntimeLimits.messages, write: write,
            note: { "detent: \($0) messages were dropped: the log is not read fast enough\n" })
    }
}
