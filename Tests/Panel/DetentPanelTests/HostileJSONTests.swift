import DetentPanel
import TestSupport
import Testing

/// JSON that is made to confuse a reader: each case has one answer, and keeps its bounds.
@Suite struct HostileJSONTests {
    private func read(_ bytes: [UInt8]) -> String {
        do throws(JSONReader.Problem) {
            return try JSONReader.read(bytes).line
        } catch {
            return "\(error.offset): \(error.cause)"
        }
    }

    private static let tooDeep = "objects and arrays are nested too deep"
    private static let half = "unpaired surrogate"

    /// A number is the text that came, so that it can be compared with the steps of a dial.
    @Test(arguments: [
        "0.1", "-0", "-0.0", "1e400", "-1E-400", "12345678901234567890123",
        "9007199254740993", "0.1000000000000000055511151231257827", "1.0", "1.10", "1e2",
    ])
    func numbersStayAsTheyCame(number: String) {
        expectEqual(read(Array(number.utf8)), number)
        expectEqual(read(Array("[\(number)]".utf8)), "[\(number)]")
    }

    @Test(arguments: [
        ("1e400", nil as Int?), ("12345678901234567890123", nil), ("9223372036854775808", nil),
        ("9223372036854775807", .max), ("-9223372036854775808", .min), ("1.0", nil), ("1e2", nil),
        ("-0", 0),
    ])
    func wholeNumbersAreExactOrNone(text: String, whole: Int?) throws {
        expectEqual(try JSONReader.read(Array(text.utf8)).whole, whole)
    }

    @Test(arguments: [
        ("+1", 0), (".5", 0), ("00", 1), ("-01", 2), ("1.e1", 2), ("1e", 2), ("1e+", 3),
        ("0x10", 1), ("Infinity", 0), ("-Infinity", 1), ("NaN", 0), ("1_000", 1), ("--1", 1),
        ("１", 0),
    ])
    func whatOnlyLooksLikeANumberIsRefused(text: String, offset: Int) {
        guard case .failure(let problem) = result(text) else {
            Issue.record("\(text) was read")
            return
        }
        expectEqual(problem.offset, offset)
    }

    private func result(_ text: String) -> Result<JSONValue, JSONReader.Problem> {
        Result { () throws(JSONReader.Problem) in try JSONReader.read(Array(text.utf8)) }
    }

    /// Two readers could take such an object for two different requests.
    @Test(arguments: [
        ("{\"a\": 1, \"a\": 2}", 9), ("{\"a\":1,\"a\":1}", 7),
        ("{\"a\":1,\"b\":2,\"\\u0061\":3}", 13),
        ("[{\"\": 1, \"\": 2}]", 9),
    ])
    func oneNameTwiceIsRefused(text: String, offset: Int) {
        expectEqual(read(Array(text.utf8)), "\(offset): the object has this name twice")
    }

    @Test func oneNameInTwoObjectsIsFine() {
        expectEqual(
            read(Array("{\"a\":{\"a\":[{\"a\":1}]}}".utf8)), "{\"a\": {\"a\": [{\"a\": 1}]}}")
        expectEqual(read(Array("[{\"a\":1},{\"A\":2}]".utf8)), "[{\"a\": 1}, {\"A\": 2}]")
    }

    @Test(arguments: [
        ("\"\\ud800\"", "7: \(half)"), ("\"\\udc00\"", "7: \(half)"),
        ("\"\\udc00\\ud800\"", "7: \(half)"), ("\"\\ud800\\ud800\"", "13: \(half)"),
        ("\"\\ud800\\n\"", "8: \(half)"), ("\"\\ud83d\\ude00\"", "\"😀\""),
        ("\"\\u0000\"", "\"\\u0000\""), ("\"\\uFFFF\"", "\"\u{FFFF}\""),
        ("\"\\U0041\"", "3: invalid escape"),
        ("\"\\", "2: unexpected end of text"),
        ("\"\\u00", "5: four hexadecimal digits are missing"),
    ])
    func escapesAreWholeCharacters(text: String, expected: String) {
        expectEqual(read(Array(text.utf8)), expected)
    }

    /// Overlong forms, surrogates, values beyond Unicode, and sequences that are cut or stray.
    @Test(
        arguments: [
            [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0x80], [0xC3],
            [0xE2, 0x82],
        ] as [[UInt8]])
    func whatIsNotUTF8IsRefused(bytes: [UInt8]) {
        let quoted = [0x22] + bytes + [0x22]
        expectEqual(read(quoted), "\(quoted.count): the text before this is not UTF-8")
        let name = Array("{".utf8) + quoted + Array(":1}".utf8)
        expectEqual(read(name), "\(quoted.count + 1): the text before this is not UTF-8")
    }

    @Test(arguments: [
        ("1 2", 2), ("null,", 4), ("{}\u{0}", 2), ("[]]", 2), ("true//", 4), ("0 \u{FEFF}", 2),
    ])
    func nothingFollowsTheValue(text: String, offset: Int) {
        expectEqual(read(Array(text.utf8)), "\(offset): unexpected text after the value")
    }

    /// Once, before the text; not within it.
    @Test func aByteOrderMarkIsLeftOut() {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        expectEqual(read(mark + Array("{}".utf8)), "{}")
        expectEqual(read(mark + mark + Array("{}".utf8)), "0: expected a value")
    }

    /// However long the text is, reading ends at the depth that is allowed.
    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func depthEndsTheReading(opening: String) {
        let text = String(repeating: opening, count: (1 << 20) / opening.utf8.count)
        guard case .failure(let problem) = result(text) else {
            Issue.record("\(opening) was read")
            return
        }
        expectEqual(problem.cause, Self.tooDeep)
        #expect(problem.offset <= JSONReader.defaultDepth * opening.utf8.count)
    }

    @Test func aMegabyteOfDigitsStaysText() throws {
        let digits = [UInt8](repeating: 0x39, count: 1 << 20)
        let value = try JSONReader.read(digits)
        #expect(value.whole == nil)
        expectEqual(value, .number(String(decoding: digits, as: UTF8.self)))
    }
}
