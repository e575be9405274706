import DetentTypes
import TestSupport
import Testing

@testable import DetentActions
@testable import DetentRuntime

/// How messages become numbered lines, and lines become reports.
@Suite struct OSCSwitchboardTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    private func message(_ address: String, _ words: String...) throws -> ArraySlice<UInt8> {
        try #require(OSCMessage(address: address, arguments: words, types: nil)).bytes[...]
    }

    private func board() throws -> OSCSwitchboard {
        try #require(OSCSwitchboard(["/mute", "1", "/fader", "2", "/mute", "2"]))
    }

    @Test func aMessageIsAReportOfEverySourceWithItsAddress() throws {
        var board = try board()
        #expect(board.deadline == .never && board.lines(at: start) == "")
        board.take(try message("/mute", "on", "7"))
        board.take(try message("/mute/all", "off", "8"))
        #expect(board.deadline <= start)
        expectEqual(board.lines(at: start), "0 on\n2 7\n")
        expectEqual(board.lines(at: start), "")
    }

    @Test func reportsPassTogetherOnceInAGap() throws {
        var board = try board()
        board.take(try message("/fader", "x", "1"))
        expectEqual(board.lines(at: start), "1 1\n")
        for word in ["2", "3", "4"] { board.take(try message("/fader", "x", word)) }
        expectEqual(board.lines(at: start + .milliseconds(19)), "")
        expectEqual(board.deadline, start + RuntimeLimits.feedbackGap)
        expectEqual(board.lines(at: start + RuntimeLimits.feedbackGap), "1 2\n1 3\n1 4\n")
        for word in 0..<100 { board.take(try message("/fader", "x", "\(word)")) }
        let lines = board.lines(at: start + .seconds(1)).split(separator: "\n")
        expectEqual(lines.count, RuntimeLimits.waitingReports)
        expectEqual(lines.last, "1 99")
    }

    /// It replaces no report, and makes nothing stale.
    @Test func aMessageWithoutTheArgumentIsAboutSomethingElse() throws {
        var board = try board()
        board.take(try message("/fader", "x", "7"))
        board.take(try message("/fader", "x"))
        expectEqual(board.lines(at: start), "1 7\n")
        expectEqual(board.deadline, .never)
    }

    @Test func aReportIsOneLine() throws {
        var board = try board()
        board.take(try message("/mute", "on\n1 off", "a\r\nb"))
        expectEqual(board.lines(at: start), "0 on\n2 a\n")
    }

    @Test(arguments: [[], ["/a"], ["/a", "0"], ["/a", "x"], ["/a", "1", "/b"]])
    func wrongArgumentsAreRefused(_ arguments: [String]) {
        #expect(OSCSwitchboard(arguments) == nil)
    }

    // MARK: The other end

    private func take(
        _ lines: inout NumberedLines, _ text: String, count: Int = 3
    ) -> [String] {
        Array(text.utf8).withUnsafeBytes { bytes in
            lines.take(bytes, count: count).map {
                "\($0.source)=\(String(decoding: $0.report, as: UTF8.self))"
            }
        }
    }

    @Test func eachLineHasItsSource() {
        var lines = NumberedLines()
        expectEqual(take(&lines, "2 a\n0 b\n2 c d\n2 "), ["2=a", "0=b", "2=c d"])
        expectEqual(take(&lines, "off\n"), ["2=off"])
        expectEqual(take(&lines, "1 \n"), ["1="])
    }

    /// A source that floods displaces no other one.
    @Test func eachSourceHasItsOwnNewestLines() {
        var lines = NumberedLines()
        let flood = (0..<2_000).map { "1 \($0)\n" }.joined()
        let found = take(&lines, "0 on\n" + flood + "2 off\n")
        expectEqual(found.first, "0=on")
        expectEqual(found.last, "2=off")
        expectEqual(found.count, RuntimeLimits.waitingReports + 2)
        expectEqual(found[found.count - 2], "1=1999")
    }

    @Test func otherLinesAreLeftOut() {
        var lines = NumberedLines()
        expectEqual(take(&lines, "3 a\n-1 b\nx c\n\n on\n99999999999999999999 d\n0 e\n"), ["0=e"])
    }

    @Test func aLongLineIsCut() {
        var lines = NumberedLines()
        let text = String(repeating: "x", count: 3 * ActionLimits.reportLine)
        expectEqual(take(&lines, "0 " + text), [])
        expectEqual(take(&lines, "\n1 on\n").map(\.count), [ActionLimits.reportLine + 2, 4])
    }
}
