import TestSupport
import Testing

/// `detent check` on files as people have them, and as they should not.
@Suite struct CheckTests {
    static let good = """
        panel: Test
        board: none
        controls:
          power:
            kind: switch
            label: Power
            input: SWITCH
            output: LAMP

        """

    /// A label that says on or off is a warning.
    static let warned = """
        panel: Test
        board: raspberry-pi-5
        controls:
          power:
            kind: switch
            label: Power
            input: GPIO2

        """

    static let broken = good.replacing("kind: switch", with: "kind: swich")

    @Test func goodFile() {
        let file = TemporaryFile("panel.yaml", Self.good)
        let result = Program.run("check", file.path)
        expectEqual(result.code, 0)
        #expect(result.output.isEmpty)
        expectEqual(result.errors, "1 panel: no problems\n")
    }

    /// A panel whose controls do nothing is said to, once, and is no fault.
    @Test func controlsThatDoNothingAreTold() {
        let controls = (1...12).map {
            "  c\($0): {kind: switch, label: Lamp \($0), input: A\($0)}\n"
        }
        let text = "panel: P\nboard: none\ncontrols:\n" + controls.joined()
        func told(_ text: String) -> String {
            let file = TemporaryFile("panel.yaml", text)
            let result = Program.run("check", "--strict", file.path)
            expectEqual(result.code, 0, "\(result)")
            return result.errors.replacing(file.path, with: "FILE")
        }
        let none = "1 panel: no problems\n"
        let rest =
            ": no action, output, lamp, feedback, condition or broker. Only the page and HTTP "
        expectEqual(
            told(text),
            none + "FILE: nothing in the file uses the value of `c1` and 11 more controls" + rest
                + "show it.\n")
        // What is used by another control, by its action or by a broker is not idle.
        let used = text.replacing("input: A1}", with: "input: A1, enabled-when: c3 is on}")
            .replacing("input: A2}", with: "input: A2, action: {run: [x], timeout: 1s}}")
        expectEqual(
            told(used),
            none + "FILE: nothing in the file uses the value of `c1` and 9 more controls" + rest
                + "show it.\n")
        expectEqual(told(text + "mqtt: {url: \"mqtt://broker.lan\"}\n"), none)
    }

    @Test func warningsAreErrorsOnlyWhenStrict() {
        let file = TemporaryFile("panel.yaml", Self.warned)
        let result = Program.run("check", file.path)
        expectEqual(result.code, 0)
        #expect(result.output.contains(": warning: "), "\(result.output)")
        expectEqual(Program.run("check", "--strict", file.path).code, 1)
    }

    @Test func brokenFileIsToldByPlaceCauseRuleAndRemedy() throws {
        let file = TemporaryFile("panel.yaml", Self.broken)
        let result = Program.run("check", file.path)
        expectEqual(result.code, 1)
        let first = try #require(result.lines.first)
        #expect(first.hasPrefix("\(file.path):5:11: error: "), "\(first)")
        #expect(first.wholeMatch(of: /.*:[0-9]+:[0-9]+: error: .+ \[[a-z-]+\]/) != nil, "\(first)")
        #expect(result.output.contains("help: "))
        #expect(result.output.contains("switch"), "the nearest word: \(result.output)")
    }

    @Test func explainShowsARuleWithItsPanels() {
        let result = Program.run("check", "--explain", "label-title-case")
        expectEqual(result.code, 0)
        #expect(result.output.hasPrefix("label-title-case (warning)\n"), "\(result.output)")
        #expect(result.output.contains("\nBreaks it:\n"))
        #expect(result.output.contains("\nKeeps it:\n"))
        let wrong = Program.run("check", "--explain", "label-titel-case")
        expectEqual(wrong.code, 2)
        #expect(wrong.errors.contains("did you mean `label-title-case`?"), "\(wrong.errors)")
        expectEqual(Program.run("check", "--explain", "label-title-case", "p.yaml").code, 2)
    }

    @Test func severalFilesAreTakenTogether() {
        let good = TemporaryFile("good.yaml", Self.good)
        let broken = TemporaryFile("broken.yaml", Self.broken)
        let result = Program.run("check", good.path, broken.path)
        expectEqual(result.code, 1)
        expectEqual(Program.run("check", broken.path, "/nonexistent.yaml", good.path).code, 2)
    }

    @Test(arguments: ["/nonexistent/panel.yaml", "/tmp", "/proc/self/mem", ""])
    func unreadableFileIsUsage(_ path: String) {
        let result = Program.run("check", path)
        expectEqual(result.code, 2, "\(result)")
        #expect(result.output.contains("error: "), "\(result)")
        #expect(result.output.contains("help: "), "\(result)")
    }

    @Test func endlessFileIsRefused() {
        for path in ["/dev/zero", "/dev/urandom"] {
            let result = Program.run("check", path)
            expectEqual(result.code, 2, "\(result)")
        }
    }

    static let hostile: [(name: String, bytes: [UInt8], code: Int32)] = [
        ("empty", [], 1),
        ("zeros", [UInt8](repeating: 0, count: 4_096), 1),
        ("every byte", (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }, 1),
        ("10 MB", [UInt8](repeating: UInt8(ascii: "a"), count: 10_000_000), 2),
        ("nested", Array(("panel: " + String(repeating: "[", count: 100_000)).utf8), 1),
        ("nested maps", Array(String(repeating: "{a: ", count: 50_000).utf8), 1),
        ("aliases", Array(aliasBomb.utf8), 1),
        ("one key", Array((String(repeating: "k", count: 500_000) + ": 1\n").utf8), 1),
        ("many keys", Array((0..<60_000).map { "k\($0): 1\n" }.joined().utf8), 1),
        ("many controls", Array((good + manyControls).utf8), 1),
        ("tabs", Array("panel:\tx\n\tboard: none\n".utf8), 1),
    ]

    static let aliasBomb =
        "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        + (1..<12).map { level in
            let names = [String](repeating: "*a\(level - 1)", count: 9)
            return "a\(level): &a\(level) [\(names.joined(separator: ", "))]\n"
        }.joined()

    static let manyControls = (0..<3_000).map { number in
        "  c\(number):\n    kind: switch\n    label: C \(number)\n    input: L\(number)\n"
    }.joined()

    @Test(arguments: hostile.map(\.name)) func hostileFileIsToldAndBounded(_ name: String) throws {
        let hostile = try #require(Self.hostile.first { $0.name == name })
        let file = TemporaryFile("panel.yaml", hostile.bytes)
        let result = Program.run("check", file.path)
        expectEqual(result.code, hostile.code, "\(result.output.prefix(500)) \(result.errors)")
        let first = try #require(result.lines.first)
        #expect(first.hasPrefix(file.path + ":"), "\(first)")
        #expect(result.output.utf8.count < 1_000_000, "the answer is longer than anybody reads")
    }

    @Test func littleMemoryIsEnoughForAnySize() {
        for hostile in Self.hostile {
            let file = TemporaryFile("panel.yaml", hostile.bytes)
            let result = Program.run(
                ["check", file.path], shell: "ulimit -v 400000;")
            expectEqual(result.code, hostile.code, "\(hostile.name): \(result.errors)")
        }
    }

    @Test(arguments: [good, warned, broken, "", "a: [", "panel: \"\\u0007\\\"\u{7f}\""])
    func jsonParses(_ text: String) {
        let file = TemporaryFile("panel.yaml", text)
        let result = Program.run("check", "--format", "json", file.path)
        let parsed = Python.run("import json,sys; json.load(sys.stdin)", input: result.output)
        expectEqual(parsed.code, 0, "\(result.output) \(parsed.errors)")
    }
}
