import TestSupport
import Testing

@testable import DetentServer

/// Headers that are lists, whatever stands in them.
@Suite struct HeaderListTests {
    @Test(
        arguments: [
            ("", []), (";", []), (",", []), (" , ;, ,", []), ("a,;", ["a"]), (";a", []),
            ("gzip", ["gzip"]), ("  GZip ;q=1 , br", ["gzip", "br"]), ("a;b;c", ["a"]),
            ("keep-alive, Upgrade", ["keep-alive", "upgrade"]), ("\t a \t,\tb\t", ["a", "b"]),
            ("a;x=\"b,c\", d", ["a", "d"]), ("a;x=\"\\\",b\",c", ["a", "c"]), ("a;x=\"b, c", ["a"]),
            ("\"", ["\""]), ("ü,é", ["ü", "é"]), ("\u{0},\u{0}", ["\u{0}", "\u{0}"]),
        ] as [(String, [String])])
    func aListHasItems(_ value: String, _ words: [String]) {
        expectEqual(HeaderList.items(value).map(\.word), words)
    }

    @Test(arguments: [
        ("gzip", true), ("gzip;q=1", true), ("gzip;q=0.001", true), ("gzip;q=0", false),
        ("gzip; Q=0.000", false), ("gzip;q=0, GZIP", true), ("br", false),
    ])
    func aWeightOfZeroRefuses(_ value: String, _ isListed: Bool) throws {
        let request = try #require(
            HTTPRequest(method: "GET", target: "/", headers: [("Accept-Encoding", value)]))
        expectEqual(request.lists("gzip", in: "accept-encoding"), isListed)
    }

    /// What ended the daemon: one header without a word.
    @Test(
        arguments: ["expect", "upgrade", "connection", "accept-encoding"],
        [";", "a,;", "", ";,;"])
    func aHeaderWithoutAWordListsNothing(_ name: String, _ value: String) throws {
        let request = try #require(
            HTTPRequest(method: "GET", target: "/", headers: [(name, value)]))
        #expect(!request.lists("100-continue", in: name))
    }
}
