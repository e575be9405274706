import TestSupport
import Testing

/// `detent check --format sarif`, read by a program that is not ours.
@Suite struct SARIFTests {
    /// What SARIF 2.1.0 requires of the parts that we write, and what its consumers rely on.
    static let reader = """
        import json, sys, urllib.parse
        log = json.load(sys.stdin)
        assert set(log) == {"$schema", "version", "runs"}, set(log)
        assert log["version"] == "2.1.0"
        assert log["$schema"].endswith("/sarif-schema-2.1.0.json")
        run, = log["runs"]
        assert set(run) == {"tool", "columnKind", "results"}, set(run)
        assert run["columnKind"] == "unicodeCodePoints"
        driver = run["tool"]["driver"]
        assert driver["name"] == "detent" and driver["version"]
        rules = driver["rules"]
        assert len(rules) == len({rule["id"] for rule in rules})
        for rule in rules:
            for part in ["shortDescription", "fullDescription", "help"]:
                assert rule[part]["text"], rule
            assert rule["fullDescription"]["text"].startswith(rule["shortDescription"]["text"])
            assert rule["defaultConfiguration"]["level"] in ["error", "warning"]
        for result in run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert result["level"] in ["error", "warning"]
            text = result["message"]["text"]
            cause, help = text.split("\\nhelp: ")
            assert cause and help
            assert text.count("{") % 2 == 0 and text.count("}") % 2 == 0
            location, = result["locations"]
            physical = location["physicalLocation"]
            uri = urllib.parse.urlparse(physical["artifactLocation"]["uri"])
            assert uri.scheme in ["", "file"] and " " not in uri.path
            words = [result["level"], result["ruleId"], urllib.parse.unquote(uri.path)]
            if "region" in physical:
                region = physical["region"]
                assert region["endColumn"] > region["startColumn"] >= 1
                words += [str(region["startLine"]), str(region["startColumn"])]
            print(*words)
        """

    /// What the reader saw of each result: level, rule, path, line and column.
    private func read(_ arguments: [String], code: Int32, shell: String = "") -> [String] {
        let result = Program.run(["check", "--format", "sarif"] + arguments, shell: shell)
        expectEqual(result.code, code, "\(result)")
        let read = Python.run(Self.reader, input: result.output)
        expectEqual(read.code, 0, "\(result.output) \(read.errors)")
        return read.lines
    }

    @Test func nothingWrongIsARunWithoutResults() {
        let file = TemporaryFile("panel.yaml", CheckTests.good)
        expectEqual(read([file.path], code: 0), [])
    }

    @Test func eachProblemIsAResultAtItsPlace() {
        let warned = TemporaryFile("warned.yaml", CheckTests.warned)
        let broken = TemporaryFile("broken.yaml", CheckTests.broken)
        expectEqual(
            read([warned.path, broken.path], code: 1),
            [
                "warning pin-has-function \(warned.path) 7 12",
                "error unknown-word \(broken.path) 5 11",
            ])
    }

    @Test func strictRaisesTheLevelToo() {
        let file = TemporaryFile("panel.yaml", CheckTests.warned)
        expectEqual(
            read(["--strict", file.path], code: 1),
            [
                "error pin-has-function \(file.path) 7 12"
            ])
        let text = Program.run("check", "--strict", file.path)
        #expect(text.output.contains(": error: "), "\(text)")
        #expect(!text.output.contains("warning: "), "\(text)")
    }

    @Test func relativePathsStayRelativeAndAreEncoded() {
        let file = TemporaryFile("größe 100%: a?b#c.yaml", CheckTests.broken)
        let folder = file.path.split(separator: "/").dropLast().joined(separator: "/")
        expectEqual(
            read(["größe 100%: a?b#c.yaml"], code: 1, shell: "cd /\(folder);"),
            [
                "error unknown-word größe 100%: a?b#c.yaml 5 11"
            ])
    }

    @Test func aFileThatCannotBeReadHasNoLines() {
        expectEqual(
            read(["/nonexistent/panel.yaml"], code: 2),
            [
                "error unreadable-file /nonexistent/panel.yaml"
            ])
    }

    /// Columns count characters, not the units of some encoding, and braces are no placeholders.
    @Test func columnsCountCharacters() {
        let file = TemporaryFile(
            "panel.yaml",
            CheckTests.good.replacing(
                "input: SWITCH",
                with: "action: {\"😀é\": \"{0}\", run: [a, \"{valeu}\"], timeout: 1s}"))
        #expect(
            read([file.path], code: 1).contains("warning unknown-placeholder \(file.path) 7 36"))
    }
}
