import Glibc
import TestSupport
import Testing

/// `detent test`: scenarios in virtual time.
@Suite struct ScenarioTests {
    static let example = Program.root + "/panels/lab-supply/ordinary-day.scenario.yaml"

    static func scenario(_ steps: String) -> String {
        "panel: \(Program.panel)\nbounce: none\nsteps:\n\(steps)"
    }

    @Test func exampleIsAsExpected() {
        let result = Program.run("test", Self.example)
        expectEqual(result.code, 0, "\(result)")
        #expect(result.output.contains("1 passed, 0 failed"), "\(result.output)")
    }

    @Test func failedExpectationIsOne() {
        let file = TemporaryFile(
            "scenario.yaml",
            Self.scenario("  - flip: {output: on}\n  - expect: {output: {value: off}}\n"))
        let result = Program.run("test", file.path)
        expectEqual(result.code, 1, "\(result)")
        #expect(result.output.contains("0 passed, 1 failed"), "\(result.output)")
        #expect(result.output.contains("\(file.path):5:"), "\(result.output)")
    }

    @Test(arguments: [
        "", "steps: [", "panel: /nonexistent.yaml\nsteps: []\n",
        "panel: x\nsteps:\n  - dance: {output: on}\n",
    ]) func unreadableScenarioIsUsage(_ text: String) {
        let file = TemporaryFile("scenario.yaml", text)
        let result = Program.run("test", file.path)
        expectEqual(result.code, 2, "\(result)")
        #expect(result.output.contains("error: "), "\(result)")
    }

    /// A path in a scenario is relative to its folder, wherever the program was started.
    @Test(arguments: [
        ("panel.yaml", "is relative to the folder of the scenario, `FOLDER/`"),
        ("/nonexistent/panel.yaml", "put it there, or write the path of another file"),
    ]) func aMissingPanelIsLookedForBesideItsScenario(_ panel: String, _ help: String) {
        let folder = Folder()
        folder.write("panel: \(panel)\nsteps: []\n", to: "a.scenario.yaml")
        let result = Program.run("test", folder.path + "/a.scenario.yaml")
        expectEqual(result.code, 2)
        let output = result.output.replacing(folder.path, with: "FOLDER")
        let path = panel.hasPrefix("/") ? panel : "FOLDER/" + panel
        let cause =
            "FOLDER/a.scenario.yaml:1:8: error: the panel of this scenario, `\(path)`, cannot be "
            + "read: No such file or directory"
        #expect(output.hasPrefix(cause), "\(output)")
        #expect(output.contains(help), "\(output)")
        #expect(!output.contains("current directory"), "\(output)")
    }

    @Test func missingFileIsUsage() {
        expectEqual(Program.run("test", "/nonexistent.yaml").code, 2)
        expectEqual(Program.run("test", Self.example, "/nonexistent.yaml").code, 2)
    }

    @Test func recordWritesTheExpectedTrace() {
        let steps = Self.scenario("  - flip: {output: on}\n  - expect: {output: on}\n")
        let file = TemporaryFile("recorded.yaml", steps)
        let expected = String(file.path.dropLast("yaml".count)) + "expected"
        defer { unlink(expected) }
        expectEqual(Program.run("test", file.path, "--record").code, 0)
        expectEqual(Program.run("test", file.path).code, 0)
        Self.write("never\n", to: expected)
        expectEqual(Program.run("test", file.path).code, 1)
        expectEqual(Program.run("test", file.path, "--record").code, 0)
        expectEqual(Program.run("test", file.path).code, 0)
        // A run that fails is no model, and times of real lines are none either.
        Self.write(steps + "  - expect: {output: off}\n", to: file.path)
        Self.write("never\n", to: expected)
        expectEqual(Program.run("test", file.path, "--record").code, 1)
        Self.write(steps, to: file.path)
        expectEqual(Program.run("test", file.path).code, 1, "a failed run was recorded")
        expectEqual(Program.run("test", file.path, "--record", "--backend", "gpiod").code, 2)
    }

    private static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(text, file)
        fclose(file)
    }

    @Test func resultsGoToJUnit() {
        let junit = TemporaryFile("results.xml", "")
        let result = Program.run("test", Self.example, "--junit", junit.path)
        expectEqual(result.code, 0, "\(result)")
        let parsed = Python.run(
            "import sys, xml.dom.minidom as m; "
                + "print(len(m.parse(sys.argv[1]).getElementsByTagName(\"testcase\")))",
            [junit.path], input: "")
        #expect(!Python.isPresent || parsed.output == "1\n", "\(parsed)")
        for path in ["/nonexistent/x.xml", "/dev/full"] {
            let unwritten = Program.run("test", Self.example, "--junit", path)
            expectEqual(unwritten.code, 1, "\(unwritten)")
            #expect(unwritten.errors.contains("help: "), "\(unwritten.errors)")
        }
    }

    @Test(arguments: [">/dev/full", ">&-"]) func outputThatCannotBeWrittenIsSaid(_ redirect: String)
    {
        let result = Program.run(["test", Self.example], redirect: redirect)
        expectEqual(result.code, 1, "\(result)")
        #expect(result.errors.contains("standard output cannot be written"), "\(result.errors)")
    }
}
