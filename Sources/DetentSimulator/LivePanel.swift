import DetentCore
import DetentPanel
import DetentRuntime
import DetentScenario
import DetentTypes
import DetentWorld

/// A panel in virtual time that goes by a clock: steps it at exactly its own moments, tells what it
/// does, and records what is done to it.
///
/// What it does follows from what is done at which of its moments, and never from when or how often
/// somebody looked. Synchronization: none; `DeskPanel` locks. Real moments are told.
final class LivePanel {
    let start: DeskStart
    let programs: ProgramBridge?
    private let stream: ReportStream
    let say: @Sendable (String) -> Void
    private(set) var machine: VirtualPanel
    var clock: DeskClock
    var holdings = Holdings()
    /// Gestures that wait for their contacts.
    var queue = GestureQueue()
    private(set) var session: Session
    /// What was said of controls whose contacts bounce otherwise than at the start.
    var bounces: [ControlID: String] = [:]
    private var rest: RestWatch
    private var feeder: WatchFeeder
    private var wantsRecorder = false
    /// Moments that it has done since it was last where its clock is.
    private var behind = 0
    /// A watcher asked for more states than one turn tells.
    private var hasMoreStates = false
    /// How often something outside the panel was another when it was told last.
    private var toldChanges: UInt64 = 0
    /// It ends once it is at rest.
    var endsAtRest = false

    init(
        _ start: DeskStart, programs: ProgramBridge?, stream: ReportStream, watch: PanelWatch?,
        say: @escaping @Sendable (String) -> Void, realNow: Instant
    ) throws(EngineError) {
        self.start = start
        self.programs = programs
        self.stream = stream
        self.say = say
        machine = try start.panel(programs: programs)
        clock = DeskClock(startedAt: realNow)
        session = Session(start)
        rest = RestWatch(rest: start.plan.restTime)
        feeder = WatchFeeder(
            watch, controls: start.plan.controls.count, lines: start.plan.lines.count)
        publish()
        finish()
    }

    var plan: PanelPlan { start.plan }
    var now: Instant { machine.now }

    // MARK: Time

    /// Lets happen what is due by a real moment.
    ///
    /// - Returns: the real moment at which to call again; earlier does no harm.
    func turn(realNow: Instant) -> Instant {
        takeNews(realNow: realNow)
        let isThere = advance(realNow: realNow, moments: SimulatorLimits.momentsPerTurn)
        finish()
        if hasMoreStates || !isThere { return .zero }
        let isStill = endsAtRest && isStill
        return clock.realMoment(of: min(next, isStill ? rest.due : .never))
    }

    /// Whether it was to end at rest, and is.
    var isAtRest: Bool { endsAtRest && machine.now >= rest.due && isStill }

    /// Whether no part moves, and none is going to.
    private var isStill: Bool { machine.nextChange == .never && queue.count == 0 }

    /// The next moment at which anything happens by itself.
    private var next: Instant { min(machine.next, queue.next) }

    /// Goes on to the clock's moment, one due moment after the other, so that what is done next is
    /// done there.
    func advance(realNow: Instant) {
        _ = advance(realNow: realNow, moments: SimulatorLimits.momentsBehind)
    }

    /// - Parameter moments: at most so many at once.
    /// - Returns: whether it has got there.
    private func advance(realNow: Instant, moments: Int) -> Bool {
        let target = clock.moment(at: realNow)
        for _ in 0..<moments {
            let due = next
            guard due <= target, due != .never else {
                behind = 0
                machine.run(until: target)
                return true
            }
            behind += 1
            machine.run(until: max(due, machine.now))
            publish()
            beginWaiting()
        }
        if clock.isRunning, behind >= SimulatorLimits.momentsBehind {
            behind = 0
            clock.set(at: realNow, to: machine.now)
        }
        return false
    }

    // MARK: What is done

    /// Does something at the panel's present moment, and records it.
    func perform(_ stimulus: Stimulus) throws(GestureError) {
        let obstacle = session.obstacle(to: stimulus, at: machine.now).map { ($0, cut()) }
        // What is impossible is not recorded, so it is done first; what it told comes behind.
        try machine.apply(stimulus)
        if let (why, before) = obstacle { session.end(why, before) }
        session.add(stimulus, at: machine.now)
        rest.isMoving(at: machine.now)
        publish()
    }

    /// What the watchers of the desk look at is another.
    func tellDesk() { feeder.tell(.desk, at: machine.now) }

    /// Everything from the beginning, at 0.
    func startOver(realNow: Instant) throws(EngineError) {
        programs?.startOver()
        machine = try start.panel(programs: programs)
        clock.set(at: realNow, to: .zero)
        session = Session(start)
        holdings = Holdings()
        queue = GestureQueue()
        bounces = [:]
        rest = RestWatch(rest: plan.restTime)
        toldChanges = 0
        feeder.tell(.startedOver, at: .zero)
        publish()
    }

    /// Tells whoever listens, after everything that was done at once.
    func finish() {
        let machine = machine
        hasMoreStates = feeder.endTurn(
            at: machine.now, snapshot: { machine.snapshot(of: $0) },
            present: { machine.level(of: $0) }, contact: { machine.contact($0) })
        machine.notesLines = feeder.isTracing
        guard wantsRecorder else { return }
        wantsRecorder = false
        stream.wake()
    }

    // MARK: The record

    /// Where a file of the session ends.
    func cut(for file: Session.File) -> Session.Cut { session.cut(for: file, now: cut()) }

    private func cut() -> Session.Cut {
        Session.Cut(
            at: machine.now, steps: session.steps.count, entries: session.entries.count,
            states: plan.controls.indices.compactMap {
                machine.snapshot(of: ControlID(UInt16($0)))
            })
    }

    /// Passes on what the last instant brought.
    private func publish() {
        let machine = machine
        machine.takeRecord { record in
            for change in record.changes {
                if case .line(let line, let level) = change.kind {
                    feeder.level(line, level, at: change.at)
                }
            }
            let told = VirtualRecord.ordered(record.entries)
            if !session.add(told) { session.end(.tooManyEvents, cut()) }
            for entry in told {
                rest.report(entry)
                if stream.push(entry.report, at: entry.at) { wantsRecorder = true }
                feeder.report(entry.report, at: entry.at)
            }
            for it in record.answers {
                feeder.answer(it.request, it.control, it.answer, at: it.at)
            }
            for attempt in record.attempts { log(attempt) }
        }
        if machine.nextChange != .never { rest.isMoving(at: machine.now) }
        if feeder.isTracing {
            feeder.lookAtContacts(at: machine.now) { machine.contact($0) }
        }
        let changes = machine.outside.changeCount
        if changes != toldChanges {
            toldChanges = changes
            tellDesk()
        }
    }

    private func log(_ attempt: VirtualRecord.Attempt) {
        guard case .ended(let outcome) = attempt.step else { return }
        switch outcome {
        case .succeeded, .cancelled: return
        case .failed, .timedOut, .killed, .lost: break
        }
        let how = Reason(outcome).text ?? ""
        let id = plan.controls[Int(attempt.control.index)].id
        let what = attempt.isQuery ? "query" : "action"
        say("detent: \(id): \(what) failed: \(how), as the simulator plays it\n")
    }
}
