import Glibc
import Testing

/// What documents point at exists.
@Suite struct MarkdownTests {
    private static let documents = SourceTree.files.filter { $0.path.hasSuffix(".md") }

    /// Targets of links to files of this repository, from the root.
    static func targets(_ file: SourceFile) -> [String] {
        let folder = file.path.split(separator: "/").dropLast().map(String.init)
        return file.text.split(separator: "](").dropFirst().compactMap { rest in
            let target = rest.prefix { $0 != ")" && $0 != "#" && $0 != "\n" }
            guard !target.isEmpty, !target.contains(":") else { return nil }
            var parts = folder
            for part in target.split(separator: "/") {
                switch part {
                case ".": break
                case "..": _ = parts.popLast()
                default: parts.append(String(part))
                }
            }
            return parts.joined(separator: "/")
        }
    }

    @Test(arguments: documents.map(\.path))
    func linksLeadSomewhere(path: String) throws {
        let file = try #require(SourceFile.read(path))
        for target in Self.targets(file) {
            #expect(access("\(SourceTree.root)/\(target)", F_OK) == 0, "\(path) links \(target)")
        }
    }

    /// `Suite.test` in a document; both are named as in the code.
    static func tests(_ text: String) -> [(suite: String, test: String)] {
        let pieces = text.split(separator: "`", omittingEmptySubsequences: false)
        return pieces.indices.filter { $0 % 2 == 1 }.compactMap { place in
            let word = pieces[place]
            let parts = word.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].hasSuffix("Tests") || parts[0].hasPrefix("test_"),
                parts[1].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
            else { return nil }
            return (String(parts[0]), String(parts[1]))
        }
    }

    @Test(arguments: ["docs/ARCHITECTURE.md", "docs/known-faults.md"])
    func namedTestsExist(path: String) throws {
        let named = Self.tests(try #require(SourceFile.read(path)).text)
        #expect(named.count >= 10)
        for (suite, test) in named {
            let files = SourceTree.files.filter {
                $0.path.hasSuffix("/\(suite).swift") && $0.contains("func \(test)(")
                    || $0.path.hasSuffix("/\(suite).py") && $0.contains("def \(test)(")
            }
            #expect(!files.isEmpty, "\(path) names \(suite).\(test)")
        }
    }

    @Test func everyLawIsNumbered() throws {
        let map = try #require(SourceFile.read("docs/ARCHITECTURE.md"))
        let laws = map.lines.filter { line in
            line.first?.isNumber == true && line.contains(". **")
        }
        #expect(laws.count == 11)
    }

    @Test func targetsAreSeenFromTheirDocument() {
        let file = SourceFile(
            path: "docs/a/b.md",
            text: "[c](../d.md) [e](https://f.example) [g](#h)\n[i](./j.md#k)")
        #expect(Self.targets(file) == ["docs/d.md", "docs/a/j.md"])
        let tests = Self.tests("`LawTests.a`, `Engine.b`, `LawTests`, LawTests.c, `test_d.test_e`")
        #expect(tests.map(\.test) == ["a", "test_e"])
    }
}
