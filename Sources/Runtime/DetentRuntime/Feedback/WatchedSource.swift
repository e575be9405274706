import DetentActions
import DetentPanel
import DetentPlatform
import DetentTypes

/// One feed that this process keeps alive: a program that runs, or a request that is repeated.
///
/// Synchronization: none; one thread.
struct WatchedSource {
    /// How the output of a program is cut into reports.
    private enum Output {
        /// All of it is for one source.
        case whole(ReportLines)
        case numbered(NumberedLines)
    }

    private enum State {
        /// A program, or the next request, starts at a moment.
        case waiting(until: Instant)
        case running(WatchedProgram, output: Output, since: Instant, readsAt: Instant)
        /// A request is under way since a moment; the next one starts at another, or later.
        case asking(RunID, since: Instant, nextAt: Instant)
    }

    let feed: WatchedFeed
    private var state: State
    /// What its program prints on standard error; nil while none runs.
    private var errors: ErrorLines?
    /// When a service is asked again apart from its times, because an action has ended.
    private var againAt = Instant.never
    /// How long it waits after the next end of the program.
    private var pause = RuntimeLimits.feedbackFirstPause

    /// Starts at once.
    init(_ feed: WatchedFeed, at now: Instant) {
        self.feed = feed
        state = .waiting(until: now)
    }

