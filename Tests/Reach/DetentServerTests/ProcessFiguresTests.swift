import DetentCore
import DetentPanel
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentServer

/// The version, the processes and the queue in the figures.
@Suite struct ProcessFiguresTests {
    /// A line of Linux 6.1, of a process whose name is chosen to mislead.
    private static let line =
        "4711 (a ) S (b) S 80 4711 80 0 -1 4194560 5000 0 20 0 1234 66 0 0 20 0 5 0 250000 "
        + "300000000 1500 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0"

    @Test func aLineOfTheKernelIsRead() throws {
        let figures = try #require(ProcessFigures(Self.line, ticks: 100, pageBytes: 4_096))
        expectEqual(figures.residentBytes, 1_500 * 4_096)
        expectEqual(figures.processorSeconds, "13.00")
        expectEqual(figures.startedAfter, 2_500_000)
        let finer = try #require(ProcessFigures(Self.line, ticks: 1_024, pageBytes: 16_384))
        #expect(finer.residentBytes == 1_500 * 16_384 && finer.processorSeconds == "1.26")
        expectEqual(finer.startedAfter, 244_140)
    }

    @Test(arguments: [
        "", "4711", ")", "4711 (a) S 80", "1 (a) S x x x x x x x x x x x x x x x x x x x x x x x",
    ]) func otherTextsAreNot(text: String) {
        #expect(ProcessFigures(text, ticks: 100, pageBytes: 4_096) == nil)
        for length in 0..<Self.line.count - 100 where length % 7 == 0 {
            // No part of a line traps.
            _ = ProcessFigures(String(Self.line.prefix(length)), ticks: 100, pageBytes: 4_096)
        }
    }

    /// The figures of this process agree with what the system says of it otherwise.
    @Test func thisProcessIsKnown() throws {
        let probe = try #require(ProcessProbe(getpid(), named: "test"))
        let first = try #require(probe.read())
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #expect(first.residentBytes > 1_000_000)
        #expect(first.residentBytes <= UInt64(usage.ru_maxrss) * 1_024)
        let used = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        let shown = try #require(Double(first.processorSeconds))
        #expect(shown >= 0 && shown <= used + 2)
        let start = try #require(Double(probe.startSeconds(first)))
        let age = Double(time(nil)) - start
        #expect(age >= -1 && age < 86_400, "\(age)")
        let again = try #require(probe.read())
        expectEqual(again.startedAfter, first.startedAfter)
        expectEqual(probe.startSeconds(again), probe.startSeconds(first), "a start does not change")
    }

    @Test func aProcessThatHasEndedHasNoFigures() throws {
        var child = pid_t()
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("100"), nil]
        defer { words.forEach { free($0) } }
        try #require(posix_spawn(&child, "/bin/sleep", nil, nil, &words, environ) == 0)
        let probe = try #require(ProcessProbe(child, named: "child"))
        #expect(probe.read() != nil)
        kill(child, SIGKILL)
        while waitpid(child, nil, 0) < 0, errno == EINTR {}
        #expect(probe.read() == nil)
        #expect(ProcessProbe(child, named: "child") == nil)
    }

    /// The lines of figures that a panel gives.
    private func lines(_ bench: HubBench) -> [Substring] {
        let response = HTTPResponse(metricsOf: bench.hub)
        return String(decoding: response.body, as: UTF8.self).split(separator: "\n")
    }

    @Test func theVersionIsNamed() throws {
        let bench = try HubBench()
        #expect(!lines(bench).contains { $0.contains("build_info") })
        bench.hub.version = "0.9.1"
        #expect(lines(bench).contains(#"detent_build_info{version="0.9.1"} 1"#))
    }

    @Test func eachProcessHasItsFigures() throws {
        let bench = try HubBench()
        #expect(!lines(bench).contains { $0.hasPrefix("process_") })
        bench.hub.processes = try ["panel", "gateway"].map {
            try #require(ProcessProbe(getpid(), named: $0))
        }
        let all = lines(bench)
        for name in ["resident_memory_bytes", "cpu_seconds_total", "start_time_seconds"] {
            for process in ["panel", "gateway"] {
                let line = all.first { $0.hasPrefix("process_\(name){process=\"\(process)\"} ") }
                let value = line.flatMap { Double($0.split(separator: " ")[1]) }
                #expect(try #require(value, "\(name) \(process)") >= 0)
            }
            expectEqual(all.count { $0.hasPrefix("# TYPE process_\(name) ") }, 1)
        }
    }

    /// A change that waits for the panel is in the queue until its answer.
    @Test func requestsThatWaitAreCounted() throws {
        let bench = try HubBench()
        #expect(lines(bench).contains(#"detent_queue_length{queue="requests"} 0"#))
        let body = JSONValue.object([("value", .string("on"))])
        bench.hub.change("output", body, origin: .api, as: Caller(role: .operate), now: bench.now) {
            _ in
        }
        #expect(lines(bench).contains(#"detent_queue_length{queue="requests"} 1"#))
        bench.drain()
        #expect(lines(bench).contains(#"detent_queue_length{queue="requests"} 0"#))
    }
}
