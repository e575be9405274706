public import DetentActions
import DetentCore
public import DetentPanel
public import DetentPlatform
public import DetentTypes
import Glibc
import Synchronization

/// Takes reports off the real-time loop's hands: prints event lines, and logs what failed.
///
/// One thread under the ordinary policy. A line that cannot be written (full disk, closed pipe) is
/// said once to the log, and printing stops; the panel goes on. Neither the loop nor an action ever
/// waits for whoever reads: what they say goes through this thread, and what finds no room is
/// dropped and counted.
public final class Recorder: Sendable {
    /// Where a text goes; 0, or the error number of the system where it could not be written.
    public typealias Write = @Sendable (String) -> Int32

    private let plan: PanelPlan
    private let stream: ReportStream
    private let printLine: Write?
    private let logLine: Write
    private let store: StateStore?
    private let droppedReports = Atomic<Int>(0)
    private let messages = Mutex(Messages())
    private let shallEnd = Atomic<Bool>(false)
    private let cannotPrint = Atomic<Bool>(false)
    private let thread = Mutex<WorkerThread?>(nil)

    private struct Messages {
        var waiting: [String] = []
        var dropped = 0
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - printLine: takes every event as one line of JSON with its line feed; nil where nobody
    ///     wants them, which spares the loop a system call an event.
    ///   - logLine: takes lines for people.
    ///   - store: keeps values; nil where none are kept. It is stopped after the recorder.
    /// - Throws: `PlatformError` where no thread can be had.
    public init(
        plan: PanelPlan, stream: ReportStream, printLine: Write?, logLine: @escaping Write,
        store: StateStore? = nil
    ) throws(PlatformError) {
        self.plan = plan
        self.stream = stream
        self.printLine = printLine
        self.logLine = logLine
        self.store = store
        if store != nil { stream.keepValues() }
        if printLine != nil { stream.addListeners(1) }
        let worker = try WorkerThread(named: "detent-recorder") { [self] in work() }
        thread.withLock { $0 = worker }
    }

    /// Takes what is left, then ends the thread.
    ///
    /// - Returns: false where it had not ended after `span`, since nobody takes what it writes; it
    ///   is left behind then.
    @discardableResult
    public func stop(within span: TimeSpan) -> Bool {
        shallEnd.store(true, ordering: .releasing)
        stream.wake()
        let deadline = MonotonicClock.now + span
        return thread.withLock { $0.take()?.join(until: deadline) ?? true }
    }

    /// Whether events were to be printed and could not be.
    public var hasStoppedPrinting: Bool { cannotPrint.load(ordering: .acquiring) }

    /// Reports that were dropped, since more came than can be recorded.
    public var dropped: Int { droppedReports.load(ordering: .acquiring) }

    /// Logs a text that ends with a line feed, from any thread and without waiting.
    public func say(_ text: String) {
        messages.withLock { messages in
            guard messages.waiting.count < RuntimeLimits.messages else {
                messages.dropped += 1
                return
            }
            messages.waiting.append(text)
        }
        stream.wake()
    }

    /// Logs how an attempt ended if it did not succeed: for `ActionDispatcher.didEnd`.
    public func log(_ command: ActionCommand, _ result: ActionResult) {
        switch result.outcome {
        case .succeeded, .cancelled: return
        case .failed, .timedOut, .lost: break
        }
        let id = name(Int(command.control.index))
        var text = "detent: \(id): \(what(command)) failed: \(result.explanation)\n"
        let lines = result.standardErrorTail.split(separator: "\n").suffix(3)
        for line in lines { text += "detent: \(id): stderr: \(line)\n" }
        say(text)
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
        var canPrint = printLine != nil
        while true {
            let isLast = shallEnd.load(ordering: .acquiring)
            let dropped = stream.drain { timed in
                store?.note(timed)
                logUrgent(timed)
                if canPrint { canPrint = show(timed) }
            }
            if dropped > 0 {
                droppedReports.wrappingAdd(dropped, ordering: .acquiringAndReleasing)
                _ = logLine(
                    "detent: \(dropped) events were dropped: more came than can be recorded\n")
            }
            logMessages()
            if isLast { return }
            stream.wait()
        }
    }

    private func logMessages() {
        let taken = messages.withLock { messages in
            let taken = messages
            messages = Messages()
            return taken
        }
        for text in taken.waiting { _ = logLine(text) }
        if taken.dropped > 0 {
            _ = logLine("detent: \(taken.dropped) messages were dropped: the log takes too long\n")
        }
    }

    private func show(_ timed: TimedReport) -> Bool {
        guard let printLine else { return false }
        let error = printLine(EventLine.text(timed.report, plan: plan, at: timed.at) + "\n")
        if error == 0 { return true }
        cannotPrint.store(true, ordering: .releasing)
        _ = logLine(
            "detent: events cannot be written any more: \(String(cString: strerror(error)))\n"
                + "help: mend the output and start again; from here on they are not printed\n")
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
            .buttonPressed, .buttonReleased, .opened, .closed, .focused, .chosen, .staged,
            .repeated, .stepped, .moved, .invalid, .changed, .confirmed, .flag, .refused, .armed,
            .progress, .indicator, .output:
            break
        }
    }
}
