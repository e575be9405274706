import TestSupport
import Testing

@Suite struct WordingTests {
    private static let files = SourceTree.files.filter(WordingRules.covers)

    @Test(arguments: Set(files.map(\.room)).sorted())
    func sentencesAreInPlainWords(room: String) {
        for file in Self.files where file.room == room {
            for violation in WordingRules.violations(file) { Issue.record("\(violation)") }
        }
    }

    @Test(arguments: [
        ("docs/fake.md", "Whoever reads this has to stop."),
        ("docs/fake.md", "The word stands\nfor a value."),
        ("docs/fake.md", "See [what nobody reads](other.md)."),
        ("Sources/A/B.swift", "/// A list of so\n/// many words.\nlet a = 1"),
        ("Sources/A/B.swift", "let a = \"a line cannot \"\n    + \"be had\""),
        ("Sources/A/B.swift", "let a = \"\"\"\n    It shall be on.\n    \"\"\""),
    ])
    func riddlesAreCaught(path: String, text: String) {
        let file = SourceFile(path: path, text: text)
        expectEqual(WordingRules.violations(file).count, 1)
    }

    @Test(arguments: [
        ("docs/fake.md", "```\nnobody\n```\n\n    nobody\n"),
        ("docs/fake.md", "The user `nobody`, see [it](nobody.md)."),
        ("docs/fake.md", "It stands\n\nfor nothing."),
        ("docs/fake.md", "It stands `x` for nothing."),
        ("docs/fake.md", "<!-- keys: made -->\nBesides\n<!-- end of keys -->"),
        ("Sources/A/B.swift", "// Nobody reads it.\nlet nobody = 1  // whoever"),
        ("Sources/A/B.swift", "let a = \"the marshall\""),
    ])
    func otherTextsAreLeftAlone(path: String, text: String) {
        let file = SourceFile(path: path, text: text)
        #expect(WordingRules.violations(file).isEmpty)
    }

    @Test func onlyOurSentencesAreCovered() {
        let covered = ["README.md", "docs/state.md", "Sources/A/B.swift"]
        let others = [
            "docs/lint.md", "docs/reference/panel-file.md", "docs/decisions/0001-a.md",
            "Tests/A/B.swift", "panels/a/panel.yaml",
        ]
        for path in covered { #expect(WordingRules.covers(SourceFile(path: path, text: ""))) }
        for path in others { #expect(!WordingRules.covers(SourceFile(path: path, text: ""))) }
    }
}
