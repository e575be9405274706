import DetentPanel
import TestSupport
import Testing

/// JSON from outside: read as it is meant, or refused with the place.
@Suite struct JSONReaderTests {
    private func read(_ text: String) -> Result<JSONValue, JSONReader.Problem> {
        do throws(JSONReader.Problem) {
            return .success(try JSONReader.read(Array(text.utf8)))
        } catch {
            return .failure(error)
        }
    }

    @Test(arguments: [
        ("null", "null"), (" true ", "true"), ("\n[ ]", "[]"), ("{}", "{}"),
        ("[1,-2.5e+3,0]", "[1, -2.5e+3, 0]"),
        ("{\"a\":{\"b\":[false]}}", "{\"a\": {\"b\": [false]}}"),
        ("\"\\u00e9\\ud83d\\ude00\\n\\/\"", "\"é😀\\n/\""),
    ])
    func whatIsJSONIsRead(text: String, line: String) throws {
        expectEqual(try read(text).get().line, line)
    }

    @Test(arguments: [
        ("", "unexpected end of text", 0), ("nul", "expected a value", 0),
        ("[1,]", "expected a value", 3), ("[1 2]", "a comma or the array's end is missing", 3),
        ("{\"a\" 1}", "a colon is missing", 5), ("{a: 1}", "expected a member name", 1),
        ("01", "unexpected text after the value", 1), ("-", "a digit is missing", 1),
        ("1.", "a digit is missing", 2), ("\"abc", "unterminated string", 4),
        ("\"\\x\"", "invalid escape", 3),
        ("\"\\ud800\"", "unpaired surrogate", 7),
        ("\"\\ud800\\u0041\"", "unpaired surrogate", 13),
        ("\"\\u12g4\"", "four hexadecimal digits are missing", 5),
        ("\"a\nb\"", "control character in a string", 2),
        ("{} {}", "unexpected text after the value", 3), ("NaN", "expected a value", 0),
        ("'a'", "expected a value", 0),
    ])
    func whatIsNotIsRefusedWithItsPlace(text: String, cause: String, offset: Int) {
        guard case .failure(let problem) = read(text) else {
            Issue.record("\(text) was read")
            return
        }
        expectEqual(problem.cause, cause)
        expectEqual(problem.offset, offset)
    }

    @Test func depthIsBounded() throws {
        let allowed = JSONReader.defaultDepth
        func nest(_ depth: Int) -> [UInt8] {
            Array(
                (String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(throws: Never.self) { try JSONReader.read(nest(allowed)) }
        #expect(throws: JSONReader.Problem.self) { try JSONReader.read(nest(allowed + 1)) }
        #expect(throws: JSONReader.Problem.self) { try JSONReader.read(nest(100_000)) }
    }

    @Test func whatIsNotUTF8IsRefused() {
        #expect(throws: JSONReader.Problem.self) {
            try JSONReader.read([0x22, 0xC3, 0x28, 0x22])
        }
    }

    /// What is written is read again as the same, whatever single byte is changed in it crashes
    /// nothing.
    @Test func changedBytesCrashNothing() throws {
        let text = "{\"type\": \"set\", \"id\": 7, \"value\": [\"a\\u0000é\", -1.5, null, true]}"
        let bytes = Array(text.utf8)
        expectEqual(try JSONReader.read(bytes).line, text)
        for place in bytes.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = bytes
                changed[place] = byte
                guard let value = try? JSONReader.read(changed) else { continue }
                expectEqual(try JSONReader.read(Array(value.line.utf8)).line, value.line)
            }
        }
    }

    @Test func membersAreFoundByName() throws {
        let value = try read("{\"a\": \"x\", \"n\": -3, \"t\": true, \"l\": [1], \"f\": 1.5}").get()
        expectEqual(value["a"]?.text, "x")
        expectEqual(value["n"]?.whole, -3)
        expectEqual(value["t"]?.truth, true)
        expectEqual(value["l"]?.items?.count, 1)
        #expect(value["f"]?.whole == nil)
        #expect(value["none"] == nil)
        #expect(value["a"]?["b"] == nil)
    }
}
