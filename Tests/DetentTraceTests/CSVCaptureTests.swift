import DetentTypes
import Testing

@testable import DetentTrace

/// Captures as rows of text.
@Suite struct CSVCaptureTests {
    private func read(_ text: String) throws -> Capture {
        try Capture(Array(text.utf8), format: .csv)
    }

    private func problems(_ text: String) -> [String] {
        do throws(CaptureError) {
            _ = try Capture(Array(text.utf8), format: .csv)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test(arguments: ["\n", "\r\n"])
    func rowsBecomeLevelsAndEdges(end: String) throws {
        let rows = ["t_ns,line,value", "0,GPIO17,1", "0,pin 11,0", "5,GPIO17,0", "5,GPIO4,1"]
        let capture = try read(rows.joined(separator: end))
        #expect(capture.lines == ["GPIO17", "pin 11", "GPIO4"])
        #expect(capture.initialLevels == [true, false, nil])
        #expect(
            capture.edges == [
                Capture.Edge(at: Instant(nanoseconds: 5), line: 0, isHigh: false),
                Capture.Edge(at: Instant(nanoseconds: 5), line: 2, isHigh: true),
            ])
        #expect(capture.notes == [])
    }

    @Test func headerAloneIsEmpty() throws {
        #expect(try read("t_ns,line,value\n") == Capture())
    }

    @Test(arguments: [
        ("", "1:1: error: the first line is not the header; make the first line `t_ns,line,value`"),
        (
            "t,l,v\n",
            "1:1: error: the first line is not the header; make the first line `t_ns,line,value`"
        ),
        ("H1,A", "2:1: error: 2 fields instead of 3; write `t_ns,line,value`"),
        ("H1,A,1,2", "2:1: error: 4 fields instead of 3; write `t_ns,line,value`"),
        ("H\n1,A,1", "2:1: error: an empty row; remove it"),
        (
            "H-1,A,1",
            "2:1: error: `-1` is not a time; write whole nanoseconds from 0 to 18446744073709551615"
        ),
        (
            "H18446744073709551616,A,1",
            "2:1: error: `18446744073709551616` is not a time; "
                + "write whole nanoseconds from 0 to 18446744073709551615"
        ),
        (
            "H1.5,A,1",
            "2:1: error: `1.5` is not a time; "
                + "write whole nanoseconds from 0 to 18446744073709551615"
        ),
        ("H9,A,1\n8,A,0", "3:1: error: time 8 comes after 9; sort the rows by time"),
        ("H10,,1", "2:4: error: the line has no name; write its name from the panel file"),
        (
            "H10,\"A\",1",
            "2:4: error: `\"A\"` is not a valid line name; "
                + "write UTF-8 without quotation marks and control characters"
        ),
        ("H10,AB,2", "2:7: error: `2` is not a level; write 0 or 1"),
        ("H10,AB, 1", "2:7: error: ` 1` is not a level; write 0 or 1"),
        (
            "H0,A,1\n0,A,0",
            "3:3: error: two levels of `A` at time 0; keep one; edges have a time after 0"
        ),
    ])
    func problemNamesPlaceCauseAndRemedy(rows: String, expected: String) {
        let text = rows.hasPrefix("H") ? "t_ns,line,value\n" + rows.dropFirst() : rows
        #expect(problems(text) == [expected])
    }

    @Test func allProblemsAreTold() {
        let found = problems("t_ns,line,value\nx,,7\n5,A,1\n4,A,0\n")
        #expect(found.count == 4)
    }

    @Test func problemsAreBounded() {
        let rows = String(repeating: "x\n", count: 5_000)
        #expect(problems("t_ns,line,value\n" + rows).count == TraceLimits.problems)
    }

    @Test func longRowIsRefused() {
        let row = String(repeating: "1", count: TraceLimits.wordLength + 1)
        #expect(
            problems("t_ns,line,value\n" + row) == [
                "2:1: error: more than 4096 bytes without a line end; "
                    + "check that this file is a capture"
            ])
    }

    @Test func tooManyLinesAreRefused() {
        let rows = (0...TraceLimits.lines).map { "0,L\($0),1\n" }.joined()
        #expect(
            problems("t_ns,line,value\n" + rows).last
                == "4098:3: error: more than 4096 lines; remove lines that the panel does not have")
    }

    @Test func nameThatIsNoTextIsRefused() {
        let bytes = Array("t_ns,line,value\n1,A".utf8) + [0xFF] + Array(",1\n".utf8)
        #expect(throws: CaptureError.self) { try Capture(bytes, format: .csv) }
    }

    @Test(arguments: [1 as UInt64, 2, 3, 4])
    func writtenCaptureReadsTheSame(seed: UInt64) throws {
        var random = Seeded(seed)
        let capture = random.capture()
        var writer = try CaptureCSVWriter(
            TraceMemory(), lines: capture.lines, initialLevels: capture.initialLevels)
        for edge in capture.edges { try writer.write(edge) }
        let bytes = try writer.finish().bytes
        #expect(try Capture(bytes, format: .csv) == capture, "seed \(seed)")
    }

    @Test(arguments: ["", "a,b", "a\"b", "a\nb"])
    func nameThatCSVCannotHoldIsRefused(name: String) {
        #expect(throws: TraceError.self) {
            _ = try CaptureCSVWriter(TraceMemory(), lines: [name], initialLevels: [nil]).finish()
        }
    }

    @Test func renamingNamesWhatIsWrong() throws {
        let capture = try read("t_ns,line,value\n0,D0,1\n0,D1,1\n")
        #expect(try capture.renamed([(from: "D0", to: "GPIO17")]).lines == ["GPIO17", "D1"])
        #expect(
            throws: CaptureError(problems: [
                CaptureProblem(
                    cause: "no line of the capture is named `D9`",
                    remedy: "map one of: D0, D1"),
                CaptureProblem(
                    cause: "two lines would be named `D1`",
                    remedy: "map one of them to another name"),
            ])
        ) { try capture.renamed([(from: "D9", to: "A"), (from: "D0", to: "D1")]) }
    }
}
