import Glibc
import TestSupport
import Testing

@testable import DetentPanel

/// docs/kinds: a page for each kind, with its keys. `DETENT_RECORD=1` writes the keys anew. Their
/// recipes are played by `KindRecipeTests`.
@Suite struct KindDocumentTests {
    @Test func everyKindHasAPageAndNothingElseHas() {
        let pages = Repository.names(in: Repository.path(KindDocument.folder))
        expectEqual(pages, (Kind.all.map { "\($0.word).md" } + ["README.md"]).sorted())
    }

    /// Both tables have a row for each kind, in the order of the panel file's documents.
    @Test(arguments: [(KindDocument.index, ""), ("README.md", "docs/kinds/")])
    func tablesHaveEveryKind(path: String, folder: String) throws {
        let rows = try KindDocument.read(path).split(separator: "\n").filter {
            $0.hasPrefix("| [`")
        }
        expectEqual(rows.count, Kind.all.count)
        for (row, kind) in zip(rows, Kind.all) {
            #expect(row.hasPrefix("| [`\(kind.word)`](\(folder)\(kind.word).md) |"), "\(row)")
        }
    }

    @Test func indexHasTheKeysOfEveryKind() throws {
        try expectSection(KindDocument.index, KindDocument.commonSection)
    }

    @Test(arguments: Kind.all.map(\.word))
    func pageHasTheKeysOfItsKind(word: String) throws {
        let kind = try #require(Schema.builtIn.kind(named: word))
        try expectSection(KindDocument.page(kind), KindDocument.section(kind))
    }

    private func expectSection(_ path: String, _ section: String) throws {
        let text = try KindDocument.read(path)
        let renewed = try #require(KindDocument.renewed(text, section), "\(path) has no marks")
        if getenv("DETENT_RECORD") != nil { Folder.write(renewed, to: Repository.path(path)) }
        expectEqual(try KindDocument.read(path), renewed)
    }

    @Test(arguments: Kind.all.map(\.word))
    func pageHasItsPartsAndARecipe(word: String) throws {
        let kind = try #require(Schema.builtIn.kind(named: word))
        let text = try KindDocument.read(KindDocument.page(kind))
        let lines = text.split(separator: "\n")
        expectEqual(lines.first, "# `\(word)`")
        expectEqual(
            lines.filter { $0.hasPrefix("## ") }, KindDocument.headings.map { "## \($0)" })
        let blocks = KindDocument.blocks(text)
        try #require(blocks.count == 2, "a panel and a scenario")
        #expect(blocks[0].split(separator: "\n").count <= 40)
        #expect(blocks[1].hasPrefix("panel: \(word).yaml\n"))
        let reading = PanelReader.read(SourceText(file: "\(word).yaml", text: blocks[0]))
        expectEqual(ProblemRenderer.text(reading.problems), "")
        let plan = try #require(reading.plan)
        #expect(plan.controls.contains { $0.kind == word })
    }
}
