import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentTrace

/// Captures that are read edge by edge are those that are read as a whole.
@Suite struct CaptureStreamTests {
    private static func csv(_ capture: Capture) -> [UInt8] {
        var text = "t_ns,line,value\n"
        for (name, level) in zip(capture.lines, capture.initialLevels) {
            guard let level else { continue }
            text += "0,\(name),\(level ? 1 : 0)\n"
        }
        for edge in capture.edges {
            text += "\(edge.at.nanoseconds),\(capture.lines[Int(edge.line)]),"
            text += edge.isHigh ? "1\n" : "0\n"
        }
        return Array(text.utf8)
    }

    /// What a stream gives, as a capture.
    private static func whole(
        _ bytes: [UInt8], _ format: CaptureFormat
    ) throws(CaptureError) -> Capture {
        let stream = try CaptureStream(bytes, format: format)
        var capture = stream.head
        while let edge = try stream.next() { capture.edges.append(edge) }
        return capture
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func aStreamIsTheCapture(seed: UInt64) throws {
        var random = Seeded(seed)
        let capture = random.capture()
        expectEqual(try Self.whole(Self.csv(capture), .csv), capture, "seed \(seed)")
    }

    /// The same problems in the same order, and the same edges, of files of every format.
    @Test(arguments: CaptureFormat.allCases, [1, 2] as [UInt64])
    func damagedFilesAreTheSame(format: CaptureFormat, seed: UInt64) throws {
        var random = Seeded(seed)
        let original = try FuzzTests.original(format)
        for round in 0..<TestLength.size(short: 125, long: 500) {
            let bytes = random.damaged(original)
            let read = Result { () throws(CaptureError) in try Capture(bytes, format: format) }
            let streamed = Result { () throws(CaptureError) in try Self.whole(bytes, format) }
            expectEqual(read, streamed, "seed \(seed), round \(round)")
        }
    }

    @Test func linesOfManyNamesAreFound() throws {
        var text = "t_ns,line,value\n"
        for line in 0..<600 { text += "\(line + 1),line \(line),1\n" }
        for line in 0..<600 { text += "\(line + 601),line \(line),0\n" }
        let capture = try Self.whole(Array(text.utf8), .csv)
        #expect(capture.lines.count == 600 && capture.edges.count == 1_200)
        expectEqual(capture.edges.suffix(600).map(\.line), (0..<600).map { UInt16($0) })
    }

    @Test func theLargestTimeAndTheNextAreTold() throws {
        let largest = "t_ns,line,value\n18446744073709551615,A,1\n"
        expectEqual(try Self.whole(Array(largest.utf8), .csv).edges.map(\.at.nanoseconds), [.max])
        #expect(throws: CaptureError.self) {
            try Self.whole(Array("t_ns,line,value\n18446744073709551616,A,1\n".utf8), .csv)
        }
    }

    /// A file that grows or changes between the two readings ends with an error, never with a trap.
    @Test func aFileThatChangesIsAnError() throws {
        let path = "/tmp/detent-stream-\(getpid()).csv"
        defer { unlink(path) }
        try Self.write("t_ns,line,value\n10,A,1\n", path)
        let stream = try CaptureStream(path: path)
        expectEqual(stream.head.lines, ["A"])
        try Self.write("t_ns,line,value\n10,A,1\n20,B,1\n", path)
        _ = try? stream.next()
        #expect(throws: CaptureError.self) { while try stream.next() != nil {} }
    }

    private static func write(_ text: String, _ path: String) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
    }
}
