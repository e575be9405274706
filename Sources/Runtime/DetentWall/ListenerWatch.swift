import CWall
import Glibc

/// Notices that a connection has come to a listening socket, which another process accepts from.
///
/// It is woken once for each arrival, and costs nothing while none comes.
/// Synchronization: none; one thread.
final class ListenerWatch {
    /// Readable when a connection has come.
    let descriptor: Int32

    /// Watches a socket; nil if the system has no descriptor for it. Then nothing is noticed.
    init?(_ socket: Int32) {
        descriptor = detent_wall_watch(socket)
        if descriptor < 0 { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Whether a connection has come since the last call.
    func popArrival() -> Bool { detent_wall_came(descriptor) }
}
