import TestSupport
import Testing

/// `detent-lab soak`: seeds on a panel, and what a user can write wrong.
@Suite struct SoakCommandTests {
    @Test func seedsOfAGoodPanelPass() throws {
        let result = Program.lab(["soak", Program.panel, "--seeds", "1-2"])
        expectEqual(result.code, 0, "\(result)")
        let first = try #require(result.lines.first)
        let start = #/seeds 1-2, detent [0-9.]+, commit (unknown|[0-9a-f]{12,}(\+changes)?), /#
        #expect(first.prefixMatch(of: start) != nil, "\(result)")
        #expect(first.hasSuffix(Program.panel))
        expectEqual(result.lines.last?.hasPrefix("passed: 2 seeds, "), true, "\(result)")
    }

    @Test(arguments: ["", "x", "2-1", "1-2-3", "-1", "1-99999999999999999999"])
    func rangesThatAreNone(seeds: String) {
        let result = Program.lab(["soak", Program.panel, "--seeds=\(seeds)"])
        expectEqual(result.code, 2, "\(result)")
        #expect(result.output.isEmpty, "\(result)")
    }

    @Test(arguments: ["soak", "fleet"]) func theProgramSaysWhereItIs(word: String) {
        let result = Program.run([word, Program.panel])
        expectEqual(result.code, 2, "\(result)")
        #expect(result.errors.contains("`make lab` builds `.build/debug/detent-lab \(word)`"))
    }

    @Test func aPanelWithErrorsIsListed() {
        let file = TemporaryFile("panel.yaml", "panel: P\nboard: none\ncontrols: {a: {}}\n")
        expectEqual(Program.lab(["soak", file.path]).code, 2)
    }
}
