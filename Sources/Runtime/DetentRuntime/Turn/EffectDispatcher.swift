import DetentActions
import DetentCore
import DetentHAL
import DetentPlatform
import DetentTypes

/// Performs the engine's effects on the thread of the loop: lamps and outputs first.
///
/// Reports wait until the lamps of the turn are written, `RuntimeLimits.heldReports` at most. Their
/// order among themselves and with other updates stays.
///
/// Synchronization: none; the loop's thread. So the checks of exclusive access, a quarter of the
/// instructions from an edge to its lamp, are off for the two properties with long accesses.
final class EffectDispatcher: EffectHandler {
    private let backend: any GPIOBackend
    private let dispatcher: ActionDispatcher?
    private let reports: ReportStream
    /// Takes the values before they are reported; set before the first report.
    var kept: KeptValues?
    /// Publishes the updates.
    @exclusivity(unchecked) var publisher: UpdatePublisher
    /// Reports that wait for the lamps.
    private let held: UnsafeMutableBufferPointer<TimedReport>
    private var heldCount = 0
    /// What the attempt needs that starts next.
    private var provided = ActionValues()
    /// Whether the recorder has work.
    private var wantsRecorder = false
    /// How the dispatcher names controls and actions; nil: by their indices in the plan.
    let keys: ActionKeys?

    init(
        backend: any GPIOBackend, dispatcher: ActionDispatcher?, reports: ReportStream,
        kept: KeptValues?, publisher: consuming UpdatePublisher, keys: ActionKeys? = nil
    ) {
        self.keys = keys
        self.backend = backend
        self.dispatcher = dispatcher
        self.reports = reports
        self.kept = kept
        self.publisher = publisher
        held = .allocate(capacity: RuntimeLimits.heldReports)
    }

    deinit {
        held.deallocate()
    }

    // Inlined: most effects are reports, and one that only waits costs half of its instructions.
    @inline(__always)
    func carryOut(_ effect: Effect, due: Instant, now: Instant, into queue: inout TurnQueue) {
        if case .report(let report) = effect {
            hold(report, at: due)
        } else {
            carryOutAtOnce(effect, due: due, now: now, into: &queue)
        }
    }

    @inline(__always)
    private func hold(_ report: Report, at moment: Instant) {
        guard heldCount != held.count else { return publish(andHold: report, at: moment) }
        held.initializeElement(at: heldCount, to: TimedReport(report: report, at: moment))
        heldCount &+= 1
    }

    @inline(never)
    private func publish(andHold report: Report, at moment: Instant) {
        publishReports()
        held.initializeElement(at: 0, to: TimedReport(report: report, at: moment))
        heldCount = 1
    }

    @inline(never)
    private func carryOutAtOnce(
        _ effect: Effect, due: Instant, now: Instant, into queue: inout TurnQueue
    ) {
        switch effect {
        case .report:
            break  // it waits
        case .indicate(let line, let level):
            backend.show(line, level, now: now)
            if publisher.isTracing { publishLevel(line, level, at: now) }
        case .drive(let line, let level):
            if let written = backend.write(line, level, now: now) {
                queue.insert(.outputWritten(line, level), at: written)
            }
        case .adjust(let line, let strength):
            backend.adjust(line, to: strength, now: now)
        case .readLevel(let line):
            if let reading = backend.read(line, now: now) {
                queue.insert(.reading(line, reading.level), at: reading.at)
            }
        case .provide(_, let value):
            provided.append(value)
        case .start(let action, let run, let control, let value, let previous, let origin):
            let isTaken =
                dispatcher?.start(
                    action: keys?.action(action.index) ?? action.index, run: run,
                    control: keys?.control(control) ?? control, value: value,
                    previous: previous, values: provided, origin: origin) ?? false
            provided = ActionValues()
            if !isTaken {
                queue.insert(.actionFinished(control, run, .failed(.notStarted)), at: due)
            }
        case .cancel(let action, let run):
            // If the ring is full, the attempt goes on or starts later; its end is ignored.
            _ = dispatcher?.cancel(action: keys?.action(action.index) ?? action.index, run: run)
        case .answer(let request, let control, let answer):
            publishReports()
            publisher.answer(request, control, answer, at: due)
        }
    }

    func willHandle(_ event: Event, at moment: Instant) {
        guard publisher.isTracing else { return }
        switch event {
        case .edge(let line, let level, _), .reading(let line, let level),
            .outputWritten(let line, let level):
            publishLevel(line, level, at: moment)
        case .tick, .start, .sample, .overflow, .lineFault, .lineRestored, .resync, .lampTest,
            .reload,
            .broker, .close, .intent, .change, .fire, .actionStarted, .actionFinished, .saved,
            .answered, .feedback, .feedbackLost:
            break
        }
    }

    func didHandle(_ event: Event, at moment: Instant, by engine: inout Engine) {
        guard publisher.isTracing else { return }
        publishReports()
        publisher.lookAtContacts(at: moment) { engine.contactLevel(of: $0) }
    }

    @inline(never)
    private func publishLevel(_ line: LineID, _ level: Level, at moment: Instant) {
        publishReports()
        publisher.level(line, level, at: moment)
    }

    @inline(never)
    private func publishReports() {
        for place in 0..<heldCount {
            let held = held[place]
            // Before it is reported.
            kept?.note(held.report)
            if reports.push(held.report, at: held.at) { wantsRecorder = true }
            publisher.report(held.report, at: held.at)
        }
        heldCount = 0
    }

    /// Publishes the reports of this turn, and wakes the recorder if it has work.
    func endTurn() {
        publishReports()
        guard wantsRecorder else { return }
        wantsRecorder = false
        reports.wake()
    }
}
