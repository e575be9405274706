internal import DetentTypes
internal import Glibc

/// Reads the clock of the kernel's edge timestamps.
@inline(__always)
func monotonicNow() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(
        nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
}
