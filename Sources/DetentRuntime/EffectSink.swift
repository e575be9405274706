import DetentActions
import DetentCore
import DetentHAL
import DetentPlatform
import DetentTypes

/// Carries out the engine's effects on the loop's own thread: lamps and outputs first of all.
///
/// It also holds the events of the turn: what the lines and other threads brought, and the answers
/// to what the engine asked for (readings, stamps of writes, refused attempts), all in the order of
/// their stamps. Synchronization: none; the loop's thread.
final class EffectSink {
    private let backend: any GPIOBackend
    private let dispatcher: ActionDispatcher?
    private let reports: ReportStream
    /// What others are told of all this.
    var feeder: WatchFeeder
    private var events: EventBatch
    /// The loop's clock of this turn.
    var now = Instant.zero
    /// The recorder has something to look at.
    private(set) var wantsRecorder = false

    init(
        backend: any GPIOBackend, dispatcher: ActionDispatcher?, reports: ReportStream,
        watch: PanelWatch?, controls: Int, lines: Int
    ) {
        self.backend = backend
        self.dispatcher = dispatcher
        self.reports = reports
        feeder = WatchFeeder(watch, controls: controls, lines: lines)
        // Beside what a turn takes in, one event can make each line ask for one reading and report
        // one write, and each control start one attempt.
        events = EventBatch(
            capacity: RuntimeLimits.eventsPerTurn + RuntimeLimits.inbox + RuntimeLimits.reports
                + 4 * lines)
    }

    func take(_ effect: Effect, at moment: Instant) {
        switch effect {
        case .indicate(let line, let level):
            _ = backend.write(line, level, now: now)
            feeder.level(line, level, at: now)
        case .drive(let line, let level):
            if let written = backend.write(line, level, now: now) {
                events.insert(.outputWritten(line, level), at: written)
                feeder.level(line, level, at: written)
            }
        case .readLevel(let line):
            if let reading = backend.read(line, now: now) {
                events.insert(.reading(line, reading.level), at: reading.at)
            }
        case .start(let action, let run, let control, let value, let previous, let origin):
            let isTaken =
                dispatcher?.start(
                    action: action.index, run: run, control: control, value: value,
                    previous: previous, origin: origin) ?? false
            if !isTaken {
                events.insert(.actionFinished(control, run, .failed(code: -1)), at: moment)
            }
        case .cancel(let action, let run):
            // A full ring is full of starts that have not begun; the attempt's own timeout ends it.
            _ = dispatcher?.cancel(action: action.index, run: run)
        case .report(let report):
            if reports.push(report, at: moment) { wantsRecorder = true }
            feeder.report(report, at: moment)
        case .answer(let request, let control, let answer):
            feeder.answer(request, control, answer, at: moment)
        }
    }

    /// Adds an event to the turn.
    func add(_ event: Event, at stamp: Instant) { events.insert(event, at: stamp) }

    /// Takes the earliest event of the turn that is not later than `limit`.
    func takeEvent(until limit: Instant) -> TimedEvent? { events.removeFirst(until: limit) }

    /// Whether every event has been taken.
    var isEmpty: Bool { events.isEmpty }

    /// Wakes the recorder if anything was reported that it should see now.
    func endTurn() {
        guard wantsRecorder else { return }
        wantsRecorder = false
        reports.wake()
    }
}
