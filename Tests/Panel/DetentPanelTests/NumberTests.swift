import DetentPanel
import DetentTypes
import TestSupport
import Testing

/// The ends of the ranges of numbers and durations.
@Suite struct NumberTests {
    @Test func digitsAndDecimalsHaveABound() {
        expectEqual(DecimalNumber("123456789012345678")?.digits, 123_456_789_012_345_678)
        expectEqual(DecimalNumber("-0.123456789012")?.decimals, 12)
        #expect(DecimalNumber("0.1234567890123") == nil)
        #expect(DecimalNumber("1.2.3") == nil)
    }

    @Test(arguments: [
        ("2.50", 1, 25), ("2.50", 2, 250), ("2.50", 4, 25_000), ("-2.50", 1, -25), ("7", 0, 7),
        ("0.10", 1, 1),
    ])
    func unitsAreExact(_ text: String, _ decimals: Int, _ units: Int64) {
        expectEqual(DecimalNumber(text)?.units(decimals: decimals), units)
    }

    @Test func whatHasNoUnitsHasNone() throws {
        #expect(try #require(DecimalNumber("2.55")).units(decimals: 1) == nil)
        #expect(try #require(DecimalNumber("2.05")).units(decimals: 0) == nil)
        let large = try #require(DecimalNumber("922337203685477580"))
        expectEqual(large.units(decimals: 1), 9_223_372_036_854_775_800)
        #expect(large.units(decimals: 2) == nil)
    }

    @Test(arguments: [
        (5, 0, "5"), (-5, 1, "-0.5"), (0, 2, "0.00"), (100, 2, "1.00"), (12_345, 3, "12.345"),
        (99, 2, "0.99"), (-1_000, 3, "-1.000"),
    ])
    func unitsAreWritten(_ units: Int64, _ decimals: Int, _ text: String) {
        expectEqual(DecimalNumber.text(units: units, decimals: decimals), text)
    }

    @Test(arguments: [
        (TimeSpan.zero, "0s"), (.nanoseconds(12_000_000_001), "12.000000001s"),
        (.milliseconds(1_500), "1.5s"), (.seconds(100), "100s"), (.milliseconds(10), "0.01s"),
        (.nanoseconds(999_999_999), "0.999999999s"),
    ])
    func momentsAreWrittenInSeconds(_ span: TimeSpan, _ text: String) {
        expectEqual(DurationText.seconds(span), text)
    }

    @Test(arguments: [
        (TimeSpan.seconds(7_200), "2h"), (.microseconds(1_001), "1001us"), (.nanoseconds(7), "7ns"),
        (.seconds(5_400), "90min"), (.seconds(1), "1s"),
    ])
    func durationsHaveTheLargestUnit(_ span: TimeSpan, _ text: String) {
        expectEqual(DurationText.text(span), text)
    }

    @Test func theLongestDurationIsRead() throws {
        expectEqual(try DurationText.parse("5124095h").nanoseconds, 18_446_742_000_000_000_000)
        #expect(throws: DurationText.Failure.tooLong) { try DurationText.parse("5124096h") }
        #expect(throws: DurationText.Failure.tooLong) { try DurationText.parse("5124095.9h") }
        expectEqual(try DurationText.parse("0.000000001s").nanoseconds, 1)
        #expect(throws: DurationText.Failure.malformed) { try DurationText.parse(".") }
        #expect(throws: DurationText.Failure.malformed) { try DurationText.parse("-") }
    }
}
