import TestSupport
import Testing

/// What is found by listing a folder is complete and named as it should be.
@Suite struct CatalogueTests {
    @Test(arguments: [
        ("Sources/Panel/CBoards/boards.c", "boards"),
        ("Sources/Simulation/CBounce/bounce.c", "simulator/bounce"),
    ])
    func everyFileIsEmbedded(source: String, folder: String) throws {
        let file = try #require(SourceFile.read(source))
        let listed = Self.embedded(file)
        let present = SourceTree.names(in: folder).filter { $0.hasSuffix(".yaml") }
        expectEqual(listed, present.map { "../../../\(folder)/\($0)" })
    }

    private static func embedded(_ file: SourceFile) -> [String] {
        file.lines.compactMap { line in
            guard line.hasPrefix("#embed \"") else { return nil }
            return line.split(separator: "\"").dropFirst().first.map(String.init)
        }
    }

    @Test func missingFileWouldBeSeen() {
        let file = SourceFile(
            path: "a.c", text: "// #embed \"no\"\n#embed \"../b.yaml\" suffix(, 0,)")
        expectEqual(Self.embedded(file), ["../b.yaml"])
    }

    @Test(arguments: SourceTree.names(in: "panels").filter { !$0.hasSuffix(".md") })
    func everyPanelHasItsFile(panel: String) {
        #expect(SourceTree.names(in: "panels/\(panel)").contains("panel.yaml"))
    }

    private static let decisions = SourceTree.names(in: "docs/decisions").filter {
        $0 != "README.md"
    }

    /// A number belongs to one record. One that is missing became part of another record.
    @Test func decisionsAreNumberedAndListed() throws {
        let list = try #require(SourceFile.read("docs/decisions/README.md")).lines
            .joined(separator: "\n")
        var numbers: Set<String> = []
        for name in Self.decisions {
            let number = String(name.prefix(4))
            let isNumber = number.count == 4 && number.allSatisfy(\.isNumber)
            #expect(isNumber && name.hasPrefix("\(number)-") && name.hasSuffix(".md"), "\(name)")
            let isNew = numbers.insert(number).inserted
            #expect(isNew, "\(name) has the number of another record")
            #expect(name == name.lowercased() && !name.contains("_"), "\(name)")
            #expect(list.contains("](\(name))"), "\(name) is not in docs/decisions/README.md")
        }
    }

    @Test(arguments: decisions)
    func decisionsHaveTheirParts(name: String) throws {
        let file = try #require(SourceFile.read("docs/decisions/\(name)"))
        let headings = file.lines.filter { $0.hasPrefix("## ") }
        expectEqual(
            headings, ["## Context", "## Decision", "## Consequences", "## Alternatives"],
            "\(name)")
        expectEqual(file.lines.first?.hasPrefix("# "), true, "\(name) has no title")
    }

    /// Names that say nothing attract what belongs nowhere.
    @Test func noFileIsNamedAfterNothing() {
        for file in SourceTree.swift {
            let name = file.path.split(separator: "/").last ?? ""
            for word in ["Util", "Helper", "Common", "Misc"] {
                #expect(!name.contains(word), "\(file.path): name it after its principal type")
            }
        }
    }
}
