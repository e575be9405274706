import Glibc
import TestSupport
import Testing

/// The history of the real program.
@Suite struct HistoryTests {
    private static let panel = Program.heater(
        "History",
        """
        startup: saved
            action: {run: ["true"], timeout: 5s}
        """)

    /// Runs a panel, turns its heater on and off, and ends it.
    private static func run(_ folder: Folder, in file: borrowing TemporaryFile) throws {
        let daemon = try ServedDaemon(panel, ["--state-dir", folder.path])
        for value in ["on", "off", "on"] {
            expectEqual(Program.run("set", "heater", value, "--url", daemon.url).code, 0)
        }
        // It is there while the panel runs.
        let during = Self.history(file, folder, "--event", "changed")
        expectEqual(during.code, 0, "\(during)")
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    private static func history(
        _ file: borrowing TemporaryFile, _ folder: Folder, _ options: String...
    ) -> Program.Result {
        Program.run(["history", file.path, "--state-dir", folder.path] + options)
    }

    @Test func eventsArePrintedInThreeFormats() throws {
        let folder = Folder()
        let file = TemporaryFile("panel.yaml", Self.panel)
        try Self.run(folder, in: file)
        let json = Self.history(file, folder, "--event", "changed")
        #expect(json.code == 0 && json.lines.count == 3, "\(json)")
        #expect(json.lines[0].hasPrefix(#"{"seq": "#), "\(json)")
        #expect(json.lines[0].contains(#"Z", "at": "#), "\(json)")
        expectEqual(
            json.lines.map { $0.contains(#""event": "changed", "value": "on""#) },
            [true, false, true])
        let table = Self.history(
            file, folder, "--format", "csv", "--event", "changed", "--limit", "2")
        expectEqual(table.lines.count, 3, "\(table)")
        expectEqual(table.lines[0], "number,time,control,event,detail,origin")
        #expect(table.lines[1].hasSuffix("Z,heater,changed,value=off,api"), "\(table)")
        let text = Self.history(file, folder, "--format", "text", "--event", "changed")
        expectEqual(text.lines.count, 3, "\(text)")
        #expect(text.lines[0].hasSuffix("  Heater  ● on (api)"), "\(text)")
        let unknown = Self.history(file, folder, "--control", "heatr")
        #expect(unknown.code == 2 && unknown.output.isEmpty, "\(unknown)")
        #expect(unknown.errors.contains("no control `heatr`"), "\(unknown)")
        #expect(unknown.errors.contains("did you mean `heater`?"), "\(unknown)")
        #expect(Self.history(file, folder, "--until", "2000-01-01").output.isEmpty)
        let hour = Self.history(file, folder, "--since", "1h", "--until", "2999-12-31T23:59Z")
        #expect(hour.lines.count > 3, "\(hour)")
        let other = Self.history(file, folder, "--since", "yesterday")
        #expect(other.code == 2 && other.errors.contains("`yesterday` is not a time"), "\(other)")
    }

    /// Whoever can write the database can write anything into it.
    @Test(
        .enabled(if: Python.isPresent, "python3 is not here"), arguments: ["csv", "text", "json"])
    func aChangedHistorySendsNoEscapes(format: String) throws {
        let folder = Folder()
        let file = TemporaryFile("panel.yaml", Self.panel)
        try Self.run(folder, in: file)
        let script = """
            import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); e=chr(27)+"]0;owned"+chr(7); \
            d.execute("UPDATE event SET control=?, event=?, line=?", (e, e, e)); d.commit()
            """
        let changed = Python.run(script, [folder.path + "/History.history"], input: "")
        expectEqual(changed.code, 0, "\(changed)")
        let result = Self.history(file, folder, "--format", format)
        #expect(result.output.contains("owned"), "\(result)")
        #expect(!result.output.utf8.contains { $0 < 0x20 && $0 != 0x0A }, "\(result)")
    }

    @Test func valuesOutliveARestart() throws {
        let folder = Folder()
        let file = TemporaryFile("panel.yaml", Self.panel)
        try Self.run(folder, in: file)
        expectEqual(folder.names, ["History.history"])
        let next = try ServedDaemon(Self.panel, ["--state-dir", folder.path])
        expectEqual(Program.run("get", "heater", "--url", next.url).output, "on\n")
        next.session.send(SIGTERM)
        expectEqual(next.session.end().code, 0)
    }

    @Test func whatIsMissingIsSaid() {
        let folder = Folder()
        let file = TemporaryFile("panel.yaml", Self.panel)
        let none = Self.history(file, folder)
        #expect(none.code == 2 && none.errors.contains("No such file or directory"), "\(none)")
        #expect(none.errors.contains("help: name the folder of the values with --state-dir"))
        folder.write("mine\n", to: "History.history")
        let foreign = Self.history(file, folder)
        #expect(foreign.code == 2 && foreign.errors.contains("it is not a database"), "\(foreign)")
        let live = Program.run("history", "--event", "changed")
        #expect(live.code == 2 && live.errors.contains("--event needs a panel file"), "\(live)")
    }
}
