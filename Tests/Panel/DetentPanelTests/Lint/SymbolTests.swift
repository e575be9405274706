import TestSupport
import Testing

@testable import DetentPanel

/// The symbols that `detent check` knows are those that the page draws, and those of the document.
@Suite struct SymbolTests {
    @Test func pageAndDocumentHaveTheSame() throws {
        let read = { (name: String) throws -> String in
            String(decoding: try SourceText.read(file: Repository.path(name)).bytes, as: UTF8.self)
        }
        let page = try read("simulator/web/core/draw.js")
        let table = page.split(separator: "const symbols = {")[1].split(separator: "};")[0]
        let drawn = table.split(separator: "\n").compactMap { line in
            line.firstRange(of: ": \"").map { line[..<$0.lowerBound].drop { $0 == " " } }
        }
        expectEqual(drawn.map { String($0) }, FaceSymbol.words)
        let document = try read("docs/symbols.md")
        let picture = try read("docs/images/symbols.svg")
        for word in FaceSymbol.words {
            #expect(document.contains("`\(word)`"), "\(word)")
            #expect(picture.contains(">\(word)</text>"), "\(word)")
        }
    }
}
