import TestSupport
import Testing

@Suite struct SplitTests {
    @Test func noPieceIsTakenByNumber() {
        for file in SourceTree.swift {
            for violation in SplitRules.violations(file) { Issue.record("\(violation)") }
        }
    }

    @Test(arguments: [
        "let a = text.split(separator: \";\")[0].trimmed",
        "let a = text.split(separator: \";\").first!",
        "let a = text.split { $0 == b(c) }[1]",
        "let parts = text.split(separator: \"=\")\nuse(parts[1])",
        "var parts = text.split(separator: \"=\").map(String.init)\nif parts.last! == \"a\" {}",
        "let parts =\n    text\n    .split(separator: \"=\")\nuse(a ? parts[0] : b)",
        "guard let parts = text?.split(separator: \"=\"), parts.count > 1 else { return }\n"
            + "use(parts[i + 1])",
    ])
    func aPieceByNumberIsCaught(_ text: String) {
        let file = SourceFile(path: "Sources/Reach/DetentServer/A.swift", text: text)
        expectEqual(SplitRules.violations(file).count, 1, "\(text)")
    }

    @Test(arguments: [
        "let parts = text.split(separator: \"=\")\nuse(parts.first, parts.dropFirst().first)",
        "var words = text.split(separator: \" \")\n"
            + "for index in words.indices { use(words[index]) }",
        "func a() {\n    let parts = b.split(separator: \"=\")\n}\n"
            + "func c() {\n    use(parts[0])\n}",
        "let bytes = row.bytes\nuse(bytes[0], text.split(separator: \",\"))",
        "let parts = text.split(separator: \"=\")\nuse(parts[1...])",
    ])
    func whatIsTotalIsLeftAlone(_ text: String) {
        let file = SourceFile(path: "Sources/Reach/DetentServer/A.swift", text: text)
        expectEqual(SplitRules.violations(file), [], "\(text)")
    }
}
