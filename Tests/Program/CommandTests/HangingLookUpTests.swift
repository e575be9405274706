import Glibc
import Processes
import TestSupport
import Testing

/// Names of hosts whose look-up never ends: edges go on, attempts time out, and the end is quick.
@Suite(
    .serialized, .enabled(if: HangingResolver.compiler != nil, "there is no clang"),
    .enabled(if: access("/usr/bin/curl", X_OK) == 0, "curl is not installed"))
struct HangingLookUpTests {
    private static let said = "resolver: a look-up hangs"
    private static let on = "{\"value\": \"on\"}"

    /// A panel with a control that asks a host, and a lamp that asks nobody.
    private static func panel(_ action: String, more: String = "") -> String {
        """
        panel: Far
        board: none
        \(more)
        controls:
          power:
            kind: switch
            label: Power
            input: POWER
            action: \(action)
          lamp:
            kind: switch
            label: Lamp
            input: LAMP
            indicator: LED

        """
    }

    private static func request(timeout: String) -> String {
        panel("{http: {put: \"http://service.hangs/power\"}, timeout: \(timeout)}")
    }

    /// An edge is heard, debounced and shown while `curl` waits for the name.
    @Test func edgesGoOnWhileARequestLooksUpItsHost() throws {
        let resolver = try HangingResolver()
        let file = TemporaryFile("panel.yaml", Self.request(timeout: "3s"))
        let session = Session(
            ["sim", file.path, "--run-actions", "--listen", "off", "--bounce", "none"],
            shell: resolver.shell)
        session.write("flip power on\n")
        #expect(session.waitFor(#""phase": "loading""#))
        session.write("flip lamp on\n")
        #expect(session.waitFor(#""control": "lamp", "event": "changed", "value": "on""#))
        #expect(session.waitFor(#""phase": "failed", "reason": "timed out""#))
        let text = session.outputText
        let lamp = text.firstRange(of: #""control": "lamp", "event": "changed""#)
        let failure = text.firstRange(of: #""phase": "failed""#)
        #expect(try #require(lamp).lowerBound < #require(failure).lowerBound, "\(text)")
        session.write("quit\n")
        expectEqual(session.end().code, 0)
    }

    /// The end of the panel does not wait for the name, and leaves no `curl`.
    @Test func thePanelEndsWhileARequestLooksUpItsHost() throws {
        let resolver = try HangingResolver()
        let daemon = try ServedDaemon(Self.request(timeout: "1h"), shell: resolver.shell)
        #expect(daemon.request("PUT /api/v1/controls/power", body: Self.on).contains(" 202 "))
        let curl = try Self.curl(of: daemon)
        #expect(daemon.request("PUT /api/v1/controls/lamp", body: Self.on).contains(" 202 "))
        #expect(daemon.shows("lamp", "\"actual\":\"on\""))
        #expect(daemon.shows("power", "\"phase\":\"loading\""))
        let start = time(nil)
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
        #expect(time(nil) - start < 10, "it takes a second on a machine at rest")
        #expect(!ProcessTree.lives(curl))
    }

    private static func curl(of daemon: ServedDaemon) throws -> pid_t {
        for _ in 0..<2_000 {
            for child in ProcessTree.children(of: try daemon.panel()) {
                let words = ProcessTree.text("/proc/\(child)/cmdline").split(separator: "\0")
                if words.first?.hasSuffix("curl") == true { return child }
            }
            daemon.pause(5)
        }
        throw ServedDaemon.Missing()
    }

    /// The process between the panel and the broker waits for the name; nothing else does.
    @Test func aBrokerWhoseNameHangsHoldsNothingUp() throws {
        let resolver = try HangingResolver()
        let daemon = try ServedDaemon(
            Self.panel(
                "{mqtt: {topic: cmnd/power, payload: \"{value}\"}, timeout: 1s}",
                more: "mqtt: {url: \"mqtt://broker.hangs\"}"),
            shell: resolver.shell)
        #expect(daemon.session.waitForErrors(Self.said))
        #expect(daemon.request("PUT /api/v1/controls/lamp", body: Self.on).contains(" 202 "))
        #expect(daemon.shows("lamp", "\"actual\":\"on\""))
        #expect(daemon.request("PUT /api/v1/controls/power", body: Self.on).contains(" 202 "))
        #expect(daemon.shows("power", "\"reason\":\"unreachable\""))
        let start = time(nil)
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
        #expect(time(nil) - start < 10, "it takes a second or two on a machine at rest")
    }
}
