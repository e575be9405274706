import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentTrace

/// Session files of sigrok.
@Suite struct SigrokTests {
    private static func metadata(
        rate: String = "1 MHz", unitSize: String = "1",
        channels: [String] = ["probe1=D0", "probe2=D1"]
    ) -> String {
        """
        [global]
        sigrok version=0.5.2

        [device 1]
        capturefile=logic-1
        total probes=\(channels.count)
        samplerate=\(rate)
        total analog=0
        \(channels.joined(separator: "\n"))
        unitsize=\(unitSize)
        """
    }

    private func problem(_ bytes: [UInt8]) -> String? {
        do throws(CaptureError) {
            _ = try Capture(bytes, format: .sigrok)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [true, false])
    func samplesBecomeEdges(isDeflated: Bool) throws {
        let bytes = ArchiveBuilder.session(
            metadata: Self.metadata(), pieces: [[1, 1, 3], [3, 2], [0xF2]],
            isDeflated: isDeflated)
        let capture = try Capture(bytes, format: .sigrok)
        expectEqual(capture.lines, ["D0", "D1"])
        expectEqual(capture.initialLevels, [true, false])
        let edges = capture.edges.map { "\($0.at.nanoseconds) \($0.line) \($0.isHigh)" }
        expectEqual(edges, ["2000 1 true", "4000 0 false"])
    }

    /// Above 1 GHz the second sample is less than a nanosecond after the first.
    @Test(arguments: ["2 GHz", "330222064086 MHz"])
    func noEdgeIsAtTheBeginning(rate: String) throws {
        let bytes = ArchiveBuilder.session(
            metadata: Self.metadata(rate: rate), pieces: [[0, 1, 0]])
        let capture = try Capture(bytes, format: .sigrok)
        expectEqual(capture.edges.map(\.at), [.zero + .nanoseconds(1), .zero + .nanoseconds(1)])
    }

    @Test func wideSamplesMayBeCutBetweenPieces() throws {
        let bytes = ArchiveBuilder.session(
            metadata: Self.metadata(
                rate: "3 kHz", unitSize: "2", channels: ["probe1=A", "probe10=B"]),
            pieces: [[0, 0, 0], [2, 1], [0, 7]])
        let capture = try Capture(bytes, format: .sigrok)
        expectEqual(capture.lines, ["A", "B"])
        let edges = capture.edges.map { "\($0.at.nanoseconds) \($0.line) \($0.isHigh)" }
        expectEqual(edges, ["333333 1 true", "666666 0 true", "666666 1 false"])
        expectEqual(capture.notes, ["the last sample is truncated and was ignored"])
    }

    @Test(arguments: [
        ("1 MHz", 1_000_000 as UInt64?), ("12.5 kHz", 12_500), ("1.500 MHz", 1_500_000),
        ("200", 200), ("7 Hz", 7), ("2 GHz", 2_000_000_000), ("1.5 Hz", nil), ("fast", nil),
        ("1 THz", nil), ("", nil), ("1..5 MHz", nil), ("-1 MHz", nil),
    ])
    func rateIsRead(text: String, expected: UInt64?) {
        expectEqual(SigrokMetadata.rate(text), expected)
    }

    @Test(arguments: [
        (
            metadata(rate: "0 Hz"),
            "the session has no sample rate; "
                + "record with `sigrok-cli --config samplerate=1m`"
        ),
        (metadata(rate: "soon"), "`soon` is not a sample rate; write one such as `1 MHz`"),
        (metadata(unitSize: "0"), "`0` is not a sample size; write 1 to 512 bytes"),
        (
            metadata(channels: []),
            "the session has no logic channels; record logic channels, not analog ones"
        ),
        (
            metadata(channels: ["probe9=X"]),
            "channel 9 does not fit into samples of 1 bytes; save the session with sigrok again"
        ),
        (
            metadata(channels: ["probe1=X", "probe2=X"]),
            "two channels have one name; name each channel differently"
        ),
    ])
    func metadataProblemIsNamed(metadata: String, expected: String) {
        let bytes = ArchiveBuilder.session(metadata: metadata, pieces: [[0]])
        expectEqual(problem(bytes), "error: \(expected)")
    }

    @Test func whatIsNoSessionIsSaidSo() {
        expectEqual(
            problem(Array("hello".utf8)),
            "error: not a ZIP archive; use a sigrok session file, version 2 (.sr)")
        expectEqual(
            problem(ArchiveBuilder().finished()),
            "error: no `version` in the archive; "
                + "use a sigrok session file, version 2 (.sr)")
        expectEqual(
            problem(
                ArchiveBuilder.session(metadata: Self.metadata(), pieces: [[0]], version: "1")),
            "error: a session of version `1`; "
                + "save it again with sigrok 0.2 or later (version 2)")
        expectEqual(
            problem(ArchiveBuilder.session(metadata: Self.metadata(), pieces: [])),
            "error: no samples (`logic-1-1`) in the archive; record the capture again")
    }

    @Test func wrongChecksumIsFound() {
        var bytes = ArchiveBuilder.session(
            metadata: Self.metadata(), pieces: [[1, 1, 1, 1]], isDeflated: false)
        let place = bytes.count - 1 - (bytes.reversed().firstIndex(of: 0x01) ?? 0)
        #expect(problem(bytes) == nil)
        // The samples are the only run of four ones.
        if let start = bytes.indices.dropLast(3).first(where: {
            bytes[$0..<($0 + 4)].elementsEqual([1, 1, 1, 1])
        }) {
            bytes[start] = 0
        }
        #expect(place > 0)
        expectEqual(
            problem(bytes),
            "error: the ZIP archive is damaged: "
                + "`logic-1-1` does not match its checksum; copy the file again")
    }

    @Test func longCaptureIsInflatedPieceByPiece() throws {
        // Samples that deflate to a few kilobytes.
        let count = TestLength.size(short: 1, long: 4) << 20
        var samples = [UInt8](repeating: 0, count: count)
        for index in stride(from: 0, to: samples.count, by: 4_096) {
            for place in index..<(index + 2_048) { samples[place] = 1 }
        }
        let bytes = ArchiveBuilder.session(metadata: Self.metadata(), pieces: [samples])
        let capture = try Capture(bytes, format: .sigrok)
        expectEqual(capture.edges.count, count / 2_048 - 1)
        expectEqual(capture.edges.last?.at, Instant(nanoseconds: UInt64(count - 2_048) * 1_000))
    }
}
