import DetentTypes
import TestSupport
import Testing

/// Numbers as devices and other programs write them.
@Suite struct NearestDecimalTests {
    @Test(arguments: [
        ("0", 2, 0 as Int64?), ("1", 2, 100), ("-1.5", 1, -15), ("+2", 0, 2), ("0.7498", 2, 75),
        ("26.666666666666664", 1, 267), ("0.10000000149011612", 2, 10), ("2.15e1", 1, 215),
        ("1E2", 0, 100), ("1e-05", 4, 0), ("5e-3", 2, 1), ("0.5", 0, 1), ("-0.5", 0, -1),
        ("0.49999999999999999999999999", 0, 0), ("1e300", 0, nil), ("0e300", 3, 0),
        ("99999999999999999", 0, 99_999_999_999_999_999), ("999999999999999999", 0, nil),
        ("", 0, nil), ("-", 0, nil), (".5", 0, nil), ("5.", 0, nil), ("1,5", 0, nil),
        ("1e", 0, nil), ("1e1000", 0, nil), ("0x10", 0, nil), ("nan", 0, nil), ("1 ", 0, nil),
        ("--1", 0, nil), ("1.2.3", 0, nil),
    ])
    func theNearestIsFound(text: String, decimals: Int, expected: Int64?) {
        expectEqual(NearestDecimal.units(text.utf8, decimals: decimals), expected, "\(text)")
    }
}
