/// A length of time in whole nanoseconds, never negative.
///
/// Arithmetic saturates: no input can make it trap or wrap. The largest span is about 584 years.
public struct TimeSpan: Equatable, Comparable, Sendable, BitwiseCopyable {
    /// The length in nanoseconds.
    public var nanoseconds: UInt64

    /// Makes a span of a number of nanoseconds.
    @inlinable
    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// No time at all.
    @inlinable
    public static var zero: TimeSpan { TimeSpan(nanoseconds: 0) }

    /// A number of nanoseconds.
    @inlinable
    public static func nanoseconds(_ count: UInt64) -> TimeSpan {
        TimeSpan(nanoseconds: count)
    }

    /// A number of microseconds; saturates.
    @inlinable
    public static func microseconds(_ count: UInt64) -> TimeSpan {
        TimeSpan(nanoseconds: saturatingProduct(count, 1_000))
    }

    /// A number of milliseconds; saturates.
    @inlinable
    public static func milliseconds(_ count: UInt64) -> TimeSpan {
        TimeSpan(nanoseconds: saturatingProduct(count, 1_000_000))
    }

    /// A number of seconds; saturates.
    @inlinable
    public static func seconds(_ count: UInt64) -> TimeSpan {
        TimeSpan(nanoseconds: saturatingProduct(count, 1_000_000_000))
    }

    /// Whether a span is shorter than another.
    @inlinable
    public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The sum; saturates.
    @inlinable
    public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
        return TimeSpan(nanoseconds: overflow ? .max : sum)
    }

    /// The span taken `count` times; saturates.
    @inlinable
    public static func * (span: TimeSpan, count: UInt64) -> TimeSpan {
        TimeSpan(nanoseconds: saturatingProduct(span.nanoseconds, count))
    }

    /// By halves: a product that reports its overflow needs 128 bits, which is a library call on
    /// processors of 32 bits and in WebAssembly.
    @inlinable
    static func saturatingProduct(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let leftHigh = left >> 32
        let rightHigh = right >> 32
        if leftHigh != 0, rightHigh != 0 { return .max }
        let leftLow = left & 0xFFFF_FFFF
        let rightLow = right & 0xFFFF_FFFF
        let cross = leftHigh &* rightLow &+ leftLow &* rightHigh
        if cross >> 32 != 0 { return .max }
        let (sum, overflow) = (cross << 32).addingReportingOverflow(leftLow &* rightLow)
        return overflow ? .max : sum
    }
}
