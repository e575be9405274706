import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentTrace

/// Value change dumps, read and written.
@Suite struct VCDTests {
    private func read(_ text: String) throws -> Capture {
        try Capture(Array(text.utf8), format: .vcd)
    }

    private func problems(_ text: String) -> [String] {
        do throws(CaptureError) {
            _ = try Capture(Array(text.utf8), format: .vcd)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    private static let sample = """
        $date today $end $version some tool $end
        $timescale 10 us $end
        $scope module top $end
        $var wire 1 ! A $end
        $scope module inner $end
        $var reg 1 " B [0] $end
        $var wire 8 # bus [7:0] $end
        $var real 64 $ voltage $end
        $var wire 1 ! alias $end
        $upscope $end $upscope $end
        $enddefinitions $end
        #0 $dumpvars 1! x" b00000000 # r1.5 $ $end
        #1 0! b11 # $comment 1! $end
        #2 1" 0!
        #3 z! b1 !
        #3 sword %
        """

    @Test func wiresOfOneBitAreLines() throws {
        let capture = try read(Self.sample)
        expectEqual(capture.lines, ["A", "B[0]", "alias"], "a net has each of its names")
        expectEqual(capture.initialLevels, [true, nil, true])
        let edges = capture.edges.map { "\($0.at.nanoseconds) \($0.line) \($0.isHigh)" }
        expectEqual(
            edges,
            [
                "10000 0 false", "10000 2 false", "20000 1 true", "30000 0 false",
                "30000 2 false", "30000 0 true", "30000 2 true",
            ])
        expectEqual(
            capture.notes,
            [
                "ignored `bus[7:0]`: a wire of 8 bits is not a line",
                "ignored `voltage`: a real of 64 bits is not a line",
            ])
    }

    /// A name may have blanks, and an index apart from it. The same net in an inner scope is one
    /// line.
    @Test func namesHaveAllTheirWords() throws {
        let capture = try read(
            """
            $scope module top $end
            $var wire 1 ! Left Button A $end $var wire 1 " Enc A [3] $end $var wire 1 # clk $end
            $scope module inner $end $var wire 1 # clk $end $upscope $end $upscope $end
            $enddefinitions $end
            """)
        expectEqual(capture.lines, ["Left Button A", "Enc A[3]", "clk"])
    }

    /// The bias of the line says its level.
    @Test func anOpenLineIsTold() throws {
        let text = """
            $timescale 1 ns $end $var wire 1 ! A $end $enddefinitions $end
            #0 0! #1 z! #2 z! #3 0! #4 x! #5 z!
            """
        let capture = try read(text)
        expectEqual(capture.notes, ["1 changes to x were ignored"])
        let edges = capture.edges.map {
            "\($0.at.nanoseconds) \($0.isOpen ? "open" : "\($0.isHigh)")"
        }
        expectEqual(edges, ["1 open", "3 false", "5 open"])
    }

    /// Edges come after the beginning: what is said of it last holds, whichever way it is said.
    @Test(arguments: [
        ("0! z!", nil as Bool?, [] as [String]), ("z! 1!", true, []), ("z!", nil, []),
        ("$dumpvars 1! $end z! #3 0!", nil, ["3 false"]), ("1! z! #2 z! #3 1!", nil, ["3 true"]),
        ("0! #2 z! #3 z!", false, ["2 open"]),
    ])
    func whatIsSaidOfTheBeginningIsNoEdge(text: String, initial: Bool?, expected: [String]) throws {
        let capture = try read(
            "$timescale 1 ns $end $var wire 1 ! A $end $enddefinitions $end #0 " + text)
        expectEqual(capture.initialLevels, [initial])
        let edges = capture.edges.map {
            "\($0.at.nanoseconds) \($0.isOpen ? "open" : "\($0.isHigh)")"
        }
        expectEqual(edges, expected)
    }

    /// A code belongs to lines of one sort: a real is no level, and a level is no sample.
    @Test func realsOfWiresAndLevelsOfRealsAreIgnored() throws {
        let text = """
            $timescale 1 ns $end $var wire 1 ! A $end $var real 64 " P $end $enddefinitions $end
            #0 r5 ! 1" #2 1! r7 " #3 0" r9 !
            """
        let stream = try CaptureStream(Array(text.utf8), format: .vcd, analog: ["P"])
        expectEqual(stream.head.initialLevels, [nil, nil])
        var read: [Capture.Edge] = []
        while let edge = try stream.next() { read.append(edge) }
        let at = Instant(nanoseconds: 2)
        expectEqual(
            Set(read.map { "\($0)" }),
            Set(
                [
                    Capture.Edge(at: at, line: 0, isHigh: true),
                    Capture.Edge(at: at, line: 1, sample: 7),
                ].map { "\($0)" }))
    }

    @Test func equalNamesGetTheirScopes() throws {
        let capture = try read(
            """
            $scope module a $end $var wire 1 ! in $end $var wire 1 " out $end $upscope $end
            $scope module b $end $var wire 1 # in $end $var wire 1 % in $end $upscope $end
            $enddefinitions $end
            """)
        expectEqual(capture.lines, ["a.in", "out", "b.in", "b.in#%"])
    }

    @Test(arguments: [
        ("1 s", 3, 3_000_000_000 as UInt64?), ("100ms", 3, 300_000_000), ("1us", 3, 3_000),
        ("1 ns", 3, 3), ("100 ps", 39, 3), ("1 fs", 2_999_999, 2), ("1 s", UInt64.max, nil),
    ])
    func timescaleIsTurnedIntoNanoseconds(text: String, units: UInt64, expected: UInt64?) throws {
        let words = text.split(separator: " ").joined()
        expectEqual(try #require(VCDTimescale(words)).nanoseconds(units), expected)
    }

    @Test(arguments: [
        (
            "$timescale 5 ns $end",
            "1:1: error: `5ns` is not a timescale; write 1, 10 or 100 and a unit: s ms us ns ps fs"
        ),
        ("hello", "1:1: error: `hello` is not a declaration; check that this is a VCD file"),
        (
            "$var wire 1 $end",
            "1:1: error: a variable needs a type, a width, a code and a name; "
                + "write `$var wire 1 ! name $end`"
        ),
        (
            "$date now",
            "1:1: error: `$date` has no `$end`; check that the file is complete"
        ),
        (
            "$date now $end\n ",
            "2:2: error: the file ends before `$enddefinitions`; "
                + "check that the file is complete"
        ),
        ("E #5 #4", "1:25: error: time 4 ns comes after 5 ns; sort the changes"),
        ("E #x", "1:22: error: `#x` is not a time; write a whole number of the timescale"),
        ("E what", "1:22: error: `what` is not a value change; check that this is a VCD file"),
        ("E 1", "1:22: error: a value change without a variable; write the code after the level"),
    ])
    func problemNamesPlaceCauseAndRemedy(text: String, expected: String) {
        let whole = text.first == "E" ? "$enddefinitions $end" + text.dropFirst() : text
        expectEqual(problems(whole), [expected])
    }

    @Test func traceIsWrittenAsDeclared() throws {
        var writer = try VCDWriter(
            TraceMemory(),
            signals: [
                VCDSignal(scope: "lamp", name: "GPIO 17", kind: .wire),
                VCDSignal(scope: "lamp", name: "value", kind: .text),
                VCDSignal(scope: "dial", name: "value", kind: .number),
            ])
        try writer.write(0, .bit(true), at: .zero)
        try writer.write(0, .bit(true), at: Instant(nanoseconds: 3))
        try writer.write(1, .text("2 V"), at: Instant(nanoseconds: 5))
        try writer.write(2, .number(-3), at: Instant(nanoseconds: 5))
        try writer.write(0, .unknown, at: Instant(nanoseconds: 4))
        try writer.advance(to: Instant(nanoseconds: 9))
        let text = String(decoding: try writer.finish().bytes, as: UTF8.self)
        expectEqual(
            text,
            """
            $version Detent $end
            $timescale 1 ns $end
            $scope module lamp $end
            $var wire 1 ! GPIO_17 $end
            $var string 1 % value $end
            $upscope $end
            $scope module dial $end
            $var real 64 & value $end
            $upscope $end
            $enddefinitions $end
            #0
            $dumpvars
            x!
            s? %
            rnan &
            $end
            1!
            #5
            s2\\x20V %
            r-3.0 &
            x!
            #9

            """)
    }

    @Test func levelOfAnotherKindIsRefused() throws {
        var writer = try VCDWriter(
            TraceMemory(), signals: [VCDSignal(scope: "a", name: "b", kind: .wire)])
        #expect(throws: TraceError.self) { try writer.write(0, .number(1), at: .zero) }
        #expect(throws: TraceError.self) { try writer.write(1, .bit(true), at: .zero) }
        _ = try writer.finish()
    }

    @Test func codesAreAllDifferent() {
        let codes = (0..<TraceLimits.lines).map(VCDSignal.code)
        expectEqual(Set(codes).count, TraceLimits.lines)
        #expect(codes.joined().utf8.allSatisfy { (33...126).contains($0) })
        #expect(!codes.contains { "01xXzZbBrRsS#$".contains($0.prefix(1)) })
        expectEqual(codes[24...26], ["~", "!!", "%!"])
    }

    @Test(arguments: [1 as UInt64, 2, 3, 4])
    func writtenTraceReadsTheSame(seed: UInt64) throws {
        var random = Seeded(seed)
        let capture = random.capture()
        expectEqual(try Capture(vcd(of: capture), format: .vcd), capture, "seed \(seed)")
    }

    @Test func fullDiskIsToldAsSuch() throws {
        #expect(
            throws: TraceError(writing: "/dev/full", errno: ENOSPC)
        ) {
            let file = try TraceFile(path: "/dev/full")
            _ = try VCDWriter(
                file, signals: [VCDSignal(scope: "a", name: "b", kind: .wire)]
            ).finish()
        }
        expectEqual(
            TraceError(writing: "/dev/full", errno: ENOSPC).description,
            "cannot write `/dev/full`: No space left on device; "
                + "free space there or write elsewhere")
    }

    @Test func closedReaderIsToldAsSuch() throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        #expect(throws: TraceError(writing: "the pipe", errno: EPIPE)) {
            let file = TraceFile(descriptor: ends[1], name: "the pipe")
            _ = try CaptureCSVWriter(file, lines: ["A"], initialLevels: [true]).finish()
        }
    }

    @Test(arguments: [("/nowhere/x.vcd", ENOENT), ("/proc", EISDIR)])
    func fileThatCannotBeMadeIsToldAsSuch(path: String, errno: Int32) {
        #expect(throws: TraceError(writing: path, errno: errno)) {
            _ = try TraceFile(path: path)
        }
    }
}

/// A capture as a trace of wires.
func vcd(of capture: Capture) throws -> [UInt8] {
    var writer = try VCDWriter(
        TraceMemory(),
        signals: capture.lines.map { VCDSignal(scope: "panel", name: $0, kind: .wire) })
    for (line, level) in capture.initialLevels.enumerated() {
        if let level { try writer.write(line, .bit(level), at: .zero) }
    }
    for edge in capture.edges { try writer.write(Int(edge.line), .bit(edge.isHigh), at: edge.at) }
    return try writer.finish().bytes
}
