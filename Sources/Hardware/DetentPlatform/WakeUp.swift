import CPlatform
public import DetentTypes
import Glibc

/// An eventfd: any thread rings it; one thread sleeps on it.
///
/// Several rings before the thread wakes count as one. Ringing and clearing do not allocate or
/// block.
public final class WakeUp: Sendable {
    /// Readable after a ring, until it is cleared.
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
        // If the counter is full (EAGAIN), the descriptor is already readable.
        _ = write(descriptor, &one, 8)
    }

    /// Forgets every ring so far.
    public func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }

    /// Sleeps until a ring, or until `deadline`.
    ///
    /// - Parameter isExact: false if the wait may end up to `WakeTime.mostSlack` late, which saves
    ///   wake-ups.
    public func wait(until deadline: Instant = .never, isExact: Bool = false) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = WakeTime.wait(now: MonotonicClock.now, until: deadline, isExact: isExact) { now, end in
            detent_poll(&entry, 1, now.nanoseconds, end.nanoseconds)
        }
    }
}
