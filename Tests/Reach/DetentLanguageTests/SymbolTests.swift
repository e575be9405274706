import DetentPanel
import TestSupport
import Testing

@Suite struct SymbolTests {
    /// The page draws what the editor offers.
    @Test func everySymbolOfThePageIsOffered() throws {
        let source = try SourceText.read(file: Repository.path("simulator/web/core/draw.js"))
        let text = String(decoding: source.bytes, as: UTF8.self)
        let start = try #require(text.firstRange(of: "const symbols = {\n")).upperBound
        let end = try #require(text[start...].firstRange(of: "};")).lowerBound
        let words = text[start..<end].split(separator: "\n").compactMap {
            $0.split(separator: ":").first.map { $0.filter { $0 != " " } }
        }
        expectEqual(FaceSymbol.all.map(\.word), words)
    }
}
