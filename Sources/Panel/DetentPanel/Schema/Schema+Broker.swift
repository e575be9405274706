extension Schema {
    /// Keys of the broker.
    static let brokerKeys: [KeySpec] = [
        KeySpec(
            .mqtt, "url", .address(.broker), isRequired: true,
            "The address of the broker: `mqtt://HOST`, or `mqtts://HOST` with TLS. The port is "
                + "1883 or 8883 if none is given."),
        KeySpec(
            .mqtt, "user", .text, default: "none",
            "The user, if the broker asks for one; it can be a secret such as `${env:NAME}`."),
        KeySpec(
            .mqtt, "password", .text, default: "none",
            "The password: `${file:PATH}` or `${env:NAME}`. It is never printed."),
        KeySpec(
            .mqtt, "topic", .text,
            default: .described("`detent/` and the panel's name in lower case with `-`"),
            "What all topics of the panel begin with."),
        KeySpec(
            .mqtt, "role", .words(BrokerPlan.Role.allCases.map(\.rawValue)),
            default: .word("operate"),
            "`operate`: the broker can do what the page can. `view`: the panel only publishes."),
        KeySpec(
            .mqtt, "discovery", .text, default: .word("off"),
            "What the discovery topics of Home Assistant begin with, usually `homeassistant`; "
                + "`off` to announce nothing. See [Home Assistant](../home-assistant.md)."),
        KeySpec(
            .mqtt, "client-id", .text, default: .described("made from the topic"),
            "The name of the connection at the broker. Two connections with the same name displace "
                + "each other."),
        KeySpec(
            .mqtt, "ca", .text, default: .word(BrokerPlan.systemAuthority),
            "The file or the folder of the certificates that are trusted; only with `mqtts`."),
        KeySpec(
            .mqtt, "cert", .text, default: "none",
            "The file of the client's certificate; only with `mqtts`, and together with `key`."),
        KeySpec(
            .mqtt, "key", .text, default: "none",
            "The file of the client's private key; together with `cert`."),
        KeySpec(
            .mqtt, "keepalive", milliseconds(5_000, 3_600_000),
            default: .value(Defaults.keepAlive),
            "How often an idle connection is tested, in whole seconds. A dead broker is noticed "
                + "within one and a half times this."),
    ]
}
