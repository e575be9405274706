import Glibc
import TestSupport
import Testing

/// Secrets of `mqtt:` and of its actions that are missing: the panel says which, and works.
@Suite(.serialized, .enabled(if: Mosquitto.isInstalled, "mosquitto is not installed"))
struct MissingSecretTests {
    private static let on = "{\"value\": \"on\"}"
    private static let online = "'detent/kettle/availability', ... (6 bytes)"

    /// The panel works, is not connected, and connects as soon as the secret is there.
    @Test func aPasswordThatIsMissingIsNamed() throws {
        let mosquitto = Mosquitto()
        try #require(mosquitto.session.waitForErrors(" running"), "\(mosquitto.session.errorText)")
        let folder = Folder()
        // The connection of a panel that root starts belongs to another user.
        chmod(folder.path, 0o755)
        let path = folder.path + "/word"
        let daemon = try ServedDaemon(
            "mqtt: {url: \"mqtt://localhost:\(mosquitto.port)\", user: kettle, "
                + "password: \"${file:\(path)}\"}\n" + Program.heater("Kettle", "startup: off"))
        let cause =
            "detent: the broker localhost:\(mosquitto.port): is not asked: the file of a secret, "
            + "\(path), cannot be read: No such file or directory"
        #expect(daemon.session.waitForErrors(cause), "\(daemon.session.errorText)")
        #expect(daemon.session.waitForErrors("let the user that runs Detent read a file of one"))
        #expect(daemon.request("PUT /api/v1/controls/heater", body: Self.on).contains(" 202 "))
        #expect(daemon.shows("heater", "\"actual\":\"on\""))
        #expect(!mosquitto.session.errorText.contains("New client"), "nothing was sent")
        folder.write("geheim-4711\n", to: "word")
        #expect(mosquitto.session.waitForErrors(Self.online))
        daemon.session.send(SIGTERM)
        let result = daemon.session.end()
        expectEqual(result.code, 0)
        expectEqual(result.errors.ranges(of: "is not asked").count, 1, "\(result.errors)")
        #expect(!(result.output + result.errors).contains("geheim-4711"))
    }

    @Test func aVariableThatIsMissingIsNamed() throws {
        let daemon = try ServedDaemon(
            "mqtt: {url: \"mqtt://localhost:1\", user: kettle, password: \"${env:NO_SUCH_WORD}\"}"
                + "\n" + Program.heater("Kettle", "startup: off"))
        #expect(daemon.session.waitForErrors("the variable `NO_SUCH_WORD` is not set"))
        #expect(daemon.request("PUT /api/v1/controls/heater", body: Self.on).contains(" 202 "))
        #expect(daemon.shows("heater", "\"actual\":\"on\""))
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    /// An action whose message needs two secrets, one of which is missing, sends nothing.
    @Test func aSecretOfAMessageThatIsMissingIsNamed() throws {
        let mosquitto = Mosquitto()
        try #require(mosquitto.session.waitForErrors(" running"), "\(mosquitto.session.errorText)")
        let folder = Folder()
        folder.write("geheim-4711\n", to: "known")
        let known = "${file:\(folder.path)/known}"
        let missing = "${file:\(folder.path)/missing}"
        let daemon = try ServedDaemon(
            "mqtt: {url: \"mqtt://localhost:\(mosquitto.port)\"}\n"
                + Program.heater(
                    "Kettle",
                    "action: {mqtt: {topic: cmnd/x, payload: \"\(known) \(missing)\"}, "
                        + "timeout: 5s, failed-for: 1h}"))
        #expect(mosquitto.session.waitForErrors(Self.online))
        #expect(daemon.request("PUT /api/v1/controls/heater", body: Self.on).contains(" 202 "))
        let cause = "the file of a secret, \(folder.path)/missing, cannot be read"
        #expect(daemon.session.waitForErrors(cause), "\(daemon.session.errorText)")
        #expect(daemon.shows("heater", "\"phase\":\"failed\""))
        // The panel goes on, and the message goes out once the secret is there.
        folder.write("fehlt-0815\n", to: "missing")
        #expect(daemon.request("PUT /api/v1/controls/heater", body: Self.on).contains(" 202 "))
        #expect(mosquitto.session.waitForErrors("'cmnd/x', ... (22 bytes)"))
        #expect(daemon.shows("heater", "\"actual\":\"on\""))
        expectEqual(mosquitto.session.errorText.ranges(of: "'cmnd/x'").count, 1)
        let history = daemon.request("GET /api/v1/history")
        #expect(history.contains("\"failed\""))
        daemon.session.send(SIGTERM)
        let result = daemon.session.end()
        expectEqual(result.code, 0)
        for text in [result.output, result.errors, history] {
            #expect(!text.contains("geheim-4711") && !text.contains("fehlt-0815"))
        }
    }
}
