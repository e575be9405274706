import CProcess
import DetentTypes
import Glibc

/// An eventfd: any thread rings it, one thread sleeps on it.
///
/// Rings that come before the sleeper looks count as one. Ringing and clearing allocate nothing
/// and never block.
final class WakeUp: Sendable {
    /// Readable while it has rung and was not cleared.
    let descriptor: Int32

    /// Opens the descriptor.
    ///
    /// - Throws: `ActionError` when the process has no descriptor left.
    init() throws(ActionError) {
        descriptor = detent_eventfd()
        if descriptor < 0 {
            throw ActionError(doing: "open an eventfd", errno: errno)
        }
    }

    deinit {
        close(descriptor)
    }

    func ring() {
        var one: UInt64 = 1
        // A full counter (EAGAIN) has rung already.
        _ = write(descriptor, &one, 8)
    }

    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }

    /// Sleeps until it rings or `deadline` has come.
    func wait(until deadline: Instant = .never) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, milliseconds(from: MonotonicClock.now, until: deadline))
    }
}

/// The argument for `poll` that wakes at `deadline` or up to a millisecond later; -1 for never.
func milliseconds(from now: Instant, until deadline: Instant) -> Int32 {
    if deadline == .never { return -1 }
    let remaining = (deadline - now).nanoseconds
    let rounded = remaining / 1_000_000 + (remaining % 1_000_000 == 0 ? 0 : 1)
    return Int32(min(rounded, 3_600_000))
}
