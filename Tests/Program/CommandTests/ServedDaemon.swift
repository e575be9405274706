import Glibc
import Processes
import TestSupport
import Testing

/// A `detent run` with its page on a free port, and its three processes.
final class ServedDaemon {
    let file: TemporaryFile
    let session: Session
    let url: String
    let port: Int

    /// - Parameter shell: what a shell does before it.
    init(_ panel: String, _ options: [String] = [], shell: String = "") throws {
        file = TemporaryFile("panel.yaml", panel)
        session = Session(
            ["run", file.path, "--backend", "sim", "--listen", "127.0.0.1:0"] + options,
            shell: shell)
        try #require(session.waitForErrors("the panel is at http://127.0.0.1:"))
        try #require(session.waitForErrors("/\n"))
        let words = session.errorText.split { $0 == " " || $0.isNewline }
        url = String(try #require(words.last { $0.hasPrefix("http://") }))
        port = try #require(
            url.split(separator: ":").last.flatMap { Int($0.prefix(while: \.isNumber)) })
    }

    /// Writes the panel file anew, and reloads it.
    func reload(_ panel: String) throws {
        let file = try #require(fopen(file.path, "w"))
        fputs(panel, file)
        fclose(file)
        expectEqual(Program.run("reload", self.file.path).code, 0)
    }

    /// The process of the panel.
    func panel() throws -> pid_t {
        try #require(ProcessTree.children(of: session.process).first)
    }

    /// The process that serves the page, which may be starting.
    func gateway() throws -> pid_t {
        let panel = try panel()
        for _ in 0..<12_000 {
            if let found = ProcessTree.children(of: panel).first { return found }
            pause(5)
        }
        throw Missing()
    }

    struct Missing: Error {}

    /// Waits for something in another process.
    func pause(_ milliseconds: Int32) { poll(nil, 0, milliseconds) }

    /// Whether a control has a text in its state soon.
    func shows(_ id: String, _ text: String, within milliseconds: Int = 20_000) -> Bool {
        for _ in 0..<max(1, milliseconds / 20) {
            let panel = request("GET /api/v1/panel").replacing(" ", with: "")
            if let start = panel.firstRange(of: "\"\(id)\":{\"value\"")?.upperBound,
                panel[start...].prefix(while: { $0 != "}" }).contains(text)
            {
                return true
            }
            pause(20)
        }
        return false
    }

    /// The answer to a request on a connection of its own.
    func request(_ head: String, body: String = "") -> String {
        guard let socket = LocalSocket(port: port) else { return "" }
        return answer(head, body: body, on: socket)
    }

    /// The answer to a request; empty if the connection ends before.
    func answer(_ head: String, body: String = "", on socket: LocalSocket) -> String {
        socket.send(
            "\(head) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        var text = ""
        while !isWhole(text) {
            // A process that has to be started first takes its time on a busy machine.
            let more = socket.receive(within: 60_000)
            if more.isEmpty { return "" }
            text += more
        }
        return text
    }

    private func isWhole(_ text: String) -> Bool {
        guard let end = text.firstRange(of: "\r\n\r\n"),
            let length = text.lowercased().firstRange(of: "content-length: ")
        else { return false }
        let digits = text.lowercased()[length.upperBound...].prefix(while: \.isNumber)
        return text[end.upperBound...].utf8.count >= Int(digits) ?? 0
    }
}
