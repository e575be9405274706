import Glibc
import Processes
import TestSupport
import Testing

/// Processes that are stopped: the others notice, and say so.
@Suite struct HangTests {
    private static let panel = Program.heater("Hang", "startup: off")

    /// A connection that waits is the first thing that it should answer.
    @Test func aGatewayThatHangsIsReplaced() throws {
        let daemon = try ServedDaemon(Self.panel)
        #expect(daemon.request("GET /healthz").contains("200 OK"))
        let first = try daemon.gateway()
        ProcessTree.stop(first)
        let waiting = try #require(LocalSocket(port: daemon.port))
        let answer = daemon.answer("GET /healthz", on: waiting)
        #expect(answer.contains("200 OK"), "\(answer); \(daemon.session.errorText)")
        // The system ends a process when it has time for that.
        for _ in 0..<2_000 where ProcessTree.lives(first) { daemon.pause(5) }
        #expect(!ProcessTree.lives(first))
        #expect(daemon.session.waitForErrors("the gateway was ended: it hung for 4s"))
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    /// Every question about a panel that hangs has an answer, and it is not that all is well.
    @Test func aPanelThatHangsIsTold() throws {
        let daemon = try ServedDaemon(Self.panel)
        #expect(daemon.request("GET /healthz").contains("200 OK"))
        let panel = try daemon.panel()
        ProcessTree.stop(panel)
        // What it said just before is believed for a second.
        for _ in 0..<200 where daemon.request("GET /healthz").contains("200 OK") {
            daemon.pause(50)
        }
        for path in ["/healthz", "/metrics", "/api/v1/panel", "/api/v1/history"] {
            let answer = daemon.request("GET \(path)")
            #expect(answer.contains(" 503 ") && answer.contains("No answer from the panel"))
        }
        kill(panel, SIGCONT)
        var isWell = false
        for _ in 0..<200 where !isWell {
            isWell = daemon.request("GET /healthz").contains("200 OK")
            if !isWell { daemon.pause(50) }
        }
        #expect(isWell)
        #expect(!daemon.session.errorText.contains("hung"), "its gateway is not blamed")
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }
}