    /// When `begin` or `read` is needed without news; `never` while it waits for news only.
    var deadline: Instant {
        switch state {
        case .waiting(let until): until
        case .running(_, _, _, let readsAt): min(readsAt, errors?.deadline ?? .never)
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

    /// The standard error to wait for, as `descriptor` is the output.
    func errorDescriptor(at now: Instant) -> Int32 { errors?.descriptor(at: now) ?? -1 }

    /// Passes on what its program has printed on standard error.
    ///
    /// - Parameter isReady: whether something may have come.
    mutating func readErrors(
        into buffer: UnsafeMutableRawBufferPointer, isReady: Bool, _ intake: FeedbackIntake,
        at now: Instant
    ) {
        guard isReady || (errors?.deadline ?? .never) <= now,
            let lines = errors?.read(into: buffer, at: now)
        else { return }
        report(lines, intake)
    }

    private func report(_ lines: [String], _ intake: FeedbackIntake) {
        for line in lines { intake.receiveError(line, of: feed.sources) }
    }

    private mutating func endErrors(_ intake: FeedbackIntake, at now: Instant) {
        if let lines = errors?.end(at: now) { report(lines, intake) }
        errors = nil
    }

    /// Starts what is due.
    ///
    /// - Parameters:
    ///   - listener: the program and the first arguments of the listener for messages.
    ///   - number: the number of the next request.
    ///   - ask: starts a request.
    mutating func begin(
        at now: Instant, _ guardian: Guardian, _ intake: FeedbackIntake, listener: [String],
        number: inout UInt32, ask: (RunID, [ActionField]) -> Void
    ) {
        if case .running(let program, let output, let since, let readsAt) = state, readsAt <= now {
            state = .running(program, output: output, since: since, readsAt: .never)
        }
        guard case .waiting(let until) = state, until <= now else { return }
        switch feed {
        case .source(.program(let arguments)):
            start(arguments, .whole(ReportLines()), at: now, guardian, intake)
        case .source(.request(let fields, let every)):
            number = number &+ 1
            let run = RunID(number)
            if againAt <= now { againAt = .never }
            state = .asking(run, since: now, nextAt: min(now + every, againAt))
            ask(run, fields)
        case .source(.line), .source(.topic), .source(.control), .source(.message),
            .source(.wire):
            state = .waiting(until: .never)  // others hear these
        case .messages(let place, let sources):
            let wanted = sources.flatMap { source -> [String] in
                guard case .message(let address, let argument, _) = source else { return [] }
                return [address, String(argument)]
            }
            start(
                listener + [place.text] + wanted, .numbered(NumberedLines()), at: now, guardian,
                intake)
        }
    }

    private mutating func start(
        _ arguments: [String], _ output: Output, at now: Instant, _ guardian: Guardian,
        _ intake: FeedbackIntake
    ) {
        do throws(FedProgram.Failure) {
            let program = try WatchedProgram.start(
                arguments, guardian: guardian, isSparse: isOfThisProgram)
            state = .running(program, output: output, since: now, readsAt: .never)
            errors = program.errors
        } catch {
            lose(
                intake, because: error.explanation,
                remedy: "`detent doctor` checks it on this machine", at: now)
            retry(at: now)
        }
    }

    /// Whether it is a part of this program, which reads what strangers send.
    private var isOfThisProgram: Bool { if case .messages = feed { true } else { false } }

    /// All its sources are gone.
    private func lose(
        _ intake: FeedbackIntake, because cause: String, remedy: String, at now: Instant
    ) {
        for source in feed.sources {
            intake.lose(source, because: cause, remedy: remedy, at: now)
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
        guard case .running(let program, let output, let since, _) = state else { return }
        guard let count = program.read(into: buffer) else {
            program.askToEnd()
            let ending = program.end(within: .zero)
            endErrors(intake, at: now)
            if now - since >= RuntimeLimits.feedbackLongestPause {
                pause = RuntimeLimits.feedbackFirstPause
            }
            retry(at: now)
            return lose(
                intake, because: "\(feed.subject) has ended: it \(ending)", remedy: feed.advice,
                at: now)
        }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        state = .running(
            program, output: pass(bytes, output, intake, at: now), since: since,
            readsAt: now + RuntimeLimits.feedbackGap)
    }

    /// Passes on the reports in a piece of its output; returns what is left of it.
    private func pass(
        _ bytes: UnsafeRawBufferPointer, _ output: Output, _ intake: FeedbackIntake,
        at now: Instant
    ) -> Output {
        switch output {
        case .whole(var lines):
            for line in lines.take(bytes) { intake.receive(line, from: feed.sources[0], at: now) }
            return .whole(lines)
        case .numbered(var lines):
            for line in lines.take(bytes, count: feed.sources.count) {
                intake.receive(line.report, from: feed.sources[line.source], at: now)
            }
            return .numbered(lines)
        }
    }

    /// A request has ended; false if it is not one of this source.
    mutating func answered(_ result: ActionResult, _ intake: FeedbackIntake, at now: Instant)
        -> Bool
    {
        guard case .asking(result.run, let since, let nextAt) = state,
            let source = feed.sources.first
        else { return false }
        state = .waiting(until: max(nextAt, now))
        if result.outcome == .succeeded, let answer = result.answer {
            intake.receive(answer, from: source, at: now, asked: since)
        } else {
            intake.lose(
                source, because: "\(source.subject): \(result.explanation)",
                remedy: "it is asked again; see that the service runs and allows the request",
                at: now)
        }
        return true
    }

    /// An action of a control that it reports has ended: the next request starts at this
    /// moment at the latest.
    mutating func askAgain(at moment: Instant) {
        guard case .source(.request) = feed else { return }
        againAt = moment
        switch state {
        case .waiting(let until): state = .waiting(until: min(until, moment))
        case .asking(let run, let since, let nextAt):
            state = .asking(run, since: since, nextAt: min(nextAt, moment))
        case .running: break
        }
    }

    /// Asks its program to end; the request that runs, if there is one, is to be cancelled.
    func askToEnd() -> RunID? {
        switch state {
        case .waiting: return nil
        case .running(let program, _, _, _):
            program.askToEnd()
            return nil
        case .asking(let run, _, _): return run
        }
    }

    /// Waits for the end of its program, and kills it after `span`.
    mutating func end(within span: TimeSpan, _ intake: FeedbackIntake) {
        if case .running(let program, _, _, _) = state { program.end(within: span) }
        endErrors(intake, at: MonotonicClock.now)
    }
}
