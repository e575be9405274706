import Glibc
import Processes
import TestSupport
import Testing

/// A changed panel file while the panel runs: by a signal, by `detent reload`, by saving it.
@Suite struct ReloadTests {
    private static let panel = Program.heater("Reload", "action: {run: [\"true\"], timeout: 5s}")
    private static let more =
        panel + "  bell:\n    kind: button\n    label: Bell\n    input: BELL\n"

    private func start(_ file: borrowing TemporaryFile) throws -> Session {
        let session = Session(
            ["run", file.path, "--backend", "sim", "--listen", "off", "--events"])
        try #require(session.waitForErrors("runs with 1 control on"))
        return session
    }

    private func save(_ text: String, to path: String) throws {
        let file = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        try #require(file >= 0)
        let count = text.utf8.withContiguousStorageIfAvailable {
            write(file, $0.baseAddress, $0.count)
        }
        close(file)
        try #require(count == text.utf8.count && rename(path + ".new", path) == 0)
    }

    @Test func theCommandSaysWhatChanged() throws {
        let file = TemporaryFile("panel.yaml", Self.panel)
        let session = try start(file)
        try save(Self.more, to: file.path)
        let result = Program.run("reload", file.path)
        #expect(result.code == 0 && result.output.contains("1 control added (bell)"), "\(result)")
        #expect(session.waitForErrors("was reloaded: 1 control added (bell)"))
        let again = Program.run("reload", file.path)
        #expect(again.code == 0 && again.output.contains("nothing changed"), "\(again)")
        session.send(SIGTERM)
        let end = session.end()
        expectEqual(end.code, 0)
        let asked = "\"event\": \"reload\", \"user\": \(geteuid()), \"origin\": \"api\"}"
        expectEqual(
            end.output.split(separator: "\n").filter { $0.contains(asked) }.count, 2, "\(end)")
        let gone = Program.run("reload", file.path)
        #expect(gone.code == 4 && gone.errors.contains("no running panel uses"), "\(gone)")
        expectEqual(Program.run("reload", "/nonexistent/panel.yaml").code, 2)
    }

    /// A release folder: the name that the panel was given leads to another file since.
    @Test func aFileBehindASwitchedLinkIsReloaded() throws {
        let folder = Folder()
        for (name, text) in [("one", Self.panel), ("two", Self.more)] {
            try #require(mkdir(folder.path + "/" + name, 0o755) == 0)
            folder.write(text, to: name + "/panel.yaml")
        }
        let link = folder.path + "/now"
        try #require(symlink("one", link) == 0)
        let session = Session(
            ["run", link + "/panel.yaml", "--backend", "sim", "--listen", "off", "--events"])
        try #require(session.waitForErrors("runs with 1 control on"))
        try #require(symlink("two", link + ".new") == 0 && rename(link + ".new", link) == 0)
        let result = Program.run("reload", link + "/panel.yaml")
        #expect(result.code == 0 && result.output.contains("1 control added (bell)"), "\(result)")
        session.send(SIGTERM)
        expectEqual(session.end().code, 0)
    }

    /// A file that is half written, or wrong, changes nothing; every reason is told.
    @Test func aFileWithErrorsChangesNothing() throws {
        let file = TemporaryFile("panel.yaml", Self.panel)
        let session = try start(file)
        for broken in [String(Self.more.prefix(40)), Self.more + "  x: {kind: swich}\n", ""] {
            try save(broken, to: file.path)
            let result = Program.run("reload", file.path)
            expectEqual(result.code, 1, "\(result)")
            #expect(result.errors.contains("error:"), "\(result)")
            #expect(result.errors.contains("the panel continues as it was"), "\(result)")
        }
        try save(Self.more, to: file.path)
        expectEqual(Program.run("reload", file.path).code, 0)
        session.send(SIGTERM)
        expectEqual(session.end().code, 0)
    }

    /// The door is in a folder of the panel's user. A panel that was killed leaves it behind.
    @Test func theDoorIsInAFolderOfItsUser() throws {
        let folder = Folder()
        let file = TemporaryFile("panel.yaml", Self.panel)
        let shell = "export RUNTIME_DIRECTORY=\(folder.path);"
        func start() throws -> Session {
            let session = Session(
                ["run", file.path, "--backend", "sim", "--listen", "off"], shell: shell)
            try #require(session.waitForErrors("runs with 1 control on"))
            return session
        }
        let first = try start()
        let door = try #require(folder.names.first)
        #expect(door.hasPrefix("reload-"))
        for process in ProcessTree.children(of: first.process) { kill(process, SIGKILL) }
        first.send(SIGKILL)
        _ = first.end()
        let second = try start()
        expectEqual(folder.names, [door])
        expectEqual(Program.run(["reload", file.path], shell: shell).code, 0)
        second.send(SIGTERM)
        expectEqual(second.end().code, 0)
        expectEqual(folder.names, [], "it is gone with the panel")
    }

