import DetentActions
import DetentCore
import DetentHAL
import DetentPlatform
import DetentTypes

/// Performs the engine's effects on the thread of the loop: lamps and outputs first.
///
/// Synchronization: none; the loop's thread.
final class EffectDispatcher: EffectHandler {
    private let backend: any GPIOBackend
    private let dispatcher: ActionDispatcher?
    private let reports: ReportStream
    /// Publishes the updates.
    var publisher: UpdatePublisher
    /// Whether the recorder has work.
    private var wantsRecorder = false

    init(
        backend: any GPIOBackend, dispatcher: ActionDispatcher?, reports: ReportStream,
        publisher: consuming UpdatePublisher
    ) {
        self.backend = backend
        self.dispatcher = dispatcher
        self.reports = reports
        self.publisher = publisher
    }

    func carryOut(_ effect: Effect, due: Instant, now: Instant, into queue: inout TurnQueue) {
        switch effect {
        case .indicate(let line, let level):
            _ = backend.write(line, level, now: now)
            publisher.level(line, level, at: now)
        case .drive(let line, let level):
            if let written = backend.write(line, level, now: now) {
                queue.insert(.outputWritten(line, level), at: written)
            }
        case .readLevel(let line):
            if let reading = backend.read(line, now: now) {
                queue.insert(.reading(line, reading.level), at: reading.at)
            }
        case .start(let action, let run, let control, let value, let previous, let origin):
            let isTaken =
                dispatcher?.start(
                    action: action.index, run: run, control: control, value: value,
                    previous: previous, origin: origin) ?? false
            if !isTaken {
                queue.insert(.actionFinished(control, run, .failed(.notStarted)), at: due)
            }
        case .cancel(let action, let run):
            // If the ring is full, the attempts in it have not started; the timeout of the attempt
            // ends it.
            _ = dispatcher?.cancel(action: action.index, run: run)
        case .report(let report):
            if reports.push(report, at: due) { wantsRecorder = true }
            publisher.report(report, at: due)
        case .answer(let request, let control, let answer):
            publisher.answer(request, control, answer, at: due)
        }
    }

    func willHandle(_ event: Event, at moment: Instant) {
        guard publisher.isTracing else { return }
        switch event {
        case .edge(let line, let level, _), .reading(let line, let level),
            .outputWritten(let line, let level):
            publisher.level(line, level, at: moment)
        case .tick, .start, .overflow, .lineFault, .lineRestored, .resync, .lampTest, .intent,
            .fire, .actionStarted, .actionFinished, .saved, .answered, .feedback:
            break
        }
    }

    func didHandle(_ event: Event, at moment: Instant, by engine: borrowing Engine) {
        guard publisher.isTracing else { return }
        publisher.lookAtContacts(at: moment) { engine.contactLevel(of: $0) }
    }

    /// Wakes the recorder if this turn has reports for it.
    func endTurn() {
        guard wantsRecorder else { return }
        wantsRecorder = false
        reports.wake()
    }
}
