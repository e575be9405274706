import DetentPanel
import TestSupport
import Testing

/// Text from elsewhere on its way to a log or a terminal.
@Suite struct PrintableTextTests {
    static let hostile: [(text: String, plain: String)] = [
        ("a\u{1B}[2Jb", #"a\u001b[2Jb"#), ("a\rb", #"a\u000db"#), ("a\nb", #"a\u000ab"#),
        ("a\r\nb", #"a\u000d\u000ab"#), ("a\u{85}b", #"a\u0085b"#),
        ("a\u{9B}31mb", #"a\u009b31mb"#), ("a\u{2028}b", #"a\u2028b"#),
        ("a\u{202E}b", #"a\u202eb"#), ("a\u{2066}b", #"a\u2066b"#), ("a\u{7F}b", #"a\u007fb"#),
        ("a\u{E0001}b", #"a\udb40\udc01b"#), ("größe 電 ok", "größe 電 ok"), ("", ""),
    ]

    @Test(arguments: hostile) func nothingIsLeftThatATerminalObeys(text: String, plain: String) {
        expectEqual(PrintableText.text(text), plain)
        let kept = PrintableText.message(text)
        let isKnown = kept.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.isGraphic }
        #expect(isKnown, "\(kept.debugDescription)")
    }

    @Test func messagesKeepTheirLines() {
        expectEqual(PrintableText.message("a\n\tb\n"), "a\n\tb\n")
        expectEqual(PrintableText.message("a\r\nb\n"), "a\\u000d\nb\n")
    }

    @Test func linesEndAtBytesNotAtCharacters() {
        expectEqual(
            PrintableText.lines("one\r\ntwo\n\nthree\rfour\n"),
            [
                "one", "two", #"three\u000dfour"#,
            ])
        expectEqual(PrintableText.lines("a\u{85}detent: b\u{2028}c"), [#"a\u0085detent: b\u2028c"#])
        expectEqual(PrintableText.lines("\n\r\n"), [])
    }

    /// Event lines and answers of the server are printed on terminals, and stay JSON.
    @Test(arguments: hostile) func jsonHoldsNothingThatATerminalObeys(text: String, plain: String)
        throws
    {
        let line = JSONValue.string(text).line
        #expect(line.unicodeScalars.allSatisfy { $0.properties.isGraphic }, "\(line)")
        expectEqual(try JSONReader.read(Array(line.utf8)).text, text)
    }
}

extension Unicode.Scalar.Properties {
    /// Whether a terminal draws it or leaves a blank.
    fileprivate var isGraphic: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
