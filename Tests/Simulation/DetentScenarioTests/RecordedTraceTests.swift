import DetentScenario
import DetentPanel
import DetentTrace
import DetentTypes
import DetentWorld
import Glibc
import TestSupport
import Testing

private let sigrok = ["/usr/bin/sigrok-cli", "/usr/local/bin/sigrok-cli"]
    .first { (path: String) in access(path, X_OK) == 0 }

/// What a run in virtual time leaves as a VCD file.
@Suite struct RecordedTraceTests {
    static let scenario =
        "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/")
        + "/Fixtures/lamp.scenario.yaml"

    private func result() throws -> ScenarioResult {
        guard case .ran(let result) = ScenarioFile.run(Self.scenario, isTraced: true) else {
            throw Unreadable()
        }
        return result
    }

    private struct Unreadable: Error {}

    private func bytes() throws -> [UInt8] {
        let result = try result()
        let plan = try #require(result.plan)
        return try RecordedTrace.write(
            result.record, of: plan, until: .zero + result.duration, to: TraceMemory()
        ).bytes
    }

    @Test func aShortRunGivesTheseBytes() throws {
        expectEqual(String(decoding: try bytes(), as: UTF8.self), Self.expected)
    }

    @Test func aRunThatNobodyTracesRecordsNothingForIt() throws {
        guard case .ran(let result) = ScenarioFile.run(Self.scenario) else { throw Unreadable() }
        #expect(result.record.changes.isEmpty)
        #expect(!result.record.entries.isEmpty)
    }

    @Test func aPowerCutLeavesNothingKnown() throws {
        let text = """
            panel: \(Self.scenario.dropLast(14)).yaml
            steps:
              - flip: {light: on}
              - power-cut: 1s

            """
        let reading = ScenarioReader.read(SourceText(file: "t.yaml", text: text))
        let scenario = try #require(reading.scenario, "\(reading.problems)")
        let result = VirtualPlayer.run(scenario, isTraced: true)
        let trace = try RecordedTrace.write(
            result.record, of: scenario.plan, until: .zero + result.duration, to: TraceMemory())
        let blocks = String(decoding: trace.bytes, as: UTF8.self).split(separator: "#")
        // At 20 ms the lever is heard, and then the power goes.
        let dark = try #require(blocks.first { $0.hasPrefix("20000000\n") })
        #expect(dark.hasSuffix("x!\nx%\nx&\ns? (\ns? )\ns? *\nx+\nx,\nx.\nx/\nrnan :\ns? ;\n"))
        let again = try #require(blocks.first { $0.hasPrefix("1020000000\n") })
        #expect(again.contains("0!\n"))
        #expect(again.contains("son (\n"))
    }

    @Test func aTraceReplaysAsACapture() throws {
        let path = try temporary("vcd", try bytes())
        defer { unlink(path) }
        let capture = try Capture(path: path)
        let lever = try #require(capture.lines.firstIndex(of: "SW"))
        expectEqual(capture.initialLevels[lever], true)
        let edges = capture.edges.filter { Int($0.line) == lever }
        expectEqual(edges.map(\.at), [.zero + .milliseconds(300)])
        expectEqual(edges.map(\.isHigh), [false])
    }

    @Test(
        .enabled(
            if: sigrok != nil,
            "sigrok-cli is not installed (Debian: apt-get install sigrok-cli)"))
    func sigrokReadsIt() throws {
        let trace = try temporary("vcd", try bytes())
        let table = try temporary("csv", [])
        defer { for path in [trace, table] { unlink(path) } }
        // One sample a millisecond.
        let input = ["-I", "vcd:downsample=1000000", "-i", trace, "-O", "csv", "-o", table]
        try #require(run([sigrok ?? ""] + input))
        let text = String(decoding: try SourceText.read(file: table).bytes, as: UTF8.self)
        #expect(text.contains("(7/7): SW, SW_contact, LED, A, A_contact, B, B_contact\n"))
        let rows = text.split(separator: "\n").filter { $0.first == "0" || $0.first == "1" }
        expectEqual(rows.count, 512)
        let light = rows.map { $0.prefix(5) }
        expectEqual(light[299], "1,0,1")
        expectEqual(light[301], "0,0,0")
        expectEqual(light[321], "0,1,1")
    }

    private func temporary(_ kind: String, _ bytes: [UInt8]) throws -> String {
        var template = Array("/tmp/detent-trace-XXXXXX.\(kind)".utf8CString)
        let file = mkstemps(&template, Int32(kind.utf8.count + 1))
        try #require(file >= 0)
        close(file)
        let path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var output = try TraceFile(path: path)
        try output.write(bytes)
        return path
    }

    /// Runs a program to its end; true where it succeeded. What it says is not of interest.
    private func run(_ arguments: [String]) -> Bool {
        var process: pid_t = 0
        let copies = arguments.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var status: Int32 = -1
        guard posix_spawn(&process, arguments[0], &actions, nil, copies, nil) == 0 else {
            return false
        }
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }

    private static let expected = """
        $version Detent $end
        $timescale 1 ns $end
        $scope module light $end
        $var wire 1 ! SW $end
        $var wire 1 % SW_contact $end
        $var wire 1 & LED $end
        $var string 1 ( value $end
        $var string 1 ) phase $end
        $var string 1 * indicator $end
        $upscope $end
        $scope module level $end
        $var wire 1 + A $end
        $var wire 1 , A_contact $end
        $var wire 1 . B $end
        $var wire 1 / B_contact $end
        $var real 64 : value $end
        $var string 1 ; phase $end
        $upscope $end
        $enddefinitions $end
        #0
        $dumpvars
        x!
        x%
        x&
        s? (
        s? )
        s? *
        x+
        x,
        x.
        x/
        rnan :
        s? ;
        $end
        0&
        1!
        0%
        soff (
        sidle )
        soff *
        0,
        0/
        r0.0 :
        sidle ;
        1+
        1.
        spending )
        #150000000
        sloading )
        sblink *
        1&
        #200000000
        sidle )
        #300000000
        0&
        0!
        #320000000
        1%
        son (
        spending )
        1&
        #450000000
        ssteady *
        #470000000
        sloading )
        sblink *
        0+
        1,
        #482500000
        0.
        1/
        #484000000
        0&
        #495000000
        1+
        0,
        #507500000
        1.
        0/
        #507500001
        r0.5 :
        #512500000

        """
}
