import Glibc
import TestSupport
import Testing

/// What documents point at exists.
@Suite struct MarkdownTests {
    private static let documents = SourceTree.files.filter { $0.path.hasSuffix(".md") }

    /// A link to a file of this repository.
    struct Link: Equatable {
        /// The path from the root.
        var path: String
        /// The heading in that file, as links write it; empty for the whole file.
        var anchor: String
    }

    static func links(_ file: SourceFile) -> [Link] {
        let folder = file.path.split(separator: "/").dropLast().map(String.init)
        return file.text.split(separator: "](").dropFirst().compactMap { rest in
            let whole = rest.prefix { $0 != ")" && $0 != "\n" }
            let target = whole.prefix { $0 != "#" }
            let anchor = String(whole.dropFirst(target.count + 1))
            guard !whole.isEmpty, !target.contains(":") else { return nil }
            if target.isEmpty { return Link(path: file.path, anchor: anchor) }
            var parts = folder
            for part in target.split(separator: "/") {
                switch part {
                case ".": break
                case "..": _ = parts.popLast()
                default: parts.append(String(part))
                }
            }
            return Link(path: parts.joined(separator: "/"), anchor: anchor)
        }
    }

    /// The headings of a document, as links write them.
    static func anchors(_ file: SourceFile) -> Set<String> {
        var isCode = false
        var anchors: Set<String> = []
        for line in file.lines {
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode, line.hasPrefix("#") else { continue }
            let title = line.drop { $0 == "#" || $0 == " " }.lowercased().filter {
                $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_"
            }
            anchors.insert(title.replacing(" ", with: "-"))
        }
        return anchors
    }

    @Test(arguments: documents.map(\.path))
    func linksLeadSomewhere(path: String) throws {
        let file = try #require(SourceFile.read(path))
        for link in Self.links(file) {
            expectEqual(
                access("\(SourceTree.root)/\(link.path)", F_OK), 0, "\(path) links \(link.path)")
            guard !link.anchor.isEmpty, let target = SourceFile.read(link.path) else { continue }
            #expect(
                Self.anchors(target).contains(link.anchor),
                "\(path) links \(link.path)#\(link.anchor), and there is no such heading")
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
        expectEqual(laws.count, 14)
    }

    @Test func targetsAreSeenFromTheirDocument() {
        let file = SourceFile(
            path: "docs/a/b.md",
            text: "[c](../d.md) [e](https://f.example) [g](#h)\n[i](./j.md#k)")
        let links = [("docs/d.md", ""), ("docs/a/b.md", "h"), ("docs/a/j.md", "k")]
        expectEqual(Self.links(file), links.map { Link(path: $0.0, anchor: $0.1) })
        let titles = SourceFile(path: "a.md", text: "# A `b`, c-d\n```\n# e\n```\n## F")
        expectEqual(Self.anchors(titles), ["a-b-c-d", "f"])
        let tests = Self.tests("`LawTests.a`, `Engine.b`, `LawTests`, LawTests.c, `test_d.test_e`")
        expectEqual(tests.map(\.test), ["a", "test_e"])
    }
}
