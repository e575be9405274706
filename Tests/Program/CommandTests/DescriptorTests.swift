import Glibc
import TestSupport
import Testing

/// A daemon that has no descriptor left for one more connection.
@Suite struct DescriptorTests {
    /// A panel of its own, under a limit of open files.
    private struct Panel {
        let session: Session
        let port: Int

        init(limit: Int) throws {
            session = Session(
                ["sim", Program.panel, "--listen", "127.0.0.1:0"] + SimTests.instant,
                shell: "ulimit -n \(limit);")
            #expect(session.waitForErrors("the panel is at http://127.0.0.1:"))
            #expect(session.waitForErrors("\n"))
            let address = session.errorText.split { $0 == " " || $0.isNewline }
                .last { $0.hasPrefix("http://") }
            port = try #require(
                address?.split(separator: ":").last.flatMap { Int($0.prefix(while: \.isNumber)) })
        }

        var request: String { "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n" }

        /// How many files it has open.
        var openFiles: Int {
            guard let folder = opendir("/proc/\(session.process)/fd") else { return 0 }
            defer { closedir(folder) }
            var count = -2
            while readdir(folder) != nil { count += 1 }
            return count
        }

        /// Hundredths of a second that it has computed for.
        var ticks: Int {
            guard let file = fopen("/proc/\(session.process)/stat", "r") else { return 0 }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = fread(&bytes, 1, bytes.count, file)
            let words =
                String(decoding: bytes[..<count], as: UTF8.self)
                .split(separator: ")").last?.split(separator: " ") ?? []
            return words.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
        }
    }

    @Test func acceptingPausesAndGoesOn() throws {
        // One that answers has opened all that it opens, and a file for this connection.
        let first = try Panel(limit: 256)
        let asked = try #require(LocalSocket(port: first.port))
        asked.send(first.request)
        #expect(asked.receive(within: 10_000).contains("200 OK"))
        let panel = try Panel(limit: first.openFiles - 1 + 3)
        let request = panel.request
        var held = (0..<12).compactMap { _ in LocalSocket(port: panel.port) }
        for socket in held { socket.send(request) }
        let late = try #require(LocalSocket(port: panel.port))
        late.send(request)
        let before = panel.ticks
        expectEqual(late.receive(within: 2_000), "", "there is no descriptor for it")
        #expect(panel.ticks - before < 40, "0.2 core at most, also on a loaded machine")
        held = []
        #expect(late.receive(within: 60_000).contains("200 OK"), "there is again")
        panel.session.send(SIGTERM)
        expectEqual(panel.session.end().code, 0)
    }
}