    /// Where others can write, others could answer in the panel's place.
    @Test func aFolderOfEverybodyHasNoDoor() throws {
        let folder = Folder()
        let file = TemporaryFile("panel.yaml", Self.panel)
        chmod(folder.path, 0o777)
        let shell = "export RUNTIME_DIRECTORY=\(folder.path);"
        let session = Session(
            ["run", file.path, "--backend", "sim", "--listen", "off"], shell: shell)
        #expect(session.waitForErrors("is not a folder that only this user can write"))
        try #require(session.waitForErrors("runs with 1 control on"))
        let result = Program.run(["reload", file.path], shell: shell)
        expectEqual(result.code, 4)
        #expect(result.errors.contains("no running panel uses"), "\(result.errors)")
        session.send(SIGTERM)
        expectEqual(session.end().code, 0)
    }

    private static let canBeOthers = geteuid() == 0 && Python.isPresent

    /// A panel that runs, and the socket through which it is told to reload.
    private struct ReloadDoor: ~Copyable {
        let folder = Folder()
        let file = TemporaryFile("panel.yaml", ReloadTests.panel)
        let shell: String
        let session: Session
        let door: String

        init() throws {
            chmod(folder.path, 0o755)
            shell = "export RUNTIME_DIRECTORY=\(folder.path);"
            session = Session(
                ["run", file.path, "--backend", "sim", "--listen", "off"], shell: shell)
            try #require(session.waitForErrors("runs with 1 control on"))
            door = folder.path + "/" + (try #require(folder.names.first))
        }
    }

    /// Another user who reaches the door is not heard.
    @Test(.enabled(if: canBeOthers, "only root can be another user"))
    func aStrangerReloadsNothing() throws {
        let panel = try ReloadDoor()
        // The socket itself is closed to others; here it is not.
        chmod(panel.door, 0o777)
        try save(Self.more, to: panel.file.path)
        let stranger = Python.run(
            "import os,socket,sys; os.setuid(65534); s=socket.socket(socket.AF_UNIX); "
                + "s.connect(sys.argv[1]); s.settimeout(20); print(len(s.recv(99)))",
            [panel.door], input: "")
        #expect(stranger.code == 0 && stranger.output == "0\n", "\(stranger)")
        #expect(!panel.session.errorText.contains("reloaded"), "\(panel.session.errorText)")
        let own = Program.run(["reload", panel.file.path], shell: panel.shell)
        #expect(own.code == 0 && own.output.contains("1 control added (bell)"), "\(own)")
        panel.session.send(SIGTERM)
        expectEqual(panel.session.end().code, 0)
    }

    /// Whoever answers at a door that is not theirs is not believed.
    @Test(.enabled(if: canBeOthers, "only root can be another user"))
    func aStrangerAnswersForNoPanel() throws {
        let panel = try ReloadDoor()
        panel.session.send(SIGTERM)
        expectEqual(panel.session.end().code, 0)
        let script =
            "import os,socket,sys; s=socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); "
            + "os.setuid(65534); s.listen(1); print(\"ready\", file=sys.stderr, flush=True); "
            + "s.accept()[0].sendall(b\"changed\\nforged\\n\")"
        let stranger = Session(
            [panel.door], shell: "set -- -c '\(script)' \"$@\"; exec python3 \"$@\";")
        try #require(stranger.waitForErrors("ready"), "\(stranger.errorText)")
        let result = Program.run(["reload", panel.file.path], shell: panel.shell)
        expectEqual(result.code, 4, "\(result)")
        #expect(!result.output.contains("forged") && !result.errors.contains("forged"))
        #expect(result.errors.contains("no running panel uses"), "\(result)")
        stranger.send(SIGKILL)
        _ = stranger.end()
    }

    private static let destructive = """
        panel: Tokens
        board: none
        controls:
          erase:
            kind: button
            label: Erase
            input: E
            role: destructive
            confirm: {hold: 2s}

        """

