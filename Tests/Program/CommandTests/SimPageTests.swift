import Glibc
import TestSupport
import Testing

/// The page that `detent sim` serves: where it is, who opens it, and what if nobody can.
@Suite struct SimPageTests {
    private static let arguments = ["sim", Program.panel, "--listen", "127.0.0.1:0", "--no-edit"]

    /// The port of a session's page, as it says on standard error.
    private func port(of session: Session) throws -> String {
        let begin = "the panel is at http://127.0.0.1:"
        try #require(session.waitForErrors(begin) && session.waitForErrors("/\n"))
        let text = session.errorText
        let place = try #require(text.ranges(of: begin).first)
        return String(text[place.upperBound...].prefix { $0.isNumber })
    }

    @Test func itSaysWhereThePageIs() throws {
        let session = Session(Self.arguments)
        #expect(UInt16(try port(of: session)) ?? 0 > 0)
        session.write("quit\n")
        expectEqual(session.end().code, 0)
    }

    /// The address has a token with which the page may change the panel file.
    @Test func theAddressLetsThePageChangeTheFile() throws {
        let session = Session(["sim", Program.panel, "--listen", "127.0.0.1:0"])
        try #require(session.waitForErrors("/#edit="))
        session.write("quit\n")
        let result = session.end()
        let token = result.errors.split(separator: "#edit=").last?.prefix { $0.isHexDigit }
        expectEqual(token?.count, 32)
        expectEqual(result.code, 0)
    }

    /// As in a service, or with `</dev/null`: nobody is at the console, and the page is used.
    @Test(arguments: ["</dev/null", "<&-"]) func withoutAConsoleItServesOn(redirect: String) throws
    {
        let session = Session(Self.arguments, redirect: redirect)
        let url = "http://127.0.0.1:\(try port(of: session))"
        expectEqual(Program.run(["set", "output", "on", "--url", url]).code, 0)
        #expect(session.waitFor(#""event": "changed", "value": "on""#))
        expectEqual(Program.run(["get", "output", "--url", url]).output, "on\n")
        session.send(SIGTERM)
        let result = session.end()
        #expect(result.code == 0 && !result.errors.contains("end of input"), "\(result)")
    }

