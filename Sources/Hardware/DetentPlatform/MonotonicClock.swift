public import DetentTypes
public import Glibc

/// The clock of all timestamps: CLOCK_MONOTONIC of the kernel, zero at boot.
public enum MonotonicClock {
    /// The current time; safe on any thread, does not allocate and makes no system call.
    @inlinable
    public static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(
            nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
    }
}