    /// Only another panel ends the tokens that confirm: a reload that changes nothing keeps them.
    @Test func onlyAnotherPanelEndsTokens() throws {
        let daemon = try ServedDaemon(Self.destructive)
        func fire(_ token: String? = nil) -> String {
            let confirm = token.map { ", \"confirm\": \"\($0)\"" } ?? ""
            return daemon.request(
                "PUT /api/v1/controls/erase", body: "{\"value\": \"press\"\(confirm)}")
        }
        func token() throws -> String {
            let answer = fire().replacing(" ", with: "")
            let start = try #require(answer.firstRange(of: "\"confirm\":\""), "\(answer)")
            return String(answer[start.upperBound...].prefix { $0 != "\"" })
        }
        let path = daemon.file.path
        let first = try token()
        let unchanged = Program.run("reload", path)
        #expect(unchanged.output.contains("nothing changed"), "\(unchanged)")
        #expect(fire(first).contains(" 202 "))
        let second = try token()
        try save(Self.destructive + "  x: {kind: swich}\n", to: path)
        expectEqual(Program.run("reload", path).code, 1)
        #expect(fire(second).contains(" 202 "))
        let third = try token()
        try save(Self.destructive + "  bell: {kind: button, label: Bell, input: B}\n", to: path)
        expectEqual(Program.run("reload", path).code, 0)
        #expect(fire(third).contains(" 409 "), "another panel")
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    /// A page of the new panel is served afterwards.
    @Test func aRequestReloads() throws {
        let daemon = try ServedDaemon(Self.panel)
        try save(Self.more, to: daemon.file.path)
        #expect(daemon.request("POST /api/v1/reload").contains(" 202 "))
        #expect(daemon.session.waitForErrors("was reloaded: 1 control added (bell)"))
        var panel = ""
        for _ in 0..<500 where !panel.contains("\"bell\"") {
            panel = daemon.request("GET /api/v1/panel")
            daemon.pause(20)
        }
        #expect(panel.contains("\"bell\""))
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    @Test func aSignalReloads() throws {
        let file = TemporaryFile("panel.yaml", Self.panel)
        let session = try start(file)
        try save(Self.more, to: file.path)
        session.send(SIGHUP)
        #expect(session.waitForErrors("1 control added (bell)"), "\(session.errorText)")
        try save("panel: x", to: file.path)
        session.send(SIGHUP)
        #expect(session.waitForErrors("was not reloaded"), "\(session.errorText)")
        session.send(SIGTERM)
        expectEqual(session.end().code, 0)
    }

    /// Replaced or written in place, the saved file is used; saving it unchanged tells nothing.
    @Test(arguments: [["run", "--backend", "sim", "--watch-file"], ["sim"]])
    func savingReloads(_ command: [String]) throws {
        let file = TemporaryFile("panel.yaml", Self.panel)
        let session = Session(
            [command[0], file.path, "--listen", "off"] + command.dropFirst())
        try #require(session.waitForErrors(command[0] == "run" ? "runs with" : "simulated"))
        try save(Self.panel, to: file.path)
        try save(Self.more, to: file.path)
        #expect(session.waitForErrors("1 control added (bell)"), "\(session.errorText)")
        #expect(!session.errorText.contains("nothing changed"))
        let place = open(file.path, O_WRONLY | O_TRUNC)
        let half = Self.panel.utf8.count / 2
        _ = Self.panel.withCString { write(place, $0, half) }
        _ = poll(nil, 0, 20)
        _ = Self.panel.withCString { write(place, $0 + half, Self.panel.utf8.count - half) }
        close(place)
        #expect(session.waitForErrors("1 control removed (bell)"), "\(session.errorText)")
        session.send(SIGTERM)
        expectEqual(session.end().code, 0)
    }

    /// Values are saved under the new panel; those of controls that are gone are not.
    @Test func valuesGoOn() throws {
        let folder = Folder()
        let saved = Self.panel.replacingFirst("input: BUTTON", "input: BUTTON\n    startup: saved")
        let file = TemporaryFile("panel.yaml", saved)
        let session = Session([
            "run", file.path, "--backend", "sim", "--listen", "127.0.0.1:0", "--state-dir",
            folder.path,
        ])
        try #require(session.waitForErrors("the panel is at http://127.0.0.1:"))
        try #require(session.waitForErrors("/\n"))
        let words = session.errorText.split { $0 == " " || $0.isNewline }
        let url = String(try #require(words.last { $0.hasPrefix("http://") }))
        expectEqual(Program.run("set", "heater", "on", "--url", url).code, 0)
        try save(saved + "  bell: {kind: button, label: Bell, input: BELL}\n", to: file.path)
        expectEqual(Program.run("reload", file.path).code, 0)
        #expect(Program.run("get", "heater", "--url", url).output.contains("on"))
        expectEqual(Program.run("set", "heater", "off", "--url", url).code, 0)
        expectEqual(Program.run("set", "heater", "on", "--url", url).code, 0)
        session.send(SIGTERM)
        expectEqual(session.end().code, 0)
        let next = Session([
            "run", file.path, "--backend", "sim", "--listen", "off", "--events", "--state-dir",
            folder.path,
        ])
        #expect(next.waitFor("\"changed\", \"value\": \"on\", \"origin\": \"startup\""))
        next.send(SIGTERM)
        expectEqual(next.end().code, 0)
    }

    /// When `detent reload` has ended, the page is that of the new panel.
    @Test func thePageFollows() throws {
        let daemon = try ServedDaemon(Self.panel)
        let before = daemon.request("GET /api/v1/panel")
        #expect(before.contains("\"heater\"") && !before.contains("\"bell\""))
        try save(Self.more, to: daemon.file.path)
        expectEqual(Program.run("reload", daemon.file.path).code, 0)
        let after = daemon.request("GET /api/v1/panel")
        #expect(after.contains("\"heater\"") && after.contains("\"bell\""), "\(after)")
        try save("panel: x", to: daemon.file.path)
        expectEqual(Program.run("reload", daemon.file.path).code, 1)
        #expect(daemon.request("GET /api/v1/panel").contains("\"bell\""))
    }

    /// The front panel of a window is laid out once, and again for another panel.
    @Test func theFaceFollowsOnTheDesk() throws {
        let file = TemporaryFile("panel.yaml", Self.panel)
        let session = Session(["sim", file.path, "--listen", "127.0.0.1:0", "--no-edit"])
        try #require(session.waitForErrors("http://127.0.0.1:"))
        try #require(session.waitForErrors("/\n"))
        let words = session.errorText.split { $0 == " " || $0.isNewline }
        let port = try #require(
            words.last { $0.hasPrefix("http://") }?.split(separator: ":").last
                .flatMap { Int($0.prefix(while: \.isNumber)) })
        let face = {
            guard let socket = LocalSocket(port: port) else { return "" }
            socket.send(
                "GET /api/v1/face?width=800&height=600 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
                    + "Connection: close\r\n\r\n")
            return socket.receive(within: 10_000)
        }
        #expect(face().contains("\"heater\""))
        try save(Self.more, to: file.path)
        #expect(session.waitForErrors("1 control added (bell)"), "\(session.errorText)")
        let after = face()
        #expect(after.contains("\"bell\""), "\(after)")
        session.send(SIGTERM)
        expectEqual(session.end().code, 0)
    }

    /// The guardian keeps the values of the panel that runs now, in the words of its controls.
    @Test func aKilledPanelKeepsTheValuesOfTheNewFile() throws {
        let folder = Folder()
        let saved = Self.panel.replacingFirst("input: BUTTON", "input: BUTTON\n    startup: saved")
        let bell =
            "  lamp:\n    kind: toggle-button\n    label: Lamp\n    input: L\n"
            + "    startup: saved\n"
        let more = saved.replacingFirst("controls:\n", "controls:\n" + bell)
        let daemon = try ServedDaemon(saved, ["--state-dir", folder.path])
        let put = { (id: String) in
            daemon.request("PUT /api/v1/controls/\(id)", body: "{\"value\": \"on\"}")
        }
        #expect(put("heater").contains(" 202 "))
        try save(more, to: daemon.file.path)
        expectEqual(Program.run("reload", daemon.file.path).code, 0)
        #expect(put("lamp").contains(" 202 "))
        kill(try daemon.panel(), SIGKILL)
        #expect(daemon.session.end().code != 0)
        let next = try ServedDaemon(more, ["--state-dir", folder.path])
        let state = next.request("GET /api/v1/panel")
        for id in ["heater", "lamp"] {
            #expect(state.contains("\"\(id)\": {\"value\": \"on\""), "\(state)")
        }
    }

    /// A second process on one file: the first keeps the reload, and the second says so.
    @Test func twoPanelsOnOneFile() throws {
        let file = TemporaryFile("panel.yaml", Self.panel)
        let session = try start(file)
        let second = Session(["run", file.path, "--backend", "sim", "--listen", "off"])
        #expect(second.waitForErrors("another detent may run"), "\(second.errorText)")
        for it in [session, second] {
            it.send(SIGTERM)
            expectEqual(it.end().code, 0)
        }
    }
}

extension String {
    fileprivate func replacingFirst(_ text: String, _ other: String) -> String {
        split(separator: text, maxSplits: 1).joined(separator: other)
    }
}
