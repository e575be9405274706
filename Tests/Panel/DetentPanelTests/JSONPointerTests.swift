import DetentPanel
import TestSupport
import Testing

/// The place of a value in the JSON of a device, and its word.
@Suite struct JSONPointerTests {
    private static let text =
        #"{"a": {"b": [false, {"c": -1.5}]}, "": 1, "x/y": "s", "m~n": null, "~1": true, "#
        + #""l": [10, 11]}"#

    @Test(arguments: [
        ("/a/b/0", "false"), ("/a/b/1/c", "-1.5"), ("/", "1"), ("/x~1y", #""s""#),
        ("/m~0n", "null"), ("/~01", "true"), ("/l/1", "11"), ("/a/b/1", #"{"c": -1.5}"#),
    ])
    func valuesAreFound(pointer: String, line: String) throws {
        let value = try JSONReader.read(Array(Self.text.utf8))
        expectEqual(value.value(at: pointer)?.line, line)
    }

    @Test(arguments: [
        "a", "/b", "/l/2", "/l/01", "/l/-1", "/l/x", "/l/1/0", "/x/y", "/a/", "/a/b/", "l/1", "//",
    ])
    func whatIsNotThereIsNothing(pointer: String) throws {
        let value = try JSONReader.read(Array(Self.text.utf8))
        #expect(value.value(at: pointer) == nil)
    }

    @Test func anEmptyPlaceIsTheWhole() throws {
        let value = try JSONReader.read(Array(Self.text.utf8))
        expectEqual(value.value(at: ""), value)
    }

    @Test(arguments: [
        ("true", "on"), ("false", "off"), ("-7", "-7"), ("1.50", "1.50"), (#""Auto""#, "Auto"),
        ("null", nil), ("[1]", nil), ("{}", nil),
    ])
    func scalarsHaveWords(text: String, word: String?) throws {
        expectEqual(try JSONReader.read(Array(text.utf8)).word, word)
    }

    @Test func wholeNumbersHaveAValue() throws {
        expectEqual(JSONValue.integer(-4).word, "-4")
        expectEqual(JSONValue.integer(-4).whole, -4)
        expectEqual(JSONValue.number("12").whole, 12)
        #expect(JSONValue.number("1.5").whole == nil)
        expectEqual(JSONValue.unsigned(.max).line, "18446744073709551615")
        expectEqual(JSONValue.integer(.min).line, "-9223372036854775808")
        expectEqual(JSONValue.integer(0).line, "0")
    }
}
