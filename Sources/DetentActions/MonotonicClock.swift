public import DetentTypes
import Glibc

/// The clock that stamps everything: CLOCK_MONOTONIC of the kernel, zero at boot.
public enum MonotonicClock {
    /// The present moment; safe on any thread, allocates nothing.
    public static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(
            nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
    }
}
