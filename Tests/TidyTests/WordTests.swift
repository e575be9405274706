import TestSupport
import Testing

@Suite struct WordTests {
    /// The licence, and names of boards and lines, are as others wrote them.
    private static let files = SourceTree.files.filter { $0.path != "LICENSE" }

    @Test(arguments: Set(files.map(\.room)).sorted())
    func textsMeanTheSameEverywhere(room: String) {
        for file in Self.files where file.room == room {
            for violation in WordRules.violations(file, root: SourceTree.root) {
                Issue.record("\(violation)")
            }
        }
    }

    @Test(arguments: [
        "see /root/notes", "cd /home/ada/detent", "the tree at /srv/clone/Sources",
        "fetched from files.pythonhosted.org", "closes #12", "see issue 7", "issue #7",
        "detent/issues/41",
        "pull request 3",
    ])
    func wordsOfOneMachineAreCaught(text: String) {
        let file = SourceFile(path: "docs/fake.md", text: "# Title\n\(text)\n")
        expectEqual(WordRules.violations(file, root: "/srv/clone").count, 1)
    }

    @Test(arguments: ["#0 $dumpvars", "an issue with 3 parts", "fixes 2 of them"])
    func ordinaryWordsAreLeftAlone(text: String) {
        let file = SourceFile(path: "docs/fake.md", text: text)
        #expect(WordRules.violations(file, root: "/srv/clone").isEmpty)
    }
}
