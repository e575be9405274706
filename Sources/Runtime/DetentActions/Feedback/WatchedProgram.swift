import CProcess
import DetentPlatform
public import DetentTypes
import Glibc

/// A program whose standard output is read for as long as the panel runs.
///
/// It leads its own process group, which the guardian kills when this process dies.
/// Synchronization: none; one thread.
public struct WatchedProgram: Sendable {
    /// The reading end of its standard output. It does not block.
    public var descriptor: Int32 { output.descriptor }

    /// What it prints on its standard error; the caller reads and ends it.
    package let errors: ErrorLines
    private let output: OutputPipe
    private let process: pid_t
    private let processDescriptor: Int32
    private let guardian: Guardian

    /// Starts a program; no shell reads the arguments.
    ///
    /// - Parameter isSparse: whether it gets `SparseEnvironment` only, not all variables.
    /// - Throws: `FedProgram.Failure` if it cannot be started.
    public static func start(
        _ arguments: [String], guardian: Guardian, isSparse: Bool = false
    ) throws(FedProgram.Failure) -> WatchedProgram {
        let call = ProgramCall(arguments)
        if let problem = StartError(checking: call) {
            throw FedProgram.Failure(explanation: problem.explanation)
        }
        do throws(Errno) {
            return try launch(call, guardian, isSparse)
        } catch {
            throw FedProgram.Failure(
                explanation: StartError(program: arguments[0], error: error).explanation)
        }
    }

    private static func launch(
        _ call: ProgramCall, _ guardian: Guardian, _ isSparse: Bool
    ) throws(Errno) -> WatchedProgram {
        var (output, writingEnd) = try OutputPipe.make().get()
        defer { close(writingEnd) }
        var errors: OutputPipe?
        do throws(Errno) {
            let (errorPipe, errorEnd) = try OutputPipe.make().get()
            defer { close(errorEnd) }
            errors = errorPipe
            let image = ProgramImage(
                call,
                inherited: isSparse
                    ? SparseEnvironment.variables() : ProgramImage.inheritedEnvironment())
            let (process, descriptor) = try image.spawnWatched(
                standardInput: -1, standardOutput: writingEnd, standardError: errorEnd,
                guardian: guardian)
            return WatchedProgram(
                errors: ErrorLines(errorPipe), output: output, process: process,
                processDescriptor: descriptor, guardian: guardian)
        } catch {
            output.discard()
            errors?.discard()
            throw error
        }
    }

    /// Reads once what it has printed.
    ///
    /// - Returns: the number of bytes; 0 if there are none now, and nil if it closed its output.
    public func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 { return count }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : nil
    }

    /// Asks its group to end, without waiting.
    public func askToEnd() {
        kill(-process, SIGTERM)
        // A stopped process (SIGSTOP) receives the signal only when it continues.
        kill(-process, SIGCONT)
    }

    /// Waits until it ends, `span` at most; then its group is killed.
    ///
    /// Call once; nothing else may be called afterwards.
    /// - Returns: how it ended, such as `exited with code 1` or `was killed by signal 9, Killed`.
    @discardableResult
    public func end(within span: TimeSpan) -> String {
        close(descriptor)
        var set = PollSet(capacity: 1)
        _ = set.add(processDescriptor)
        let now = MonotonicClock.now
        _ = set.wait(now: now, until: now + span)
        kill(-process, SIGKILL)
        guardian.forget(process)
        let ending = ProgramEnding(reaping: process)
        close(processDescriptor)
        return ending.clause
    }
}
