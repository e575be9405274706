import TestSupport
import Testing

/// Commands that meet a server which is not a panel: they must not take its answer for one.
@Suite struct StrangeServerTests {
    /// Runs a command against a server that gives one answer to whatever it is asked.
    private func run(_ arguments: [String], answer: String) throws -> Program.Result {
        let server = LocalSocket()
        let session = Session(arguments + ["--url", "http://127.0.0.1:\(server.port)"])
        let connection = try #require(server.accepted())
        #expect(connection.receive(within: 10_000).contains(" HTTP/1.1\r\n"))
        connection.send(answer)
        return session.end()
    }

    private static func http(_ status: String, _ type: String, _ body: String) -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Connection: close\r\n\r\n\(body)"
    }

    @Test(arguments: [
        http("200 OK", "text/html", "<html>hello</html>"), http("202 Accepted", "text/plain", ""),
        http("204 No Content", "application/json", ""),
        http("202 Accepted", "application/json", "{}"),
        http("202 Accepted", "application/json", "[]"),
        http("202 Accepted", "application/json", "{\"control\": \"other\", \"state\": {}}"),
        http("200 OK", "application/json", "{\"control\": \"output\", \"state\": {}}"),
        http("202 Accepted", "text/html", "{\"control\": \"output\", \"state\": {}}"),
        http("404 Not Found", "text/html", "<h1>404</h1>"),
        http("409 Conflict", "application/json", "{\"confirm\": \"x\", \"title\": \"y\"}"),
        http("302 Found", "text/html", ""), "SSH-2.0-OpenSSH_9.2\r\n",
    ])
    func setTakesNoForeignAnswer(_ answer: String) throws {
        let result = try run(["set", "output", "on"], answer: answer)
        expectEqual(result.code, 4, "\(result)")
        #expect(result.errors.contains("help: start `detent run PANEL` there"), "\(result)")
    }

    @Test(arguments: [
        ["get"], ["history"], ["resync"], ["lamp-test", "on"], ["watch"],
    ])
    func noCommandTakesAForeignAnswer(_ command: [String]) throws {
        let page = Self.http("200 OK", "text/html; charset=utf-8", "<html>hello</html>")
        let result = try run(command, answer: page)
        expectEqual(result.code, 4, "\(result)")
        #expect(
            result.errors.contains(
                "is not a Detent panel: it responds 200 of the type text/html"), "\(result)")
    }

    @Test func aPanelsOwnWordsAreTaken() throws {
        let accepted = Self.http(
            "202 Accepted", "application/json", "{\"control\": \"output\", \"state\": {}}")
        expectEqual(try run(["set", "output", "on"], answer: accepted).code, 0)
        let refused = Self.http(
            "409 Conflict", "application/problem+json",
            "{\"title\": \"`output` is disabled\", \"status\": 409, \"detail\": \"wait\"}")
        let result = try run(["set", "output", "on"], answer: refused)
        #expect(result.code == 1 && result.errors.contains("`output` is disabled"), "\(result)")
    }
}
