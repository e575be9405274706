import Glibc
import TestSupport
import Testing

/// `detent run --listen`, and what talks to it.
@Suite struct ListenTests {
    private static let panel = """
        panel: Listening
        board: none
        controls:
          lamp: {kind: switch, label: Lamp, input: I, indicator: L}

        """

    @Test(arguments: [
        (["--listen", "0.0.0.0:0"], "add `--allow-host NAME`"),
        (["--listen", "nowhere"], "such as 127.0.0.1:8433"),
        (["--listen", "127.0.0.1:70000"], "such as 127.0.0.1:8433"),
        (["--listen", "127.0.0.1:0", "--token-file", "/nonexistent"], "check the path"),
    ])
    func whatCannotBeServedIsSaid(_ options: [String], _ remedy: String) {
        let file = TemporaryFile("panel.yaml", Self.panel)
        let result = Program.run(["run", file.path, "--backend", "sim"] + options)
        expectEqual(result.code, 2)
        #expect(result.errors.contains(remedy), "\(result.errors)")
    }

    /// A token that others can read is told, and the panel runs all the same.
    @Test func aTokenThatOthersCanReadIsTold() throws {
        let file = TemporaryFile("panel.yaml", Self.panel)
        let token = TemporaryFile("token", "0123456789abcdef\n")
        chmod(token.path, 0o644)
        let session = Session(
            [
                "run", file.path, "--backend", "sim", "--listen", "127.0.0.1:0", "--token-file",
                token.path,
            ])
        #expect(session.waitForErrors("runs with 1 control on"))
        let note = "detent: the token file \(token.path) can be read by other users"
        #expect(session.errorText.contains(note), "\(session.errorText)")
        #expect(session.errorText.contains("help: `chmod 600 \(token.path)`"))
        #expect(!session.errorText.contains("0123456789abcdef"))
        session.send(SIGTERM)
        expectEqual(session.end().code, 0)
    }

    @Test func aRunningPanelAnswersItsOwnCommands() throws {
        let file = TemporaryFile("panel.yaml", Self.panel)
        let session = Session(
            ["run", file.path, "--backend", "sim", "--listen", "127.0.0.1:0"])
        #expect(session.waitForErrors("/\n"))
        let words = session.errorText.split { $0 == " " || $0 == "\n" }
        let url = String(try #require(words.last { $0.hasPrefix("http://") }))
        #expect(url.hasPrefix("http://127.0.0.1:"))
        expectEqual(Program.run(["get", "lamp", "--url", url]).output, "off\n")
        expectEqual(Program.run(["set", "lamp", "on", "--url", url]).code, 0)
        expectEqual(Program.run(["get", "lamp", "--url", url]).output, "on\n")
        // A port that is taken is not taken twice.
        let port = url.split(separator: ":").last.map { $0.filter(\.isNumber) } ?? ""
        let second = Program.run(
            ["run", file.path, "--backend", "sim", "--listen", "127.0.0.1:\(port)"])
        #expect(second.code == 2 && second.errors.contains("use another port"))
        session.send(SIGTERM)
        expectEqual(session.end().code, 0)
    }
}
