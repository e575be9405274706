import CPlatform
public import DetentTypes
import Glibc

/// An eventfd: any thread rings it, one thread sleeps on it.
///
/// Rings that come before the sleeper looks count as one. Ringing and clearing allocate nothing
/// and never block.
public final class WakeUp: Sendable {
    /// Readable while it has rung and was not cleared.
    public let descriptor: Int32

    /// Opens the descriptor.
    ///
    /// - Throws: `PlatformError` when the process has no descriptor left.
    public init() throws(PlatformError) {
        descriptor = detent_eventfd()
        if descriptor < 0 {
            throw PlatformError(doing: "open an eventfd", errno: errno)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Wakes the sleeper.
    public func ring() {
        var one: UInt64 = 1
        // A full counter (EAGAIN) has rung already.
        _ = write(descriptor, &one, 8)
    }

    /// Forgets every ring so far.
    public func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }

    /// Sleeps until it rings or `deadline` has come.
    public func wait(until deadline: Instant = .never) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = detent_poll(&entry, 1, MonotonicClock.now.nanoseconds, deadline.nanoseconds)
    }
}
