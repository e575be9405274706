import CProcess
import DetentPlatform
import Glibc

/// A small process that kills the programs of this one when it dies, even by SIGKILL.
///
/// It holds the reading end of a pipe. Each program tells its process group there before it begins,
/// and the supervisor removes it before it reaps the leader. When the kernel closes the writing
/// end, the guardian kills every remaining group. See docs/decisions/0001-process-supervisor.md.
final class Guardian: Sendable {
    /// The writing end of the pipe.
    let descriptor: Int32

    /// Starts the process.
    ///
    /// - Throws: `PlatformError` if no descriptor or process is available.
    init() throws(PlatformError) {
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
