import Glibc
import TestSupport
import Testing

/// Numbers, dates and files as people and other systems write them.
@Suite struct ForeignTextTests {
    private static let panel = """
        panel: Cellar
        board: none
        controls:
          temp:
            kind: dial
            label: Temperature
            encoder: {a: A, b: B}
            range: {min: -10, max: 30, step: 0.5}
        """

    /// No option begins with a digit, so a negative number is a value wherever it stands.
    @Test func aNegativeNumberIsAValue() throws {
        let daemon = try ServedDaemon(Self.panel)
        for (arguments, shown) in [
            (["set", "temp", "-5", "--url", daemon.url], "-5.0"),
            (["set", "--url", daemon.url, "temp", "-7.3"], "-7.3"),
            (["set", "temp", "--url", daemon.url, "--", "-1e0"], "-1.0"),
            (["set", "temp", "26.66666666666", "--url", daemon.url], "26.7"),
            (["set", "temp", "20", "--url", daemon.url], "20.0"),
            (["set", "temp", "--by", "-5", "--url", daemon.url], "15.0"),
            (["set", "--by", "2.5", "temp", "--url", daemon.url], "17.5"),
            (["set", "temp", "next", "--url", daemon.url], "18.0"),
        ] {
            let result = Program.run(arguments)
            expectEqual(result.code, 0, "\(result)")
            expectEqual(
                Program.run("get", "temp", "--url", daemon.url).output.contains(shown), true,
                "\(arguments)")
        }
        expectEqual(Program.run("set", "temp", "-11", "--url", daemon.url).code, 1)
        expectEqual(Program.run("set", "temp", "-x", "--url", daemon.url).code, 2)
        expectEqual(Program.run("set", "temp", "--url", daemon.url).code, 2)
        expectEqual(Program.run("set", "temp", "1", "--by", "1", "--url", daemon.url).code, 2)
        expectEqual(Program.run("set", "temp", "toggle", "--url", daemon.url).code, 1)
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    @Test(arguments: ["2026-02-30", "2025-02-29T10:00Z", "2026-04-31", "2026-13-01"])
    func aDayThatDoesNotExistIsRefused(day: String) throws {
        let folder = Folder()
        let daemon = try ServedDaemon(Self.panel, ["--state-dir", folder.path])
        expectEqual(Program.run("set", "temp", "5", "--url", daemon.url).code, 0)
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
        func history(_ day: String) -> Program.Result {
            Program.run([
                "history", daemon.file.path, "--state-dir", folder.path, "--since", day,
            ])
        }
        let result = history(day)
        expectEqual(result.code, 2, "\(result)")
        #expect(result.errors.contains("`\(day)` is not a time\nhelp: "), "\(result)")
        expectEqual(history("2024-02-29").code, 0)
    }

    /// What an editor on Windows and git make of a file.
    @Test func marksAndLineEndsAreReadOver() {
        let mark = "\u{FEFF}"
        let panel = TemporaryFile("panel.yaml", mark + Self.panel.replacing("\n", with: "\r\n"))
        expectEqual(Program.run("check", "--strict", panel.path).code, 0)
        let scenario = TemporaryFile(
            "turn.scenario.yaml",
            mark + "panel: \(panel.path)\r\nsteps:\r\n  - turn: {temp: 1}\r\n  - wait: 1s\r\n")
        expectEqual(Program.run("test", "--record", scenario.path).code, 0)
        let expected = String(scenario.path.dropLast(5)) + ".expected"
        defer { unlink(expected) }
        var text = Program.run(["test", scenario.path])
        expectEqual(text.code, 0, "\(text)")
        text = Program.run(
            ["test", scenario.path], shell: "sed -i 's/$/\\r/' \(expected);")
        expectEqual(text.code, 0, "\(text)")
    }

    /// The shell of an editor shows escape sequences as they are.
    @Test func aDumbTerminalGetsLines() throws {
        let daemon = try ServedDaemon(Self.panel)
        let command = "timeout 20 \(Program.path) watch --url \(daemon.url)"
        let session = Session(
            ["watch"],
            shell: "TERM=dumb exec script -qec '\(command)' /dev/null </dev/null;")
        #expect(session.waitFor("temp"))
        session.send(SIGTERM)
        #expect(!session.end().output.contains("\u{1B}"))
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }
}
