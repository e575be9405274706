import DetentActions
import DetentCore
import DetentHAL
import DetentPlatform
import DetentTypes

/// Carries out the engine's effects on the loop's own thread: lamps and outputs first of all.
///
/// Synchronization: none; the loop's thread.
final class EffectDispatcher: EffectHandler {
    private let backend: any GPIOBackend
    private let dispatcher: ActionDispatcher?
    private let reports: ReportStream
    /// What others are told of all this.
    var feeder: WatchFeeder
    /// The recorder has something to look at.
    private var wantsRecorder = false

    init(
        backend: any GPIOBackend, dispatcher: ActionDispatcher?, reports: ReportStream,
        feeder: consuming WatchFeeder
    ) {
        self.backend = backend
        self.dispatcher = dispatcher
        self.reports = reports
        self.feeder = feeder
    }

    func carryOut(_ effect: Effect, due: Instant, now: Instant, into queue: inout TurnQueue) {
        switch effect {
        case .indicate(let line, let level):
            _ = backend.write(line, level, now: now)
            feeder.level(line, level, at: now)
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
            // A full ring is full of starts that have not begun; the attempt's own timeout ends it.
            _ = dispatcher?.cancel(action: action.index, run: run)
        case .report(let report):
            if reports.push(report, at: due) { wantsRecorder = true }
            feeder.report(report, at: due)
        case .answer(let request, let control, let answer):
            feeder.answer(request, control, answer, at: due)
        }
    }

    func willHandle(_ event: Event, at moment: Instant) {
        guard feeder.isTracing else { return }
        switch event {
        case .edge(let line, let level, _), .reading(let line, let level),
            .outputWritten(let line, let level):
            feeder.level(line, level, at: moment)
        case .tick, .start, .overflow, .lineFault, .lineRestored, .resync, .lampTest, .intent,
            .fire, .actionStarted, .actionFinished, .saved, .answered, .feedback:
            break
        }
    }

    func didHandle(_ event: Event, at moment: Instant, by engine: borrowing Engine) {
        guard feeder.isTracing else { return }
        feeder.lookAtContacts(at: moment) { engine.contactLevel(of: $0) }
    }

    /// Wakes the recorder if anything was reported that it should see now.
    func endTurn() {
        guard wantsRecorder else { return }
        wantsRecorder = false
        reports.wake()
    }
}
