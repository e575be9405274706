import CProcess
import DetentPlatform
public import DetentTypes
import Glibc

/// A program that reads its standard input for as long as the panel runs.
///
/// It leads its own process group, which the guardian kills when this process dies.
/// Synchronization: none; one thread.
public struct FedProgram: Sendable {
    /// The writing end of its standard input. It does not block, and reports an error when the
    /// program has ended.
    public let descriptor: Int32
    /// What it prints on its standard error; the caller reads and ends it.
    package let errors: ErrorLines
    private let process: pid_t
    private let processDescriptor: Int32
    private let guardian: Guardian

    /// Why a program was not started.
    public struct Failure: Error, Equatable, Sendable {
        /// The cause and the remedy, in one line.
        public var explanation: String
    }

    /// Starts a program; no shell reads the arguments.
    ///
    /// - Throws: `Failure` if it cannot be started.
    public static func start(
        _ arguments: [String], guardian: Guardian
    ) throws(Failure) -> FedProgram {
        let call = ProgramCall(arguments)
        if let problem = StartError(checking: call) {
            throw Failure(explanation: problem.explanation)
        }
        do throws(Errno) {
            return try launch(call, guardian)
        } catch {
            throw Failure(
                explanation: StartError(program: arguments[0], error: error).explanation)
        }
    }

    /// Looks whether a program could be started: nil if so, else the cause and the remedy.
    public static func check(_ arguments: [String]) -> (cause: String, remedy: String)? {
        guard let program = arguments.first else { return nil }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
        let paths =
            program.contains("/")
            ? [program] : folders.split(separator: ":").map { "\($0)/\(program)" }
        if paths.contains(where: { access($0, X_OK) == 0 }) { return nil }
        let isFound = paths.contains { access($0, F_OK) == 0 }
        return isFound
            ? (
                "`\(program)` cannot be executed",
                "make it executable (chmod +x) for the user that runs Detent"
            )
            : ("there is no program `\(program)`", "install it, or write its full path")
    }

    private static func launch(
        _ call: ProgramCall, _ guardian: Guardian
    ) throws(Errno) -> FedProgram {
        var ends: (Int32, Int32) = (-1, -1)
        let error = withUnsafeMutableBytes(of: &ends) { bytes in
            // The tuple has the layout that the call needs: two Int32.
            detent_pipe(bytes.assumingMemoryBound(to: Int32.self).baseAddress!)
        }
        if error != 0 { throw Errno(number: errno) }
        defer { close(ends.0) }
        _ = fcntl(ends.1, F_SETFL, O_NONBLOCK)
        var errors: OutputPipe?
        do throws(Errno) {
            let (errorPipe, errorEnd) = try OutputPipe.make().get()
            defer { close(errorEnd) }
            errors = errorPipe
            let image = ProgramImage(call, inherited: ProgramImage.inheritedEnvironment())
            let (process, descriptor) = try image.spawnWatched(
                standardInput: ends.0, standardOutput: -1, standardError: errorEnd,
                guardian: guardian)
            return FedProgram(
                descriptor: ends.1, errors: ErrorLines(errorPipe), process: process,
                processDescriptor: descriptor, guardian: guardian)
        } catch {
            close(ends.1)
            errors?.discard()
            throw error
        }
    }

    /// Closes its standard input, and waits until it ends; after `span`, its group is killed.
    ///
    /// Call once; nothing else may be called afterwards.
    public func end(within span: TimeSpan) {
        close(descriptor)
        var set = PollSet(capacity: 1)
        _ = set.add(processDescriptor)
        let now = MonotonicClock.now
        _ = set.wait(now: now, until: now + span)
        kill(-process, SIGKILL)
        guardian.forget(process)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        close(processDescriptor)
    }
}
