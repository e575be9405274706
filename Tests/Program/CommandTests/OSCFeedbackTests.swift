import FreePorts
import Glibc
import Processes
import TestSupport
import Testing

/// Messages of Open Sound Control that a running panel hears, through a process of its own.
@Suite(.serialized) struct OSCFeedbackTests {
    /// Another machine, with a socket for datagrams on loopback.
    private final class Sender {
        let port = Int(FreePorts.next(.udp))
        private let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)

        deinit { close(socket) }

        /// Sends an address and a text.
        func send(_ path: String, _ text: String) {
            func padded(_ text: String) -> [UInt8] {
                Array(text.utf8) + [UInt8](repeating: 0, count: 4 - text.utf8.count % 4)
            }
            send(padded(path) + padded(",s") + padded(text))
        }

        func send(_ bytes: [UInt8]) {
            _ = LocalSocket.withAddress(port) {
                sendto(socket, bytes, bytes.count, 0, $0, $1)
            }
        }
    }

    private static func panel(_ port: Int) -> String {
        """
        panel: Desk
        board: none
        controls:
          mute:
            kind: toggle-button
            label: Mute
            input: BUTTON
            action: {run: ["true"], timeout: 5s}
            feedback: {osc: {listen: "127.0.0.1:\(port)", address: /mute}, map: {"1": on, "0": off}}
          air: {kind: indicator, label: On Air, indicator: LAMP,
            feedback: {osc: {listen: "127.0.0.1:\(port)", address: /air}}}

        """
    }

    private static func listener(of panel: pid_t) -> pid_t? {
        ProcessTree.children(of: panel).first {
            ProcessTree.text("/proc/\($0)/status").hasPrefix("Name:\tdetent-osc\n")
        }
    }

    /// Sends a report until the panel shows it: at first nothing listens.
    private static func shows(
        _ daemon: ServedDaemon, _ id: String, _ text: String, sending send: () -> Void
    ) -> Bool {
        for _ in 0..<100 {
            send()
            if daemon.shows(id, text, within: 200) { return true }
        }
        return false
    }

    @Test func aMessageIsAReportAndStrangersAreLeftOut() throws {
        let sender = Sender()
        let daemon = try ServedDaemon(Self.panel(sender.port))
        #expect(
            Self.shows(daemon, "air", "\"actual\":\"on\"") { sender.send("/air", "on") })
        let process = try #require(Self.listener(of: try daemon.panel()))
        let status = ProcessTree.text("/proc/\(process)/status")
        #expect(status.contains("NoNewPrivs:\t1\n"))
        #expect(status.contains("Seccomp:\t2\n") || !status.contains("Seccomp:"))
        // Nothing of this ends it, or is a report.
        for bytes in [[], [0], Array("#bundle\0".utf8), [UInt8](repeating: 0x2F, count: 9_000)] {
            sender.send(bytes)
        }
        for _ in 0..<2_000 { sender.send("/mute/other", "1") }
        #expect(
            Self.shows(daemon, "mute", "\"actual\":\"on\"") { sender.send("/mute", "1") })
        sender.send("/mute", "maybe")
        #expect(daemon.session.waitForErrors("feedback of mute: it printed `maybe`"))
        #expect(daemon.shows("mute", "stale"))
        expectEqual(Self.listener(of: try daemon.panel()), process)
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
        #expect(kill(process, 0) != 0, "it ends with the panel")
    }

    @Test func aListenerThatDiesIsMissedAndComesBack() throws {
        let sender = Sender()
        let daemon = try ServedDaemon(Self.panel(sender.port))
        #expect(
            Self.shows(daemon, "air", "\"actual\":\"on\"") { sender.send("/air", "on") })
        kill(try #require(Self.listener(of: try daemon.panel())), SIGKILL)
        #expect(
            daemon.session.waitForErrors(
                "feedback of air: the listener at 127.0.0.1:\(sender.port) has ended"))
        #expect(daemon.shows("air", "stale"))
        #expect(
            Self.shows(daemon, "air", "\"actual\":\"off\"") { sender.send("/air", "off") })
    }

    @Test func aPortThatIsTakenIsSaid() throws {
        let sender = Sender()
        let first = try ServedDaemon(Self.panel(sender.port))
        #expect(
            Self.shows(first, "air", "\"actual\":\"on\"") { sender.send("/air", "on") })
        let second = try ServedDaemon(Self.panel(sender.port))
        #expect(
            second.session.waitForErrors(
                "OSC messages cannot be heard at 127.0.0.1:\(sender.port): "
                    + "Address already in use"))
        #expect(second.session.waitForErrors("feedback of air: the listener at"))
    }

    @Test func thePartOfThePanelIsNoCommand() {
        let result = Program.run(["osc"])
        #expect(result.code == 2 || result.code == 4)
        #expect(result.errors.contains("`detent osc` is a part of `detent run`"))
    }
}
