import DetentTypes
import TestSupport
import Testing

@testable import DetentActions

/// What devices nearby say, and what is said to them, without a device.
@Suite struct WireTests {
    private func expected(_ text: String) -> WireExpectation {
        let parts = text.split(separator: "{value}", omittingEmptySubsequences: false)
        return WireExpectation(
            before: Array(parts[0].utf8), after: parts.count > 1 ? Array(parts[1].utf8) : nil)
    }

    @Test(arguments: [
        ("{value}", "5.0\n", "5.0"), ("{value}", "\n\r\n 7\n8\n", " 7"), ("{value}", " \n", nil),
        ("VOLT {value}", "hello\nVOLT 5\r\n", "5"), ("VOLT {value}", "now VOLT 5", "5"),
        ("VOLT {value} V", "VOLT 5 V\n", "5"), ("VOLT {value} V", "VOLT 5\nV", nil),
        ("VOLT {value} V", "VOLT 5\nVOLT 6 V", "6"), ("{value};", "a;b", "a"),
        ("ok", "ok\n", ""), ("ok", "it is ok", ""), ("ok", "error", nil), ("ok", "", nil),
        ("{value}", "", nil), ("aab{value}", "aaab1", "1"),
    ])
    func aLineThatFitsHasItsValue(expect: String, text: String, value: String?) {
        let it = expected(expect)
        expectEqual(it.fits(Array(text.utf8)), value != nil)
        expectEqual(
            it.value(in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }, value)
    }

    /// Pieces of any size give the same answer and the same reports.
    @Test(arguments: [
        ("{value}", "5.0\n", "5.0", []),
        ("ok", "Grbl 1.1\r\nok\r\nok\r\n", "ok", ["Grbl 1.1", "ok"]),
        ("VOLT {value}", "busy\nVOLT 5\nnext\n", "VOLT 5", ["busy", "next"]),
        ("{value} V", "12 V, and more\nb\n", "12 V", ["b"]),
        ("none", "a\nb\n", nil, ["a", "b"]), ("none", "\n\r \n", nil, []),
    ])
    func anAnswerIsToldFromReports(
        expect: String, text: String, answer: String?, reports: [String]
    ) {
        for size in 1...text.utf8.count {
            var peer = WirePeer()
            peer.sent(WireOrder(7, [], expected(expect)))
            var rest = Array(text.utf8)[...]
            var note: WireNote?
            while !rest.isEmpty {
                note = peer.take(rest.prefix(size), endsLine: false) ?? note
                rest = rest.dropFirst(size)
            }
            expectEqual(note, answer.map { .answered(7, Array($0.utf8)) }, "pieces of \(size)")
            expectEqual(
                peer.due(at: .zero).map { String(decoding: $0, as: UTF8.self) }, reports,
                "pieces of \(size)")
        }
    }

    @Test func aDatagramEndsALine() {
        var peer = WirePeer()
        expectEqual(peer.take(Array("AIR 1".utf8)[...], endsLine: true), nil)
        expectEqual(peer.due(at: .zero), [Array("AIR 1".utf8)])
    }

    /// What came before the order is no answer to it, not even a line that had begun.
    @Test func whatWasSaidBeforeIsNoAnswer() {
        var peer = WirePeer()
        expectEqual(peer.take(Array("4.9".utf8)[...], endsLine: false), nil)
        peer.sent(WireOrder(1, [], .anyLine))
        expectEqual(
            peer.take(Array("\n5.0\n".utf8)[...], endsLine: false), .answered(1, Array("5.0".utf8)))
        expectEqual(peer.due(at: .zero), [Array("4.9".utf8)])
    }

    @Test func noMoreIsLookedAtThanTheLimit() {
        var peer = WirePeer()
        peer.sent(WireOrder(3, [], expected("ok")))
        let flood = [UInt8](repeating: 0x61, count: ActionLimits.wireLooked - 1)
        expectEqual(peer.take(flood[...], endsLine: false), nil)
        #expect(peer.isAwaiting)
        expectEqual(peer.take([0x61], endsLine: false), .unfit(3))
        #expect(!peer.isAwaiting)
    }

