import Certificates
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc
import Synchronization
import Testing

@testable import DetentMQTT

/// A panel against Debian's broker with TLS.
@Suite(
    .serialized, .enabled(if: Mosquitto.isInstalled, "mosquitto is not installed"),
    .enabled(if: Certificates.isInstalled, "openssl is not installed"))
struct MQTTTLSTests {
    /// A panel, until the end of the test.
    private final class Connected {
        private let client: MQTTThread
        private let said = Said()

        private final class Said: Sendable {
            let text = Mutex("")
        }

        /// What was said to people.
        var log: String { said.text.withLock { $0 } }

        init(_ port: UInt16, _ keys: String) throws {
            let text =
                "{panel: Lab, board: none, mqtt: {url: \"mqtts://127.0.0.1:\(port)\"\(keys)}, "
                + "controls: {lamp: {kind: switch, label: Lamp, input: A}}}"
            let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
            let plan = try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
            let said = said
            client = try MQTTThread(FakePanel(plan)) { text in
                said.text.withLock { $0 += text }
            }
        }

        deinit { client.stop() }

        /// Waits until something was said, 30 s at most.
        func wait(for text: String) throws -> Bool {
            let deadline = MonotonicClock.now + .seconds(30)
            // Nothing rings it: each wait lasts as long as it may.
            var pause = PollSet(capacity: 1)
            while !log.contains(text) {
                let now = MonotonicClock.now
                guard now < deadline else { return false }
                _ = pause.wait(now: now, until: now + .milliseconds(20))
            }
            return true
        }
    }

    private static let connected = "connected to the broker"

    /// A broker with a certificate for a host.
    private static func broker(
        _ certificates: Certificates, for host: String = "IP:127.0.0.1", more: String = ""
    ) throws -> Mosquitto {
        try certificates.issue("broker", for: host)
        // A broker that was started by root reads its files as another user.
        for name in ["broker.key", "broker.pem", "ca.pem"] { chmod(certificates.path(name), 0o644) }
        chmod(certificates.folder, 0o755)
        return try Mosquitto(
            "certfile \(certificates.path("broker.pem"))\n"
                + "keyfile \(certificates.path("broker.key"))\n"
                + "allow_anonymous true\n\(more)")
    }

    @Test func aTrustedBrokerIsConnected() throws {
        let certificates = try Certificates()
        let broker = try Self.broker(certificates)
        let it = try Connected(broker.port, ", ca: \(certificates.path("ca.pem"))")
        #expect(try it.wait(for: Self.connected), "\(it.log)")
        #expect(!it.log.contains("certificate"), "\(it.log)")
    }

    /// A pipe would be waited for: it is refused before it is opened.
    @Test func aPipeIsNoCertificate() throws {
        let certificates = try Certificates()
        let pipe = certificates.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let it = try Connected(1, ", ca: \(pipe)")
        #expect(try it.wait(for: "is not asked: \(pipe) is not a file"), "\(it.log)")
    }

    @Test func anotherAuthorityIsRefused() throws {
        let certificates = try Certificates()
        let broker = try Self.broker(certificates)
        let others = try Certificates()
        let it = try Connected(broker.port, ", ca: \(others.path("ca.pem"))")
        #expect(try it.wait(for: "is not trusted"), "\(it.log)")
        #expect(!it.log.contains(Self.connected), "\(it.log)")
        // Those of the system do not know it either.
        let system = try Connected(broker.port, "")
        #expect(try system.wait(for: "is not trusted"), "\(system.log)")
        #expect(!system.log.contains(Self.connected), "\(system.log)")
    }

    @Test func anotherNameIsRefused() throws {
        let certificates = try Certificates()
        let broker = try Self.broker(certificates, for: "DNS:other.example")
        let it = try Connected(broker.port, ", ca: \(certificates.path("ca.pem"))")
        #expect(try it.wait(for: "is not trusted"), "\(it.log)")
        #expect(!it.log.contains(Self.connected), "\(it.log)")
    }

    @Test func aBrokerCanAskForACertificate() throws {
        let certificates = try Certificates()
        try certificates.issue("panel", for: "DNS:panel.example")
        let broker = try Self.broker(
            certificates, more: "require_certificate true\ncafile \(certificates.path("ca.pem"))")
        let silence = "before it answered"
        let authority = ", ca: \(certificates.path("ca.pem"))"
        let with = try Connected(
            broker.port,
            authority + ", cert: \(certificates.path("panel.pem"))"
                + ", key: \(certificates.path("panel.key"))")
        #expect(try with.wait(for: Self.connected), "\(with.log)")
        let without = try Connected(broker.port, authority + ", client-id: without")
        #expect(try without.wait(for: silence), "\(without.log)")
        #expect(!without.log.contains(Self.connected), "\(without.log)")
        // One of another authority.
        let others = try Certificates()
        try others.issue("thief", for: "DNS:panel.example")
        let thief = try Connected(
            broker.port,
            authority + ", cert: \(others.path("thief.pem")), key: \(others.path("thief.key"))"
                + ", client-id: thief")
        #expect(try thief.wait(for: silence), "\(thief.log)")
        #expect(!thief.log.contains(Self.connected), "\(thief.log)")
    }

    @Test func aPlainBrokerIsNamed() throws {
        let broker = try Mosquitto()
        let it = try Connected(broker.port, "")
        #expect(try it.wait(for: "may not speak TLS at this port"), "\(it.log)")
        #expect(!it.log.contains(Self.connected), "\(it.log)")
    }

    @Test func filesThatAreMissingAreNamed() throws {
        let certificates = try Certificates()
        let broker = try Self.broker(certificates)
        let missing = certificates.path("missing.pem")
        let it = try Connected(broker.port, ", ca: \(missing)")
        #expect(try it.wait(for: "\(missing) cannot be read"), "\(it.log)")
        let key = try Connected(
            broker.port,
            ", ca: \(certificates.path("ca.pem")), cert: \(certificates.path("broker.pem"))"
                + ", key: \(missing)")
        #expect(try key.wait(for: "\(missing) cannot be read"), "\(key.log)")
    }

    /// A password is sent to a trusted broker only, and is never printed.
    @Test func thePasswordIsNotPrinted() throws {
        let certificates = try Certificates()
        let secret = "correct-horse-battery"
        let file = try #require(fopen(certificates.path("secret"), "w"))
        fputs(secret, file)
        fclose(file)
        let broker = try Self.broker(certificates)
        let keys = ", user: lab, password: \"${file:\(certificates.path("secret"))}\""
        let others = try Certificates()
        let it = try Connected(broker.port, keys + ", ca: \(others.path("ca.pem"))")
        #expect(try it.wait(for: "is not trusted"), "\(it.log)")
        let trusted = try Connected(broker.port, keys + ", ca: \(certificates.path("ca.pem"))")
        #expect(try trusted.wait(for: Self.connected), "\(trusted.log)")
        #expect(!(it.log + trusted.log).contains(secret))
    }
}
