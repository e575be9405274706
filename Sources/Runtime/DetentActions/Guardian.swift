import CProcess
public import DetentPlatform
import Glibc

/// A small process that kills the programs of this one when it dies, even by SIGKILL.
///
/// It holds the reading end of a pipe. Each program tells its process group there before it begins,
/// and the supervisor removes it before it reaps the leader. When the kernel closes the writing
/// end, the guardian kills every remaining group. See docs/decisions/0001-process-supervisor.md.
public final class Guardian: Sendable {
    /// The writing end of the pipe.
    let descriptor: Int32

    /// Uses a guardian that already runs.
    ///
    /// - Parameter descriptor: the writing end of its pipe, closed on exec; this object closes it.
    public init(writingTo descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Starts the process.
    ///
    /// - Throws: `PlatformError` if no descriptor or process is available.
    public init() throws(PlatformError) {
        descriptor = detent_guardian_start()
        if descriptor < 0 {
            throw PlatformError(doing: "start the guardian of programs", errno: errno)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Stops guarding a group; call it before its leader is reaped.
    func forget(_ group: pid_t) { detent_guardian_tell(descriptor, -group) }
}
