import TestSupport
import Testing

@Suite struct SwiftCodeTests {
    @Test(arguments: [
        (#"let a = "print(1)" // print(2)"#, #"let a = "        "            "#),
        (##"let a = #"a"b"# + c"##, ##"let a = #"   "# + c"##),
        (#"let a = "\"" + b"#, #"let a = "  " + b"#),
        ("a /* b /* c */ d */ e", "a                   e"),
        (##"f(#filePath, "x")"##, ##"f(#filePath, " ")"##),
    ])
    func tellsCodeFromText(source: String, code: String) {
        expectEqual(SwiftCode.blanked(source), [code])
    }

    @Test func longTextsEndWhereTheyEnd() {
        let source = "let a = \"\"\"\n    \"print\" it\n    \"\"\"\nprint(a)"
        expectEqual(
            SwiftCode.blanked(source),
            [
                "let a = \"\"\"", "              ", "    \"\"\"", "print(a)",
            ])
    }

    @Test func keepsTheLines() {
        for file in SourceTree.swift {
            expectEqual(file.lines.count, file.code.count, "\(file.path)")
        }
    }

    @Test func findsThisFile() {
        #expect(SourceTree.swift.contains { $0.path == "Tests/TidyTests/SwiftCodeTests.swift" })
    }
}