    /// The newest lines of a flood pass, and no more often than the gap allows.
    @Test func aFloodIsThinned() {
        var peer = WirePeer()
        let lines = (0..<1_000).map { "line \($0)\n" }.joined()
        expectEqual(peer.take(Array(lines.utf8)[...], endsLine: false), nil)
        let first = peer.due(at: .zero)
        expectEqual(first.count, ActionLimits.wireReports)
        expectEqual(first.last, Array("line 999".utf8))
        expectEqual(peer.take(Array("again\n".utf8)[...], endsLine: false), nil)
        expectEqual(peer.due(at: .zero), [])
        expectEqual(peer.deadline, .zero + ActionLimits.wireGap)
        expectEqual(peer.due(at: peer.deadline), [Array("again".utf8)])
        let long = [UInt8](repeating: 0x62, count: 3 * ActionLimits.reportLine)
        expectEqual(peer.take(long[...], endsLine: true), nil)
        expectEqual(peer.due(at: .never).map(\.count), [ActionLimits.reportLine])
    }

    // MARK: Messages

    @Test(arguments: [
        WireOrder(0, []), WireOrder(.max, [0, 10, 255], .anyLine),
        WireOrder(9, Array("VOLT 5\n".utf8), WireExpectation(before: [0x6F, 0x6B], after: nil)),
        WireOrder(1, [1], WireExpectation(before: Array("V".utf8), after: Array(" V".utf8))),
    ])
    func ordersArrive(order: WireOrder) {
        let message = order.message
        expectEqual(WireOrder(message[...]), order)
        for count in 0..<min(message.count - order.bytes.count, message.count) {
            expectEqual(WireOrder(message[..<count]), nil, "\(count) bytes")
        }
    }

    @Test(arguments: [
        WireNote.open, .found(Array("[::1]:80".utf8)), .sent(1), .answered(2, []),
        .answered(.max, Array("5".utf8)), .unfit(7), .report(Array("a b".utf8)),
        .ended(Array("gone".utf8), isRefused: true), .ended([], isRefused: false),
    ])
    func notesArrive(note: WireNote) {
        expectEqual(WireNote(note.message[...]), note)
    }

    @Test(arguments: [
        [], [0], [0x6F, 0], [0x73], [0x73, 1, 2, 3], [0x73, 1, 2, 3, 4, 5], [0x61, 0], [0x75],
        [0x65], [0x65, 2], [UInt8](repeating: 0x61, count: 2_000),
    ])
    func otherNotesAreRefused(bytes: [UInt8]) {
        expectEqual(WireNote(bytes[...]), nil)
    }

    // MARK: Keys

    @Test(
        arguments: [
            ("02 30", [0x02, 0x30]), ("0230ff", [0x02, 0x30, 0xFF]), ("", []), ("2", nil),
            ("0g", nil),
            ("+1", nil), ("02  30 ", [2, 0x30]), ("é0", nil),
        ] as [(String, [UInt8]?)])
    func hexIsARowOfBytes(text: String, bytes: [UInt8]?) {
        expectEqual(WireCall.bytes(ofHex: text), bytes)
    }

    @Test func theKeysSayWhereAndWhat() throws {
        let tcp = try WireCall(
            .tcp, [ActionField("to", .text("h:1")), ActionField("text", .text("A ${env:K}\n"))],
            secret: SecretSource { _ in "secret" })
        expectEqual(tcp.place, .tcp("h:1"))
        expectEqual(tcp.bytes, Array("A secret\n".utf8))
        let serial = try WireCall(
            .serial,
            [
                ActionField("device", .text("/dev/a")), ActionField("baud", .integer(115_200)),
                ActionField("parity", .text("odd")), ActionField("hex", .text("00")),
                ActionField("expect", .texts(["a", ""])),
            ])
        guard case .serial(let terms) = serial.place else { throw NoResult() }
        expectEqual(terms.baud, 115_200)
        expectEqual(terms.parity, .odd)
        expectEqual([terms.dataBits, terms.stopBits], [8, 1])
        expectEqual(serial.expectation?.hasValue, true)
        let udp = WirePlace(.udp, [ActionField("listen", .text("0.0.0.0:9"))])
        expectEqual(udp, .hearing("0.0.0.0:9"))
        #expect(throws: WireCall.Refusal.self) { try WireCall(.tcp, []) }
        #expect(throws: WireCall.Refusal.self) {
            try WireCall(
                .tcp,
                [
                    ActionField("to", .text("h:1")),
                    ActionField("text", .text(String(repeating: "a", count: 4_097))),
                ])
        }
    }
}
