import DetentCore
import DetentPanel
import DetentTypes

extension KeyCase {
    /// Keys of the broker.
    static let broker: [KeyCase] = [
        KeyCase(
            "panel.mqtt", lamp, "mqtt: {url: \"mqtt://hub\"}", bad: "mqtt: hub", "wrong-type"
        ) { $0.broker?.host == "hub" && $0.broker?.port == 1883 },
        KeyCase(
            "panel.mqtt.url", lamp, "mqtt: {url: \"mqtts://hub:9\"}",
            bad: "mqtt: {url: \"http://hub\"}", "invalid-argument"
        ) { $0.broker?.host == "hub" && $0.broker?.port == 9 && $0.broker?.isSecure == true },
        key("user", "user: hall", bad: "user: \"${HALL}\"", "invalid-argument") {
            $0.user == "hall"
        },
        key(
            "password", "user: u, password: \"${env:WORD}\"", bad: "user: u, password: secret",
            "invalid-argument"
        ) { $0.password == "${env:WORD}" },
        key("topic", "topic: house/hall", bad: "topic: house/#", "invalid-argument") {
            $0.topic == "house/hall"
        },
        key("role", "role: view", bad: "role: see", "unknown-word") { $0.role == .view },
        key(
            "discovery", "discovery: homeassistant", bad: "discovery: /home", "invalid-argument"
        ) { $0.discovery == "homeassistant" },
        key("client-id", "client-id: hall", bad: "client-id: [hall]", "wrong-type") {
            $0.clientName == "hall"
        },
        secure("ca", "ca: /etc/ca.pem", bad: "ca: ca.pem", "invalid-argument") {
            $0.authority == "/etc/ca.pem"
        },
        secure("cert", "cert: /a, key: /b", bad: "cert: /a", "missing-key") {
            $0.certificate == "/a"
        },
        secure("key", "key: /b, cert: /a", bad: "key: /b", "missing-key") { $0.key == "/b" },
        key("keepalive", "keepalive: 90s", bad: "keepalive: 1s", "out-of-range") {
            $0.keepAlive == .seconds(90)
        },
    ]

    private static let lamp = "panel: P, board: none, controls: {c: {\(Base.lever)}}"

    private static func key(
        _ name: String, scheme: String = "mqtt", _ good: String, bad: String, _ rule: String,
        _ effect: @escaping @Sendable (BrokerPlan) -> Bool
    ) -> KeyCase {
        let start = "mqtt: {url: \"\(scheme)://hub\", "
        return KeyCase(
            "panel.mqtt.\(name)", lamp, start + good + "}", bad: start + bad + "}", rule
        ) { $0.broker.map(effect) ?? false }
    }

    private static func secure(
        _ name: String, _ good: String, bad: String, _ rule: String,
        _ effect: @escaping @Sendable (BrokerPlan) -> Bool
    ) -> KeyCase {
        key(name, scheme: "mqtts", good, bad: bad, rule, effect)
    }
}
