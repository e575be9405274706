/// A moment on the monotonic clock, in nanoseconds since that clock's zero.
///
/// On Linux the zero is boot; in a replay or a scenario it is the start. Arithmetic saturates: no
/// input can make it trap or wrap.
public struct Instant: Equatable, Comparable, Sendable, BitwiseCopyable {
    /// Nanoseconds since the clock's zero.
    public var nanoseconds: UInt64

    /// Makes a moment by its distance from the clock's zero, in nanoseconds.
    @inlinable
    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The clock's zero.
    @inlinable
    public static var zero: Instant { Instant(nanoseconds: 0) }

    /// A moment that never comes; the deadline of a machine that waits for nothing.
    @inlinable
    public static var never: Instant { Instant(nanoseconds: .max) }

    /// Whether a moment comes before another.
    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The moment `span` later; `never` where the sum does not fit.
    @inlinable
    public static func + (instant: Instant, span: TimeSpan) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span.nanoseconds)
        return Instant(nanoseconds: overflow ? .max : sum)
    }

    /// The time from `earlier` to `later`; zero where `earlier` is not earlier.
    @inlinable
    public static func - (later: Instant, earlier: Instant) -> TimeSpan {
        later > earlier
            ? TimeSpan(nanoseconds: later.nanoseconds &- earlier.nanoseconds) : .zero
    }
}
