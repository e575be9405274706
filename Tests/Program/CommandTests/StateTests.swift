import Glibc
import TestSupport
import Testing

/// Values over a restart of the real program, in the text file of `history: off`.
@Suite struct StateTests {
    /// A heater that starts as its device says, by a program that prints a word.
    private static func asking(_ answer: String) -> String {
        "history: off\n"
            + Program.heater(
                "Restart",
                """
                startup: device
                    action: {run: ["true"], timeout: 5s}
                    query: {run: [printf, "\(answer)"], timeout: 5s}
                """)
    }

    /// The same heater, which starts with its saved value.
    private static let saved =
        "history: off\n"
        + Program.heater(
            "Restart",
            """
            startup: saved
                action: {run: ["true"], timeout: 5s}
            """)

    /// Runs a panel until it has said something, and ends it in order.
    private static func run(
        _ panel: String, _ options: [String], shell: String = "", until text: String
    ) -> Program.Result {
        let file = TemporaryFile("panel.yaml", panel)
        let session = Session(
            ["run", file.path, "--backend", "sim", "--events", "--listen", "off"] + options,
            shell: shell)
        #expect(session.waitFor(text), "\(session.outputText)")
        session.send(SIGTERM)
        return session.end()
    }

    private static let on = #""event": "changed", "value": "on", "origin": "startup""#

    @Test(arguments: ["--state-dir", "STATE_DIRECTORY"])
    func aValueOutlivesARestart(way: String) throws {
        let folder = Folder()
        let isOption = way.hasPrefix("-")
        let options = isOption ? [way, folder.path] : []
        let shell = isOption ? "" : "export \(way)=\(folder.path):/nonexistent;"
        let first = Self.run(
            Self.asking("on\\n"), options, shell: shell,
            until: #""event": "confirmed", "value": "on""#)
        #expect(first.code == 0 && first.errors.contains("Restart runs"), "\(first)")
        #expect(!first.output.contains("pending"), "no action runs")
        #expect(folder.text("Restart.state").contains("\nheater: on\n"))
        let second = Self.run(Self.saved, options, shell: shell, until: Self.on)
        expectEqual(second.code, 0, "\(second)")
        #expect(second.output.contains(#""name": "unconfirmed", "set": true"#))
    }

    @Test func withoutAFolderNothingIsKept() {
        let result = Self.run(Self.saved, [], until: "unconfirmed")
        #expect(result.code == 0 && !result.output.contains("changed"), "\(result)")
    }

    @Test func nonsenseOfAQueryIsSaid() {
        let folder = Folder()
        let file = TemporaryFile("panel.yaml", Self.asking("maybe\\n"))
        let session = Session(
            ["run", file.path, "--backend", "sim", "--listen", "off", "--state-dir", folder.path])
        #expect(session.waitForErrors("it must answer with one of: off, on"))
        session.send(SIGTERM)
        let result = session.end()
        #expect(result.errors.contains("heater: query failed: it printed `maybe`"), "\(result)")
        #expect(result.code == 0 && folder.names == [], "and nothing is written")
    }

    @Test func aForeignFileIsKeptAside() {
        let folder = Folder()
        folder.write("mine\n", to: "Restart.state")
        let result = Self.run(Self.saved, ["--state-dir", folder.path], until: "unconfirmed")
        expectEqual(result.code, 0)
        #expect(result.errors.contains("controls start at their defaults"), "\(result.errors)")
        expectEqual(folder.text("Restart.state.aside-1"), "mine\n")
        expectEqual(folder.names, ["Restart.state.aside-1"])
    }

    @Test func doctorListsLevelsForACrash() {
        let panel = """
            panel: Crash
            board: none
            controls:
              pump: {kind: switch, label: Pump, input: A, output: B, on-crash: off}

            """
        let file = TemporaryFile("panel.yaml", panel)
        let result = Program.run("doctor", file.path)
        #expect(
            result.output.contains(
                "pump: `on-crash: off` holds only while a process drives the line"),
            "\(result)")
    }
}
