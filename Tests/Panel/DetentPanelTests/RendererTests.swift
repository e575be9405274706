import DetentPanel
import TestSupport
import Testing

@Suite struct RendererTests {
    private func problem(
        _ excerpt: String, column: Int, length: Int, help: String = "do this"
    ) -> Problem {
        Problem(
            severity: .warning, rule: .unknownKey, file: "a.yaml",
            place: SourcePlace(line: 3, column: column, length: length), text: "cause",
            help: help, excerpt: excerpt)
    }

    @Test func textHasPlaceExcerptAndHelp() {
        expectEqual(
            ProblemRenderer.text(problem("  key: value", column: 8, length: 5)),
            """
            a.yaml:3:8: warning: cause [unknown-key]
                  key: value
                       ^~~~~
            help: do this

            """)
    }

    @Test func emptyPartsAreLeftOut() {
        expectEqual(
            ProblemRenderer.text(problem("", column: 1, length: 1, help: "")),
            "a.yaml:3:1: warning: cause [unknown-key]\n")
    }

    @Test func tabsKeepTheUnderlineInPlace() {
        let lines = ProblemRenderer.text(problem("\tk: v", column: 5, length: 1))
            .split(separator: "\n")
        expectEqual(lines[1], "    \tk: v")
        expectEqual(lines[2], "    \t   ^")
    }

    @Test(arguments: [1, 50, 119, 120, 400, 999, 1_000, 5_000])
    func longLinesAreCutAroundThePlace(_ column: Int) {
        let excerpt =
            String(repeating: "x", count: column - 1 < 1_000 ? column - 1 : 999) + "Yz"
            + String(repeating: "x", count: 300)
        let lines = ProblemRenderer.text(problem(excerpt, column: column, length: 900))
            .split(separator: "\n").map(Array.init)
        #expect(lines[1].count <= Limits.excerptCharacters + 6)
        #expect(lines[2].count <= lines[1].count + 1)
        if column < 1_000, let mark = lines[2].firstIndex(of: "^") {
            expectEqual(lines[1][mark], "Y")
        }
    }

    @Test func jsonIsOneObjectALine() {
        expectEqual(ProblemRenderer.json([]), "[]\n")
        let one = problem("k", column: 1, length: 1, help: "say \"x\"\\")
        expectEqual(
            ProblemRenderer.json([one, one]).split(separator: "\n").map(String.init)[1],
            #"{"file": "a.yaml", "line": 3, "column": 1, "length": 1, "#
                + #""severity": "warning", "rule": "unknown-key", "text": "cause", "#
                + #""help": "say \"x\"\\"},"#)
    }

    @Test(arguments: ["\n", "\r\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"])
    func linesEndAsYAMLHasIt(_ end: String) {
        let text = ["panel: P", "board: none", "oops: 1", ""].joined(separator: end)
        let reading = PanelReader.read(SourceText(file: "p", text: text))
        let unknown = reading.problems.filter { $0.rule == .unknownKey }
        expectEqual(unknown.map(\.place.line), [3])
        expectEqual(unknown.map(\.excerpt), ["oops: 1"])
    }

    @Test func portExpandersAreTakenWithAWarning() {
        let read = { (chip: String) in
            KeyCase.read(
                "panel: P, board: raspberry-pi-5, "
                    + "controls: {c: {kind: button, label: S, input: {chip: \(chip), offset: 3}}}")
        }
        expectEqual(read("1-0020").problems.map(\.rule.name), ["chip-not-on-board"])
        expectEqual(read("1-0020").plan?.lines.first?.chipLabels, ["1-0020"])
        expectEqual(read("mcp23017").problems.map(\.rule.name), ["no-pull"])
        expectEqual(read("pinctrl-rp0").problems.map(\.severity), [.error])
    }
}
