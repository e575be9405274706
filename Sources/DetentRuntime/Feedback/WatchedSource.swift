import DetentActions
import DetentPanel
import DetentPlatform
import DetentTypes

/// One source that this process keeps alive: a program that runs, or a request that is repeated.
///
/// Synchronization: none; one thread.
struct WatchedSource {
    private enum State {
        /// A program, or the next request, starts at a moment.
        case waiting(until: Instant)
        case running(WatchedProgram, lines: ReportLines, since: Instant, readsAt: Instant)
        /// A request is under way; the next one starts at a moment, or later.
        case asking(RunID, nextAt: Instant)
    }

    let source: FeedbackSource
    private var state: State
    /// How long it waits after the next end of the program.
    private var pause = RuntimeLimits.feedbackFirstPause

    /// Starts at once.
    init(_ source: FeedbackSource, at now: Instant) {
        self.source = source
        state = .waiting(until: now)
    }

    /// When `begin` or `read` is needed without news; `never` while it waits for news only.
    var deadline: Instant {
        switch state {
        case .waiting(let until): until
        case .running(_, _, _, let readsAt): readsAt
        case .asking: .never
        }
    }

    /// The output to wait for; -1 if there is none, or if it was read a moment ago: a program that
    /// floods then waits for its pipe.
    func descriptor(at now: Instant) -> Int32 {
        guard case .running(let program, _, _, let readsAt) = state, readsAt == .never else {
            return -1
        }
        return program.descriptor
    }

    /// Starts what is due.
    ///
    /// - Parameters:
    ///   - number: the number of the next request.
    ///   - ask: starts a request.
    mutating func begin(
        at now: Instant, _ guardian: Guardian, _ intake: FeedbackIntake, number: inout UInt32,
        ask: (RunID, [ActionField]) -> Void
    ) {
        if case .running(let program, let lines, let since, let readsAt) = state, readsAt <= now {
            state = .running(program, lines: lines, since: since, readsAt: .never)
        }
        guard case .waiting(let until) = state, until <= now else { return }
        switch source {
        case .program(let arguments):
            do throws(FedProgram.Failure) {
                let program = try WatchedProgram.start(arguments, guardian: guardian)
                state = .running(program, lines: ReportLines(), since: now, readsAt: .never)
            } catch {
                intake.lose(
                    source, because: error.explanation,
                    remedy: "`detent doctor` checks it on this machine", at: now)
                retry(at: now)
            }
        case .request(let fields, let every):
            number = number &+ 1
            let run = RunID(number)
            state = .asking(run, nextAt: now + every)
            ask(run, fields)
        case .line, .topic, .control:
            state = .waiting(until: .never)  // others hear these
        }
    }

    private mutating func retry(at now: Instant) {
        state = .waiting(until: now + pause)
        pause = min(pause + pause, RuntimeLimits.feedbackLongestPause)
    }

    /// Its output is readable, or was closed.
    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, _ intake: FeedbackIntake, at now: Instant
    ) {
        guard case .running(let program, var lines, let since, _) = state else { return }
        guard let count = program.read(into: buffer) else {
            program.askToEnd()
            let ending = program.end(within: .zero)
            if now - since >= RuntimeLimits.feedbackLongestPause {
                pause = RuntimeLimits.feedbackFirstPause
            }
            retry(at: now)
            return intake.lose(
                source, because: "\(source.subject) has ended: it \(ending)",
                remedy: "it is started again; let it run as long as the panel, and look for the "
                    + "reason in its messages", at: now)
        }
        if let (line, skipped) = lines.take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
            intake.take(line, from: source, at: now, skipped: skipped)
        }
        state = .running(
            program, lines: lines, since: since, readsAt: now + RuntimeLimits.feedbackGap)
    }

    /// A request has ended; false if it is not one of this source.
    mutating func answered(_ result: ActionResult, _ intake: FeedbackIntake, at now: Instant)
        -> Bool
    {
        guard case .asking(result.run, let nextAt) = state else { return false }
        state = .waiting(until: max(nextAt, now))
        if result.outcome == .succeeded, let answer = result.answer {
            intake.take(answer, from: source, at: now)
        } else {
            intake.lose(
                source, because: "\(source.subject): \(result.explanation)",
                remedy: "it is asked again; see that the service runs and allows the request",
                at: now)
        }
        return true
    }

    /// Asks its program to end; the request that runs, if there is one, is to be cancelled.
    func askToEnd() -> RunID? {
        switch state {
        case .waiting: return nil
        case .running(let program, _, _, _):
            program.askToEnd()
            return nil
        case .asking(let run, _): return run
        }
    }

    /// Waits for the end of its program, and kills it after `span`.
    func end(within span: TimeSpan) {
        if case .running(let program, _, _, _) = state { program.end(within: span) }
    }
}
