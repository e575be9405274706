import DetentActions
import TestSupport
import Testing

/// The output of a program, in pieces as the pipe gives them.
@Suite struct ReportLinesTests {
    private final class Cutter {
        private var lines = ReportLines()

        /// The lines that have ended.
        func take(_ text: String) -> [String] {
            Array(text.utf8).withUnsafeBytes { bytes in
                lines.take(bytes).map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    @Test func aLineMayComeInPieces() {
        let lines = Cutter()
        expectEqual(lines.take("o"), [])
        expectEqual(lines.take(""), [])
        expectEqual(lines.take("n\nof"), ["on"])
        expectEqual(lines.take("f\n"), ["off"])
        expectEqual(lines.take("\n"), [""])
    }

    @Test func severalLinesComeInTheirOrder() {
        let lines = Cutter()
        expectEqual(lines.take("a\nb\n\nc\nd"), ["a", "b", "", "c"])
        expectEqual(lines.take("e\n"), ["de"])
    }

    /// A program that floods costs no more than this many lines at a time.
    @Test func ofAFloodTheNewestLinesAreLeft() {
        let lines = Cutter()
        let most = ActionLimits.reportLinesAtOnce
        _ = lines.take("x")
        for count in [most - 1, most, most + 1, 3 * most] {
            let text = (0..<count).map { "\($0)\n" }.joined()
            let found = lines.take(text)
            expectEqual(found.count, min(count, most))
            expectEqual(found.last, "\(count - 1)")
            expectEqual(found.first, count == most - 1 ? "x0" : "\(count - found.count)")
        }
    }

    @Test func aLineWithoutEndIsCut() throws {
        let lines = Cutter()
        for _ in 0..<100 {
            expectEqual(lines.take(String(repeating: "x", count: 10_000)), [])
        }
        expectEqual(lines.take("x\non\n").map(\.utf8.count), [ActionLimits.reportLine, 2])
        _ = lines.take(String(repeating: "y", count: 50_000))
        expectEqual(lines.take("\n").map(\.utf8.count), [ActionLimits.reportLine])
        let long = String(repeating: "z", count: 2 * ActionLimits.reportLine)
        expectEqual(
            lines.take("a\n\(long)\nb\n").map(\.utf8.count), [1, ActionLimits.reportLine, 1])
    }

    /// The pieces of one line count together.
    @Test func aLineInPiecesIsCutAsOne() throws {
        let lines = Cutter()
        let limit = ActionLimits.reportLine
        expectEqual(lines.take(String(repeating: "x", count: limit - 1)), [])
        expectEqual(lines.take("yz"), [])
        let cut = try #require(lines.take("z\n").first)
        expectEqual(cut.utf8.count, limit)
        #expect(cut.hasSuffix("xy"))
    }
}
