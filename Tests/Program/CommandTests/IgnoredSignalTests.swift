import Glibc
import TestSupport
import Testing

/// A parent that ignores the ends of its children passes this on.
@Suite struct IgnoredSignalTests {
    private func daemon() throws -> ServedDaemon {
        try ServedDaemon(
            Program.heater("Ignored", "action: {run: [\"false\"], timeout: 5s}"),
            // Another shell: dash does not ignore this signal.
            shell: #"exec bash -c 'trap "" CHLD; exec "$0" "$@"' "$0" "$@";"#)
    }

    @Test func aFailedProgramIsSeen() throws {
        let daemon = try daemon()
        _ = daemon.request("PUT /api/v1/controls/heater", body: #"{"value": "on"}"#)
        #expect(daemon.shows("heater", #""reason":"exit1""#), "it is shown as done")
    }

    @Test func theEndOfThePanelIsSeen() throws {
        let daemon = try daemon()
        kill(try daemon.panel(), SIGKILL)
        expectEqual(daemon.session.end().signal, SIGKILL)
    }
}
