import DetentTypes
import TestSupport
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
        expectEqual(capture.lines, ["GPIO17", "pin 11", "GPIO4"])
        expectEqual(capture.initialLevels, [true, false, nil])
        expectEqual(
            capture.edges,
            [
                Capture.Edge(at: Instant(nanoseconds: 5), line: 0, isHigh: false),
                Capture.Edge(at: Instant(nanoseconds: 5), line: 2, isHigh: true),
            ])
        expectEqual(capture.notes, [])
    }

    @Test func headerAloneIsEmpty() throws {
        expectEqual(try read("t_ns,line,value\n"), Capture())
    }

    /// Editors leave an empty last line, and those on Windows a mark at the beginning.
    @Test func emptyRowsAndAMarkChangeNothing() throws {
        let plain = try read("t_ns,line,value\n0,A,1\n5,A,0")
        expectEqual(try read("\u{FEFF}t_ns,line,value\r\n0,A,1\r\n\r\n5,A,0\r\n\r\n"), plain)
    }

    private static let noHeader =
        "1:1: error: the first line is not the header of a capture; make the first line "
        + "`t_ns,line,value`; of a logic analyser, export the times with a column for each "
        + "channel, a .vcd or a .sr file"

    @Test(arguments: [
        ("", Self.noHeader), ("t,l,v\n", Self.noHeader), ("time,A\n0,1", Self.noHeader),
        ("H1,A", "2:1: error: 2 fields instead of 3; write `t_ns,line,value`"),
        ("H1,A,1,2", "2:1: error: 4 fields instead of 3; write `t_ns,line,value`"),
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
        expectEqual(problems(text), [expected])
    }

    @Test func allProblemsAreTold() {
        let found = problems("t_ns,line,value\nx,,7\n5,A,1\n4,A,0\n")
        expectEqual(found.count, 4)
    }

    @Test func problemsAreBounded() {
        let rows = String(repeating: "x\n", count: 5_000)
        expectEqual(problems("t_ns,line,value\n" + rows).count, TraceLimits.problems)
    }

    @Test func longRowIsRefused() {
        let row = String(repeating: "1", count: TraceLimits.wordLength + 1)
        expectEqual(
            problems("t_ns,line,value\n" + row),
            [
                "2:1: error: more than 4096 bytes without a line end; "
                    + "check that this file is a capture"
            ])
    }

    @Test func tooManyLinesAreRefused() {
        let rows = (0...TraceLimits.lines).map { "0,L\($0),1\n" }.joined()
        expectEqual(
            problems("t_ns,line,value\n" + rows).last,
            "4098:3: error: more than 4096 lines; remove lines that the panel does not have")
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
        expectEqual(try Capture(bytes, format: .csv), capture, "seed \(seed)")
    }

    @Test(arguments: ["", "a,b", "a\"b", "a\nb"])
    func nameThatCSVCannotHoldIsRefused(name: String) {
        #expect(throws: TraceError.self) {
            _ = try CaptureCSVWriter(TraceMemory(), lines: [name], initialLevels: [nil]).finish()
        }
    }

    @Test func renamingNamesWhatIsWrong() throws {
        let capture = try read("t_ns,line,value\n0,D0,1\n0,D1,1\n")
        expectEqual(try capture.renamed([(from: "D0", to: "GPIO17")]).lines, ["GPIO17", "D1"])
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

    /// What a file says, read row by row in the plainest way: the edges with the names of their
    /// lines, and the number of problems.
    private static func plainly(_ rows: [String]) -> (edges: [String], problems: Int) {
        var edges: [String] = []
        var initial: Set<String> = []
        var problems = 0
        var last: UInt64 = 0
        for row in rows {
            let fields = row.split(separator: ",", omittingEmptySubsequences: false).map(
                String.init)
            guard fields.count == 3 else {
                problems += 1
                continue
            }
            var isWhole = true
            if fields[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let time = UInt64(fields[0]),
                time >= last
            {
                last = time
            } else {
                isWhole = false
                problems += 1
            }
            if fields[1].isEmpty || fields[1].contains("\"") || fields[1].contains("\r") {
                isWhole = false
                problems += 1
            }
            if fields[2] != "0" && fields[2] != "1" {
                isWhole = false
                problems += 1
            }
            guard isWhole else { continue }
            if last > 0 {
                edges.append("\(last) \(fields[1]) \(fields[2])")
            } else if !initial.insert(fields[1]).inserted {
                problems += 1
            }
        }
        return (edges, problems)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func rowsSayWhatAPlainReadingSays(seed: UInt64) {
        var random = Seeded(seed)
        let ends = ["\n", "\n", "\n", "\r\n"]
        for round in 0..<TestLength.size(short: 500, long: 2_000) {
            var text = "t_ns,line,value\n"
            var rows: [String] = []
            var now: UInt64 = 0
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                now += UInt64.random(in: 0...20, using: &random)
                let time = ["\(now)", "0\(now)", "", "-1", "1e3", "18446744073709551616"]
                let name = ["A", "GPIO17", "A", "", "\"", "pin 11", "A\rB"]
                let level = ["0", "1", "2", "", "1 ", "10"]
                // Most fields are as they should be.
                let row = [time, name, level].map { choices in
                    let isOdd = Int.random(in: 0..<40, using: &random) == 0
                    let likely =
                        choices.count == 7 ? 3 : choices.count == 6 && choices[0] == "0" ? 2 : 1
                    return choices[
                        Int.random(in: 0..<(isOdd ? choices.count : likely), using: &random)]
                }
                rows.append(row.joined(separator: ","))
                text += rows[rows.count - 1] + ends.randomElement(using: &random)!
            }
            let (edges, problems) = Self.plainly(rows)
            do throws(CaptureError) {
                let capture = try Capture(Array(text.utf8), format: .csv)
                let read = capture.edges.map {
                    "\($0.at.nanoseconds) \(capture.lines[Int($0.line)]) \($0.isHigh ? 1 : 0)"
                }
                #expect(read == edges && problems == 0, "seed \(seed), round \(round)")
            } catch {
                expectEqual(error.problems.count, problems, "seed \(seed), round \(round): \(text)")
            }
        }
    }

    /// A row is as long as it may be, or one byte longer; the row before it names its line.
    @Test(arguments: [0, 1]) func theLongestRowIsRead(excess: Int) throws {
        let name = String(repeating: "n", count: TraceLimits.wordLength - 6 + excess)
        let text = "t_ns,line,value\n1,\(name),1\n100,\(name),0\n"
        let found = problems(text)
        expectEqual(found.isEmpty, (excess == 0), "\(found)")
    }
}
