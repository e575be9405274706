import Glibc
import Testing

/// The process between a broker and a panel: what it may, and what happens when it dies.
@Suite(
    .serialized,
    .enabled(if: access("/usr/sbin/mosquitto", X_OK) == 0, "mosquitto is not installed"))
struct BrokerTests {
    /// A broker with its log in standard error.
    private struct Mosquitto: ~Copyable {
        let port: UInt16
        let session: Session
        private let file: TemporaryFile

        init() {
            port = Self.freePort()
            file = TemporaryFile(
                "mosquitto.conf",
                "listener \(port) 127.0.0.1\nallow_anonymous true\npersistence false\n")
            session = Session([], shell: "exec /usr/sbin/mosquitto -v -c \(file.path);")
        }

        private static func freePort() -> UInt16 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = bind(descriptor, $0, size)
                    _ = getsockname(descriptor, $0, &size)
                }
            }
            return UInt16(bigEndian: address.sin_port)
        }
    }

    private static let online = "'detent/kettle/availability', ... (6 bytes)"
    private static let offline = "'detent/kettle/availability', ... (7 bytes)"

    private static func panel(_ port: UInt16) -> String {
        "mqtt: {url: \"mqtt://localhost:\(port)\"}\n" + Program.heater("Kettle", "startup: off")
    }

    private static func broker(of panel: pid_t) -> pid_t? {
        ProcessTree.children(of: panel).first {
            ProcessTree.text("/proc/\($0)/status").hasPrefix("Name:\tdetent-broker\n")
        }
    }

    @Test func itLivesBesideThePanelAndComesBack() throws {
        let mosquitto = Mosquitto()
        try #require(mosquitto.session.waitForErrors(" running"))
        let daemon = try ServedDaemon(Self.panel(mosquitto.port))
        #expect(mosquitto.session.waitForErrors(Self.online))
        let panel = try daemon.panel()
        let broker = try #require(Self.broker(of: panel))
        let status = ProcessTree.text("/proc/\(broker)/status")
        #expect(status.contains("NoNewPrivs:\t1\n"))
        #expect(status.contains("Seccomp:\t2\n") || !status.contains("Seccomp:"))
        // The page works beside it, and a change there reaches the broker.
        let body = "{\"value\": \"on\"}"
        #expect(daemon.request("PUT /api/v1/controls/heater", body: body).contains(" 202 "))
        #expect(mosquitto.session.waitForErrors("'detent/kettle/heater/state'", times: 2))
        kill(broker, SIGKILL)
        #expect(daemon.session.waitForErrors("ended the connection to the broker; it starts again"))
        #expect(mosquitto.session.waitForErrors(Self.online, times: 2))
        #expect(try daemon.panel() == panel)
        #expect(!mosquitto.session.errorText.contains(Self.offline))
        daemon.session.send(SIGTERM)
        #expect(daemon.session.end().code == 0)
        #expect(mosquitto.session.waitForErrors(Self.offline), "the end is an orderly one")
    }

    @Test func itIsNoCommandOfItsOwn() {
        let result = Program.run("broker")
        #expect(result.code == 2 && result.errors.contains("use `detent run`"), "\(result)")
    }
}
