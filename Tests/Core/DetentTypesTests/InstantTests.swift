import DetentTypes
import TestSupport
import Testing

/// Arithmetic of time saturates: no input can make it trap or wrap.
@Suite struct InstantTests {
    @Test func sumsAndDifferences() {
        let start = Instant(nanoseconds: 5)
        expectEqual(start + .nanoseconds(7), Instant(nanoseconds: 12))
        expectEqual(Instant(nanoseconds: 12) - start, .nanoseconds(7))
        expectEqual(start - Instant(nanoseconds: 12), .zero)
        expectEqual(Instant.never + .seconds(1), .never)
        expectEqual(Instant(nanoseconds: .max - 1) + .nanoseconds(3), .never)
        #expect(start < .never && !(Instant.never < .never))
    }

    @Test func unitsAndSaturation() {
        expectEqual(TimeSpan.microseconds(3), .nanoseconds(3_000))
        expectEqual(TimeSpan.milliseconds(3), .microseconds(3_000))
        expectEqual(TimeSpan.seconds(3), .milliseconds(3_000))
        expectEqual(TimeSpan.seconds(.max), TimeSpan(nanoseconds: .max))
        expectEqual(TimeSpan.seconds(.max) + .seconds(1), TimeSpan(nanoseconds: .max))
        expectEqual(TimeSpan.seconds(2) * 3, .seconds(6))
        expectEqual(TimeSpan.seconds(2) * .max, TimeSpan(nanoseconds: .max))
    }

    @Test func productsAgreeWithWiderArithmetic() {
        let parts: [UInt64] = [
            0, 1, 2, 999, 1_000_000, 0xFFFF_FFFF, 0x1_0000_0000, 0x1_0000_0001, 0xFFFF_FFFF_0000,
            .max / 1_000_000, .max / 1_000_000 + 1, .max / 2, .max / 2 + 1, .max - 1, .max,
        ]
        for left in parts {
            for right in parts {
                let (product, overflow) = left.multipliedReportingOverflow(by: right)
                let span = TimeSpan(nanoseconds: left) * right
                expectEqual(span.nanoseconds, (overflow ? .max : product), "\(left) * \(right)")
            }
        }
    }

    @Test func levelsAndValues() {
        #expect(Level.active.opposite == .inactive && Level.inactive.opposite == .active)
        #expect(Level(true) == .active && Level(false) == .inactive)
        #expect(Value.unknown != .off && Value.unknown != .mixed && Value.up == Value(2))
        #expect(LineID(1) < LineID(2) && ControlID(1) < ControlID(2))
    }
}
