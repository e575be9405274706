import CProcess
import DetentPlatform
import DetentTypes
import Glibc

/// A running program: its process group, its pipes, and when it is stopped.
///
/// The leader is reaped only in `end`, after the last signal to the group. So no other process can
/// have its number when the signal is sent.
struct RunningProgram {
    private enum State: Equatable {
        case running(deadline: Instant)
        /// It was asked to end, and is killed at `killAt`.
        case ending(ActionOutcome, killAt: Instant)
        case killed(ActionOutcome)
    }

    let request: ActionRequest
    let tell: @Sendable (AttemptEvent) -> Void
    /// Becomes readable when the leader has ended.
    let processDescriptor: Int32
    var standardError: OutputPipe
    var standardOutput: OutputPipe?
    private let process: pid_t
    private let guardian: Guardian
    private let startedAt: Instant
    private var state: State

    /// Starts a program and tells that it began.
    ///
    /// - Returns: the program, or why it was not started.
    static func start(
        _ request: ActionRequest, _ call: ProgramCall, inherited: [[CChar]], guardian: Guardian,
        tell: @escaping @Sendable (AttemptEvent) -> Void
    ) -> Result<RunningProgram, StartError> {
        if let problem = StartError(checking: call) { return .failure(problem) }
        let program = call.arguments[0]
        let started = launch(
            call, keepsAnswer: request.keepsAnswer, inherited: inherited, guardian: guardian)
        switch started {
        case .failure(let error):
            return .failure(StartError(program: program, error: error))
        case .success(let launched):
            let now = MonotonicClock.now
            tell(.began(at: now))
            return .success(RunningProgram(request, launched, guardian, at: now, tell: tell))
        }
    }

    private struct Launched {
        var process: pid_t
        var descriptor: Int32
        var standardError: OutputPipe
        var standardOutput: OutputPipe?
    }

    private static func launch(
        _ call: ProgramCall, keepsAnswer: Bool, inherited: [[CChar]], guardian: Guardian
    ) -> Result<Launched, Errno> {
        do throws(Errno) {
            var (standardError, errorEnd) = try OutputPipe.make().get()
            defer { close(errorEnd) }
            var standardOutput: OutputPipe?
            var outputEnd: Int32 = -1
            defer { if outputEnd >= 0 { close(outputEnd) } }
            var input: Int32 = -1
            defer { if input >= 0 { close(input) } }
            do throws(Errno) {
                if call.keepsStandardOutput || keepsAnswer || call.outputLimit != nil {
                    (standardOutput, outputEnd) = try OutputPipe.make(limit: call.outputLimit)
                        .get()
                }
                if let bytes = call.standardInput {
                    input = detent_memory_file(bytes, bytes.count)
                    if input < 0 { throw Errno(number: errno) }
                }
                let image = ProgramImage(call, inherited: inherited)
                let (process, descriptor) = try image.spawnWatched(
                    standardInput: input, standardOutput: outputEnd, standardError: errorEnd,
                    guardian: guardian)
                return .success(
                    Launched(
                        process: process, descriptor: descriptor, standardError: standardError,
                        standardOutput: standardOutput))
            } catch {
                standardError.discard()
                standardOutput?.discard()
                throw error
            }
        } catch {
            return .failure(error)
        }
    }

    private init(
        _ request: ActionRequest, _ launched: Launched, _ guardian: Guardian, at now: Instant,
        tell: @escaping @Sendable (AttemptEvent) -> Void
    ) {
        self.request = request
        self.tell = tell
        self.guardian = guardian
        processDescriptor = launched.descriptor
        standardError = launched.standardError
        standardOutput = launched.standardOutput
        process = launched.process
        startedAt = now
        state = .running(deadline: request.timeout.map { now + $0 } ?? .never)
    }

    /// When `tick` is needed.
    var deadline: Instant {
        switch state {
        case .running(let deadline): deadline
        case .ending(_, let killAt): killAt
        case .killed: .never
        }
    }

    /// Asks the whole group to end, unless it was already asked or the leader has ended.
    mutating func stop(_ outcome: ActionOutcome, at now: Instant) {
        switch state {
        case .running:
            if hasEnded { return }
            kill(-process, SIGTERM)
            // A stopped process (SIGSTOP) receives the signal only when it continues.
            kill(-process, SIGCONT)
            state = .ending(outcome, killAt: now + ActionLimits.killGrace)
        case .ending, .killed:
            return
        }
    }

    /// Does what is due: the timeout, or the kill after the grace time.
    mutating func tick(at now: Instant) {
        if now < deadline { return }
        switch state {
        case .running:
            stop(.timedOut, at: now)
            // The leader has just ended; its descriptor leads to `end`.
            if case .running = state { state = .running(deadline: .never) }
        case .ending(let outcome, _):
            kill(-process, SIGKILL)
            state = .killed(outcome)
        case .killed:
            return
        }
    }

    /// Kills the group and reports an unknown outcome, because Detent ends before the program.
    func abandon() {
        kill(-process, SIGKILL)
        let result = ActionResult(
            run: request.run, outcome: .lost,
            explanation: "killed; Detent ended before the program",
            startedAt: startedAt, endedAt: MonotonicClock.now,
            standardErrorTail: standardError.tail.text,
            standardOutputTail: standardOutput?.tail.text)
        tell(.ended(result))
    }

    /// Whether the leader has ended and can be reaped.
    var hasEnded: Bool {
        var entry = pollfd(fd: processDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Reaps the leader, closes everything and returns the result; call it once, when `hasEnded`.
    ///
    /// If the group was being stopped, its remaining processes are killed. A program that was not
    /// stopped may leave other processes running.
    mutating func end(with buffer: UnsafeMutableRawBufferPointer) -> ActionResult {
        let now = MonotonicClock.now
        let stopped: ActionOutcome?
        switch state {
        case .running: stopped = nil
        case .ending(let outcome, _), .killed(let outcome):
            stopped = outcome
            kill(-process, SIGKILL)
        }
        standardError.finish(with: buffer)
        standardOutput?.finish(with: buffer)
        guardian.forget(process)
        let ending = ProgramEnding(reaping: process)
        close(processDescriptor)
        var result = ActionResult(
            run: request.run, outcome: stopped ?? ending.outcome,
            explanation: ending.explanation(stopped: stopped, timeout: request.timeout),
            startedAt: startedAt, endedAt: now, standardErrorTail: standardError.tail.text,
            standardOutputTail: standardOutput?.tail.text,
            answer: request.keepsAnswer ? standardOutput?.head : nil)
        result.isOutputCut = standardOutput?.isOverfull ?? false
        return result
    }
}
