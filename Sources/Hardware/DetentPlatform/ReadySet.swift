import CPlatform
import Glibc

/// Many sockets that one thread waits for, by epoll: the cost follows what is ready.
///
/// Synchronization: none; one thread. A socket leaves the set when it is closed.
package final class ReadySet {
    /// A socket that is ready.
    package struct Ready {
        /// What was given with the socket.
        package var token: UInt64
        /// There is something to read, or the connection is over.
        package var isReadable: Bool
        /// There is room to write.
        package var isWritable: Bool
    }

    /// Readable while any of the sockets is ready.
    package let descriptor: Int32
    private var ready = [detent_ready](
        repeating: detent_ready(), count: DETENT_READY_MOST)

    /// Makes an empty set.
    ///
    /// - Throws: `PlatformError` if no descriptor is available.
    package init() throws(PlatformError) {
        descriptor = detent_ready_open()
        if descriptor < 0 { throw PlatformError(doing: "open an epoll set", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Adds a socket, or changes what it is waited for.
    package func set(_ socket: Int32, token: UInt64, writes: Bool, isNew: Bool) {
        _ = detent_ready_set(descriptor, socket, token, writes, isNew)
    }

    /// Passes on the sockets that are ready now, 256 at most.
    package func forEach(_ body: (Ready) -> Void) {
        let count = detent_ready_take(descriptor, &ready, Int32(ready.count))
        guard count > 0 else { return }
        for event in ready[..<Int(count)] {
            body(
                Ready(
                    token: event.token, isReadable: event.is_readable, isWritable: event.is_writable
                ))
        }
    }
}
