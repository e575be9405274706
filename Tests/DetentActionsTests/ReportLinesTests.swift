import DetentActions
import TestSupport
import Testing

/// The output of a program, in pieces as the pipe gives them.
@Suite struct ReportLinesTests {
    private final class Cutter {
        private var lines = ReportLines()

        /// The newest line and the number of those before it.
        func take(_ text: String) -> String? {
            Array(text.utf8).withUnsafeBytes { bytes in
                lines.take(bytes).map {
                    "\(String(decoding: $0.line, as: UTF8.self)) \($0.skipped)"
                }
            }
        }
    }

    @Test func aLineMayComeInPieces() {
        let lines = Cutter()
        #expect(lines.take("o") == nil)
        #expect(lines.take("") == nil)
        expectEqual(lines.take("n\nof"), "on 0")
        expectEqual(lines.take("f\n"), "off 0")
        expectEqual(lines.take("\n"), " 0")
    }

    @Test func ofSeveralLinesTheNewestCounts() {
        let lines = Cutter()
        expectEqual(lines.take("a\nb\nc\nd"), "c 2")
        expectEqual(lines.take("e\n"), "de 0")
    }

    @Test func aLineWithoutEndIsCut() throws {
        let lines = Cutter()
        for _ in 0..<100 {
            #expect(lines.take(String(repeating: "x", count: 10_000)) == nil)
        }
        expectEqual(lines.take("x\non\n"), "on 1")
        _ = lines.take(String(repeating: "y", count: 50_000))
        let cut = try #require(lines.take("\n"))
        expectEqual(cut.utf8.count, ActionLimits.reportLine + 2)
    }

    /// The pieces of one line count together.
    @Test func aLineInPiecesIsCutAsOne() throws {
        let lines = Cutter()
        let limit = ActionLimits.reportLine
        #expect(lines.take(String(repeating: "x", count: limit - 1)) == nil)
        #expect(lines.take("yz") == nil)
        let cut = try #require(lines.take("z\n"))
        expectEqual(cut.utf8.count, limit + 2)
        #expect(cut.hasSuffix("xy 0"))
    }
}
