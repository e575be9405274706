import DetentPanel
import Glibc
import TestSupport
import Testing

/// Every fixture with the text that `detent check` prints for it.
///
/// `DETENT_RECORD=1` writes the texts anew; read them before committing.
@Suite struct GoldenTests {
    static let accepted = Folder.names("accepted")
    static let rejected = Folder.names("rejected")

    @Test(arguments: accepted) func isAccepted(_ name: String) throws {
        let reading = try read("accepted/" + name)
        #expect(reading.plan != nil)
        #expect(!reading.problems.hasErrors)
        try compare(reading.problems, with: "accepted/" + name)
        let plan = try #require(reading.plan)
        let storage = EngineStorage(for: plan.capacity)
        _ = try plan.makeEngine(in: storage)
    }

    @Test(arguments: rejected) func isRejected(_ name: String) throws {
        let reading = try read("rejected/" + name)
        #expect(reading.plan == nil)
        #expect(reading.problems.hasErrors)
        try compare(reading.problems, with: "rejected/" + name)
    }

    @Test func thereAreFixtures() {
        #expect(Self.accepted.count >= 5)
        #expect(Self.rejected.count >= 10)
    }

    private func read(_ name: String) throws -> PanelReader.Reading {
        let bytes = try SourceText.read(file: Repository.fixture(name)).bytes
        return PanelReader.read(SourceText(file: "panel.yaml", bytes: bytes))
    }

    private func compare(_ problems: [Problem], with name: String) throws {
        let path = Repository.fixture(String(name.dropLast(5)) + ".txt")
        let text = ProblemRenderer.text(problems)
        if getenv("DETENT_RECORD") != nil { Folder.write(text, to: path) }
        let expected = try SourceText.read(file: path)
        expectEqual(text, String(decoding: expected.bytes, as: UTF8.self))
        for problem in problems {
            #expect(!problem.help.isEmpty, "\(problem.rule.name) has no remedy")
            #expect(Rule.all.contains(problem.rule))
            expectEqual(problem.severity, problem.rule.severity, "\(problem.rule.name)")
        }
    }
}

/// Lists and writes files without Foundation.
enum Folder {
    /// The YAML files of a folder of fixtures, in alphabetical order.
    static func names(_ folder: String) -> [String] {
        Repository.names(in: Repository.fixture(folder)).filter { $0.hasSuffix(".yaml") }
    }

    static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(text, file)
        fclose(file)
    }

    /// A new folder that the caller removes.
    static func temporary() -> String {
        var template = Array("/tmp/detent-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { return "/nonexistent" }
        return String(cString: made)
    }
}
