import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentTrace

/// Captures with the samples of analog lines beside the levels of others.
struct SampleCaptureTests {
    private static let edges = [
        Capture.Edge(at: .zero, line: 1, sample: 12_000),
        Capture.Edge(at: Instant(nanoseconds: 5_000), line: 0, isHigh: true),
        Capture.Edge(at: Instant(nanoseconds: 20_000_000), line: 1, sample: 0),
        Capture.Edge(at: Instant(nanoseconds: 40_000_000), line: 1, sample: -1),
        Capture.Edge(at: Instant(nanoseconds: 40_000_000), line: 0, isHigh: false),
        Capture.Edge(at: Instant(nanoseconds: 60_000_000), line: 1, sample: .max),
    ]

    private static func record(_ path: String) throws {
        let recorder = try Capture.recorder(
            path: path, lines: ["GPIO17", "ads1015:0"], initialLevels: [false, nil])
        for edge in edges { try recorder.add(edge) }
        try recorder.save(at: Instant(nanoseconds: 61_000_000))
    }

    @Test(arguments: ["csv", "vcd"]) func whatIsRecordedIsRead(format: String) throws {
        let path = "/tmp/detent-samples-\(getpid()).\(format)"
        defer { unlink(path) }
        try Self.record(path)
        let stream = try CaptureStream(path: path, analog: ["ads1015:0"])
        expectEqual(stream.head.lines, ["GPIO17", "ads1015:0"])
        expectEqual(stream.head.initialLevels, [false, nil])
        var read: [Capture.Edge] = []
        while let edge = try stream.next() { read.append(edge) }
        expectEqual(read, Self.edges)
    }

    @Test func aSessionOfSigrokHasNoSamples() {
        #expect {
            try Capture.recorder(
                path: "/tmp/detent-samples.sr", lines: ["A", "B"], initialLevels: [false, nil])
        } throws: { error in
            let problem = error as? TraceError
            return problem?.cause.contains("`B` is analog") == true
                && problem?.remedy.contains(".csv") == true
        }
    }

    @Test(arguments: ["1.5", "", "x", "2147483648"])
    func onlyAWholeNumberIsASample(word: String) {
        #expect {
            try CaptureStream(
                Array("t_ns,line,value\n0,A,1\n5,P,\(word)\n".utf8), format: .csv, analog: ["P"])
        } throws: { error in
            let problem = (error as? CaptureError)?.problems.first
            return problem?.cause == "`\(word)` is not a sample" && problem?.line == 3
        }
    }

    /// A number is no level of a line that is not analog, and 0 and 1 are samples of one that is.
    @Test func theNameDecides() throws {
        let text = Array("t_ns,line,value\n0,P,1\n5,P,0\n7,P,1\n".utf8)
        let stream = try CaptureStream(text, format: .csv, analog: ["P"])
        var samples: [Int32?] = []
        while let edge = try stream.next() { samples.append(edge.sample) }
        expectEqual(samples, [1, 0, 1])
        #expect(throws: CaptureError.self) {
            try CaptureStream(Array("t_ns,line,value\n5,P,20\n".utf8), format: .csv)
        }
    }
}
