public import DetentTypes
import Glibc

/// The time of day, for what people read. It can jump; nothing is measured with it.
public enum WallClock {
    /// The time of day of an instant of `MonotonicClock`, in milliseconds since 1970, UTC.
    ///
    /// If the clock was set after that instant, the result is by the new time.
    public static func milliseconds(of instant: Instant) -> Int64 {
        var day = timespec()
        clock_gettime(CLOCK_REALTIME, &day)
        let now = Int64(day.tv_sec) * 1_000 + Int64(day.tv_nsec) / 1_000_000
        let age = MonotonicClock.now.nanoseconds.subtractingReportingOverflow(instant.nanoseconds)
        return age.overflow ? now : now - Int64(age.partialValue / 1_000_000)
    }
}
