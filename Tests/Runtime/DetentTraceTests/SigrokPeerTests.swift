import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentTrace

private let sigrok = ["/usr/bin/sigrok-cli", "/usr/local/bin/sigrok-cli"]
    .first { (path: String) in access(path, X_OK) == 0 }

/// The real sigrok-cli reads our VCD, and we read the session that it makes of it.
@Suite(
    .enabled(
        if: sigrok != nil,
        "sigrok-cli is not installed (Debian: apt-get install sigrok-cli)"))
struct SigrokPeerTests {
    @Test(arguments: [1 as UInt64, 2, 3])
    func traceBecomesASessionThatWeRead(seed: UInt64) throws {
        var random = Seeded(seed)
        var capture = random.capture()
        let last = capture.edges.last?.at ?? Instant(nanoseconds: 1_000)
        let directory = try temporaryDirectory()
        defer { remove(directory) }
        let trace = directory + "/trace.vcd"
        let session = directory + "/trace.sr"
        defer { for path in [trace, session] { remove(path) } }
        try write(capture, to: trace, until: last + .microseconds(5))
        // All times are whole microseconds; without this it makes a sample of each nanosecond.
        let input = ["-I", "vcd:downsample=1000", "-i", trace]
        let hasSucceeded = run([sigrok ?? "", "-l", "1"] + input + ["-O", "srzip", "-o", session])
        try #require(hasSucceeded)

        let read = try Capture(path: session)
        expectEqual(read.lines, capture.lines, "seed \(seed)")
        expectEqual(read.initialLevels, capture.initialLevels, "seed \(seed)")
        // At one time sigrok has the order of the channels, and no two edges of one line.
        capture.edges = Self.settled(capture)
        expectEqual(read.edges, capture.edges, "seed \(seed)")
    }

    /// What is left of edges at one time: at most one for each line, in order of the lines.
    private static func settled(_ capture: Capture) -> [Capture.Edge] {
        var result: [Capture.Edge] = []
        var levels = capture.initialLevels
        var group: [UInt16: Bool] = [:]
        for (index, edge) in capture.edges.enumerated() {
            group[edge.line] = edge.isHigh
            let isLast = index + 1 == capture.edges.count || capture.edges[index + 1].at != edge.at
            if !isLast { continue }
            for (line, isHigh) in group.sorted(by: { $0.key < $1.key })
            where levels[Int(line)] != isHigh {
                levels[Int(line)] = isHigh
                result.append(Capture.Edge(at: edge.at, line: line, isHigh: isHigh))
            }
            group = [:]
        }
        return result
    }

    /// With a text and a number beside the wires, which sigrok is to pass over.
    private func write(_ capture: Capture, to path: String, until end: Instant) throws {
        var signals = capture.lines.map { VCDSignal(scope: "panel", name: $0, kind: .wire) }
        let text = signals.count
        signals.append(VCDSignal(scope: "panel", name: "value", kind: .text))
        signals.append(VCDSignal(scope: "panel", name: "level", kind: .number))
        var writer = try VCDWriter(TraceFile(path: path), signals: signals)
        for (line, level) in capture.initialLevels.enumerated() {
            if let level { try writer.write(line, .bit(level), at: .zero) }
        }
        for (index, edge) in capture.edges.enumerated() {
            try writer.write(Int(edge.line), .bit(edge.isHigh), at: edge.at)
            try writer.write(text, .text("word \(index % 7)"), at: edge.at)
            try writer.write(text + 1, .number(Double(index % 100)), at: edge.at)
        }
        try writer.advance(to: end)
        _ = try writer.finish()
    }

    private func temporaryDirectory() throws -> String {
        var template = Array("/tmp/detent-trace-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Runs a program to its end; true where it succeeded.
    private func run(_ arguments: [String]) -> Bool {
        var process: pid_t = 0
        let copies = arguments.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var status: Int32 = -1
        guard posix_spawn(&process, arguments[0], nil, nil, copies, nil) == 0 else { return false }
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}
