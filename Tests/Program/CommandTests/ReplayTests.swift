import TestSupport
import Testing

/// `detent replay`: captures through the core in virtual time.
@Suite struct ReplayTests {
    /// A press of 50 ms at 10 ms whose contact bounces at both ends; GPIO22 is pulled up.
    static let bouncing = """
        t_ns,line,value
        0,GPIO22,1
        10000000,GPIO22,0
        10300000,GPIO22,1
        10700000,GPIO22,0
        11000000,GPIO22,1
        11400000,GPIO22,0
        60000000,GPIO22,1
        60300000,GPIO22,0
        60500000,GPIO22,1
        60900000,GPIO22,0
        61200000,GPIO22,1

        """

    static func replay(_ capture: String, _ options: [String] = []) -> Program.Result {
        let file = TemporaryFile("capture.csv", capture)
        return Program.run(["replay", Program.panel, file.path] + options)
    }

    @Test func bouncingContactIsOnePressAndOneRelease() {
        let result = Self.replay(Self.bouncing)
        expectEqual(result.code, 0, "\(result)")
        expectEqual(result.lines.count { $0.contains("\"pressed\"") }, 1, "\(result.output)")
        expectEqual(result.lines.count { $0.contains("\"released\"") }, 1, "\(result.output)")
    }

    @Test func equalInputsGiveEqualBytes() {
        let first = Self.replay(Self.bouncing)
        let second = Self.replay(Self.bouncing)
        #expect(!first.output.isEmpty)
        expectEqual(first.output, second.output)
    }

    @Test func untilEndsIt() {
        let result = Self.replay(Self.bouncing, ["--until", "20ms"])
        expectEqual(result.code, 0)
        #expect(result.output.contains("\"pressed\""))
        #expect(!result.output.contains("\"released\""))
        expectEqual(Self.replay(Self.bouncing, ["--until", "20"]).code, 2)
    }

    /// It would look like a panel that nobody touched.
    @Test func aCaptureWithoutALineIsAnError() {
        let result = Self.replay("t_ns,line,value\n")
        expectEqual(result.code, 1, "\(result)")
        #expect(result.errors.contains("the capture has no line\nhelp: "))
        expectEqual(result.output, "")
    }

    static let malformed: [(rows: String, place: String)] = [
        ("", "1:1"),
        ("10,GPIO22,0\n", "1:1"),
        ("t_ns,line,value\n10,GPIO22,0\n9,GPIO22,1\n", "3:1"),
        ("t_ns,line,value\nsoon,GPIO22,0\n", "2:1"),
        ("t_ns,line,value\n-1,GPIO22,0\n", "2:1"),
        ("t_ns,line,value\n1e3,GPIO22,0\n", "2:1"),
        ("t_ns,line,value\n99999999999999999999,GPIO22,0\n", "2:1"),
        ("t_ns,line,value\n10,GPIO22,2\n", "2:11"),
        ("t_ns,line,value\n10,GPIO22\n", "2:1"),
        ("t_ns,line,value\n10,GPIO22,0,1\n", "2:1"),
    ]

    @Test(arguments: malformed) func malformedCaptureIsToldByPlace(_ rows: String, _ place: String)
    {
        let file = TemporaryFile("capture.csv", rows)
        let result = Program.run("replay", Program.panel, file.path)
        expectEqual(result.code, 2, "\(result)")
        #expect(result.output.isEmpty)
        #expect(
            result.errors.hasPrefix("\(file.path):\(place): error: "), "\(result.errors)")
        #expect(result.errors.contains("help: "))
    }

    /// An analyser has more channels than the panel has lines.
    @Test func unusedChannelsAreNamedOnceAndLeftOut() {
        let rows = Self.bouncing.replacing(
            "\n0,GPIO22,1\n", with: "\n0,GPIO22,1\n0,D1,0\n0,D2,0\n")
        let result = Self.replay(rows + "90000000,D1,1\n91000000,D2,1\n")
        expectEqual(result.code, 0, "\(result)")
        expectEqual(result.errors.components(of: "D1"), 1, "\(result.errors)")
        #expect(result.errors.contains("ignored D1, D2: the panel has no such input line"))
        expectEqual(result.output, Self.replay(Self.bouncing).output)
    }

    @Test func aCaptureWithoutAnyLineOfThePanelIsAnError() {
        let file = TemporaryFile("capture.csv", "t_ns,line,value\n10,GPIO98,0\n20,GPIO99,0\n")
        let result = Program.run("replay", Program.panel, file.path)
        expectEqual(result.code, 2, "\(result)")
        #expect(result.errors.contains("GPIO99"), "\(result.errors)")
        #expect(result.errors.contains("GPIO22"), "what there is: \(result.errors)")
        let mapped = Program.run(
            "replay", Program.panel, file.path, "--map", "GPIO99=GPIO17")
        expectEqual(mapped.code, 0, "\(mapped)")
        expectEqual(Program.run("replay", Program.panel, file.path, "--map", "GPIO99").code, 2)
    }

    @Test(arguments: ["/nonexistent.csv", "/tmp", "/dev/zero", "capture.txt"])
    func unreadableCaptureIsUsage(_ path: String) {
        let result = Program.run("replay", Program.panel, path)
        expectEqual(result.code, 2, "\(result)")
        #expect(result.errors.contains("help: "), "\(result.errors)")
    }

    @Test(arguments: [UInt64.max, UInt64.max - 1, 1 << 63]) func farFutureIsReached(_ at: UInt64) {
        let result = Self.replay(
            "t_ns,line,value\n0,GPIO22,1\n\(at),GPIO22,0\n", ["--until", "1s"])
        expectEqual(result.code, 0, "\(result)")
    }

    @Test(arguments: [">/dev/full", ">&-"]) func outputThatCannotBeWrittenIsSaid(_ redirect: String)
    {
        let file = TemporaryFile("capture.csv", Self.bouncing)
        let result = Program.run(["replay", Program.panel, file.path], redirect: redirect)
        expectEqual(result.code, 1, "\(result)")
        #expect(result.errors.contains("standard output cannot be written"), "\(result.errors)")
        #expect(result.errors.contains("help: "))
    }
}