    /// The answer has what was just set; what could have no effect is refused.
    @Test func aDeviceIsToldHowToAnswer() throws {
        let file = TemporaryFile(
            "panel.yaml",
            "{panel: P, board: none, controls: {"
                + "meter: {kind: switch, label: Meter, input: A, "
                + "action: {tcp: {to: \"h:1\", text: a, expect: ok}, timeout: 2s}}, "
                + "lamp: {kind: switch, label: Lamp, input: B, "
                + "action: {tcp: {to: \"h:1\", text: a}, timeout: 2s}}}}")
        let session = Session(["sim", file.path, "--listen", "127.0.0.1:0", "--no-edit"])
        let port = try #require(Int(try port(of: session)))
        func answer(_ control: String) throws -> String {
            let body =
                "{\"control\": \"\(control)\", \"action\": {\"takes\": \"7s\", \"answer\": \"ok\"}}"
            let socket = try #require(LocalSocket(port: port))
            socket.send(
                "POST /api/v1/simulation HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
                    + "Content-Type: application/json\r\nConnection: close\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            var text = ""
            while case let more = socket.receive(within: 60_000), !more.isEmpty { text += more }
            return text
        }
        let set = try answer("meter")
        #expect(
            set.contains(#""meter": {"takes": "7s", "then": "succeed", "answer": "ok"}"#), "\(set)")
        let refused = try answer("lamp")
        #expect(refused.contains("`lamp` has no action that reads an answer"), "\(refused)")
        session.write("quit\n")
        expectEqual(session.end().code, 0)
    }

    /// What is piped in is done, and then it ends, whether or not somebody looks at the page.
    @Test func theEndOfPipedGesturesEndsIt() throws {
        let result = Program.run(Self.arguments + SimTests.instant, input: "flip output on\n")
        #expect(result.code == 0 && result.output.contains(#""value": "on""#), "\(result)")
        #expect(result.errors.contains("end of input"), "\(result.errors)")
    }

    @Test func aPortThatIsTakenIsSaidWithAnother() throws {
        let session = Session(Self.arguments)
        let port = try port(of: session)
        let result = Program.run(["sim", Program.panel, "--listen", "127.0.0.1:\(port)"])
        expectEqual(result.code, 2, "\(result)")
        #expect(result.errors.contains("Address already in use"), "\(result.errors)")
        #expect(result.errors.contains("`--listen 127.0.0.1:0`"), "\(result.errors)")
        session.write("quit\n")
        expectEqual(session.end().code, 0)
    }

    @Test func thePageIsOpenedByTheDesktop() throws {
        let file = TemporaryFile("xdg-open", "#!/bin/sh\necho \"opened $1\" >\"${0%/*}/heard\"\n")
        let folder = String(file.path.dropLast("/xdg-open".count))
        let heard = folder + "/heard"
        expectEqual(mkfifo(heard, 0o600), 0)
        defer { unlink(heard) }
        let fifo = open(heard, O_RDWR | O_CLOEXEC)
        defer { close(fifo) }
        let session = Session(
            Self.arguments + ["--open"],
            shell: "chmod +x \(file.path); export PATH=\(folder):$PATH;")
        let port = try port(of: session)
        var entry = pollfd(fd: fifo, events: Int16(POLLIN), revents: 0)
        try #require(poll(&entry, 1, 60_000) == 1)
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count = read(fifo, &bytes, bytes.count)
        let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        expectEqual(text, "opened http://127.0.0.1:\(port)/\n")
        session.write("quit\n")
        let result = session.end()
        expectEqual(result.code, 0)
        #expect(!result.errors.contains("no browser"))
    }

    /// Arguments can be seen by every user: the token is in a file that leads to the page.
    @Test func aTokenIsInNoArgument() throws {
        let file = TemporaryFile(
            "xdg-open",
            "#!/bin/sh\nd=${0%/*}\n(echo \"$1\"; stat -c %a \"$1\"; cat \"$1\") >\"$d/heard\"\n")
        let folder = String(file.path.dropLast("/xdg-open".count))
        let heard = folder + "/heard"
        expectEqual(mkfifo(heard, 0o600), 0)
        defer { unlink(heard) }
        let fifo = open(heard, O_RDWR | O_CLOEXEC)
        defer { close(fifo) }
        let session = Session(
            ["sim", Program.panel, "--listen", "0.0.0.0:0", "--allow-host", "localhost", "--open"],
            shell: "chmod +x \(file.path); export PATH=\(folder):$PATH;")
        var text = ""
        while !text.contains("</a>") {
            var entry = pollfd(fd: fifo, events: Int16(POLLIN), revents: 0)
            try #require(poll(&entry, 1, 60_000) == 1)
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(fifo, &bytes, bytes.count)
            text += String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        }
        let lines = text.split(separator: "\n")
        let page = String(try #require(lines.first))
        #expect(page.hasPrefix("/") && page.hasSuffix(".html"), "\(text)")
        expectEqual(lines.dropFirst().first, "600", "\(text)")
        #expect(text.contains("content=\"0; url=http://localhost:"), "\(text)")
        #expect(text.contains("/#k="), "\(text)")
        session.write("quit\n")
        expectEqual(session.end().code, 0)
        #expect(access(page, F_OK) != 0, "it is removed at the end")
    }

    @Test func withoutABrowserTheAddressIsEnough() {
        let result = Program.run(
            Self.arguments + ["--open"], input: "quit\n", shell: "export PATH=/nonexistent;")
        expectEqual(result.code, 0)
        #expect(result.errors.contains("cannot open a browser"), "\(result.errors)")
    }
}
