import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentTrace

/// What a recorder writes, `replay` reads.
@Suite struct RecorderTests {
    private static let formats = ["csv", "vcd", "sr"]

    private func temporaryDirectory() throws -> String {
        var template = Array("/tmp/detent-recorder-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func record(
        _ capture: Capture, to path: String, savingEvery count: Int = .max
    ) throws {
        let recorder = try Capture.recorder(
            path: path, lines: capture.lines,
            initialLevels: capture.initialLevels.map { $0 == true })
        for (place, edge) in capture.edges.enumerated() {
            try recorder.add(edge)
            if place % count == count - 1 { try recorder.save(at: edge.at) }
        }
        try recorder.save(at: (capture.edges.last?.at ?? .zero) + .milliseconds(1))
    }

    /// Twelve lines, so that a sample of sigrok needs two bytes.
    private func random(_ seed: UInt64, count: Int = 2_000) -> Capture {
        var random = SplitMix64(seed: seed)
        var levels = (0..<12).map { _ in random.chance(percent: 50) }
        var capture = Capture(
            lines: (0..<12).map { "GPIO\($0)" }, initialLevels: levels.map { $0 })
        var now: UInt64 = 0
        for _ in 0..<count {
            now += 1_000 * (1 + random.below(random.chance(percent: 1) ? 20_000 : 50))
            let line = Int(random.below(12))
            levels[line].toggle()
            capture.edges.append(
                Capture.Edge(
                    at: Instant(nanoseconds: now), line: UInt16(line), isHigh: levels[line]))
        }
        return capture
    }

    @Test(arguments: formats, TestLength.some(of: [1 as UInt64, 2, 3], every: 3))
    func replayReadsTheSame(format: String, seed: UInt64) throws {
        let directory = try temporaryDirectory()
        defer { remove(directory) }
        let path = "\(directory)/capture.\(format)"
        defer { remove(path) }
        let capture = random(seed)
        for count in [Int.max, 100] {
            try record(capture, to: path, savingEvery: count)
            let read = try Capture(path: path)
            expectEqual(read.lines, capture.lines)
            expectEqual(read.initialLevels, capture.initialLevels)
            expectEqual(read.edges, capture.edges, "seed \(seed)")
        }
    }

    /// Sigrok has samples of a microsecond: no edge is lost, and none is later by more than one
    /// sample for each edge of the same microsecond.
    @Test func edgesOfOneMicrosecondAreKeptBySigrok() throws {
        let directory = try temporaryDirectory()
        defer { remove(directory) }
        let path = directory + "/capture.sr"
        defer { remove(path) }
        let edges = (0..<4).map {
            Capture.Edge(at: Instant(nanoseconds: 5_100 + $0 * 200), line: 0, isHigh: $0 % 2 == 0)
        }
        try record(Capture(lines: ["A"], initialLevels: [false], edges: edges), to: path)
        let read = try Capture(path: path)
        expectEqual(read.edges.map(\.at.nanoseconds), [5_000, 6_000, 7_000, 8_000])
        expectEqual(read.edges.map(\.isHigh), [true, false, true, false])
    }

    /// A recording without an edge is a capture of the levels.
    @Test(arguments: formats) func aQuietRecordingIsWhole(format: String) throws {
        let directory = try temporaryDirectory()
        defer { remove(directory) }
        let path = "\(directory)/capture.\(format)"
        defer { remove(path) }
        try record(Capture(lines: ["A", "B"], initialLevels: [true, false]), to: path)
        let read = try Capture(path: path)
        expectEqual(read.lines, ["A", "B"])
        expectEqual(read.initialLevels, [true, false])
        #expect(read.edges.isEmpty)
    }

    /// What a disk leaves that fills before the first save.
    @Test func aSessionIsReadableFromItsStart() throws {
        let directory = try temporaryDirectory()
        defer { remove(directory) }
        let path = directory + "/capture.sr"
        defer { remove(path) }
        let recorder = try Capture.recorder(
            path: path, lines: ["A", "B"], initialLevels: [true, false])
        try withExtendedLifetime(recorder) {
            let read = try Capture(path: path)
            expectEqual(read.initialLevels, [true, false])
            #expect(read.edges.isEmpty)
        }
    }

    /// A second without an edge is a million samples, packed to a few kilobytes.
    @Test func longSilenceIsPacked() throws {
        let directory = try temporaryDirectory()
        defer { remove(directory) }
        let path = directory + "/capture.sr"
        defer { remove(path) }
        let recorder = try Capture.recorder(path: path, lines: ["A"], initialLevels: [false])
        for second in 1...3 as ClosedRange<UInt64> {
            let at = Instant(
                nanoseconds: second * UInt64(TestLength.size(short: 3, long: 10)) * 100_000_000)
            try recorder.add(Capture.Edge(at: at, line: 0, isHigh: second % 2 == 1))
            try recorder.save(at: at)
        }
        expectEqual(try Capture(path: path).edges.count, 3)
        var information = stat()
        stat(path, &information)
        #expect(information.st_size < 50_000, "\(information.st_size) bytes")
    }

    @Test func otherExtensionsAndNamesAreRefused() {
        #expect(throws: TraceError.self) {
            try Capture.recorder(path: "/tmp/capture.txt", lines: ["A"], initialLevels: [false])
        }
        #expect(throws: TraceError.self) {
            try Capture.recorder(path: "/nowhere/a.csv", lines: ["A"], initialLevels: [false])
        }
    }
}
