import DetentTypes

/// Reads the broker of a panel.
struct BrokerReader {
    let log: ProblemLog
    let node: YAMLNode

    /// The broker of a panel with this name; nil with a problem in the log.
    func read(panel name: String) -> BrokerPlan? {
        guard node.entries != nil, let url = node["url"]?.text, let address = BrokerAddress(url)
        else { return nil }
        var plan = BrokerPlan(
            host: address.place.host, port: address.place.port, isSecure: address.isSecure,
            topic: topic(node["topic"], "topic") ?? BrokerPlan.defaultTopic(of: name))
        plan.role = node["role"]?.text.flatMap(BrokerPlan.Role.init) ?? .operate
        if let discovery = node["discovery"], discovery.text != "off" {
            plan.discovery = topic(discovery, "discovery")
        }
        plan.clientID = node["client-id"]?.text
        plan.keepAlive = keepAlive()
        readUser(&plan)
        readCertificates(&plan)
        return plan
    }

    private func keepAlive() -> TimeSpan {
        guard let node = node["keepalive"], let span = node.durationValue else {
            return Defaults.keepAlive
        }
        if span.nanoseconds % 1_000_000_000 != 0 {
            log.error(
                .outOfRange, at: node.place, "`keepalive` must be in whole seconds",
                help: "write one such as `\(DurationText.text(Defaults.keepAlive))`")
        }
        return span
    }

    /// The beginning of topics; nil with a problem in the log.
    private func topic(_ node: YAMLNode?, _ name: String) -> String? {
        guard let node, let text = node.text else { return nil }
        let isValid =
            text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"#+$".utf8.contains($0) }
            && !text.hasPrefix("/") && !text.hasSuffix("/") && !text.contains("//")
            && text.utf8.count <= Limits.topicCharacters
        guard !isValid else { return text }
        return log.refuse(
            .invalidArgument, at: node.place,
            "`\(quoted(text))` cannot be the beginning of topics",
            help: "use at most \(Limits.topicCharacters) letters, digits, '-' and '_', with '/' "
                + "between levels, such as `\(name == "topic" ? "detent/hall" : "homeassistant")`")
    }

    private func readUser(_ plan: inout BrokerPlan) {
        plan.user = node["user"]?.text
        plan.password = node["password"]?.text
        for key in ["user", "password"] {
            guard let node = node[key], let text = node.text else { continue }
            for wrong in SecretReference.unreadable(in: text) {
                log.error(
                    .invalidArgument, at: node.place, "`\(quoted(wrong))` does not name a secret",
                    help: "write `${env:NAME}` for a variable, or `${file:/path}` for a file")
            }
        }
        guard let node = node["password"], let text = node.text else { return }
        if SecretReference.replaced(in: text, by: { _ in "" }) == text {
            log.error(
                .invalidArgument, at: node.place, "a password must not be in the panel file",
                help: "write it into a file that only the user of Detent can read, and give its "
                    + "path: `password: ${file:/etc/detent/mqtt}`")
        }
        if plan.user == nil {
            log.error(
                .missingKey, at: node.place, "`password` needs `user`",
                help: "add `user:`, the name that the broker knows")
        }
    }

    private func readCertificates(_ plan: inout BrokerPlan) {
        if let text = node["ca"]?.text, text != BrokerPlan.systemAuthority {
            plan.authority = text
        }
        plan.certificate = node["cert"]?.text
        plan.key = node["key"]?.text
        for key in ["ca", "cert", "key"] {
            guard let node = node[key], let path = node.text else { continue }
            if !path.hasPrefix("/") {
                log.error(
                    .invalidArgument, at: node.place, "`\(quoted(path))` is not a whole path",
                    help: "write the path from `/` on, such as `/etc/detent/\(key).pem`")
            } else if !plan.isSecure, path != BrokerPlan.systemAuthority {
                log.error(
                    .conflictingKeys, at: node.place, "`\(key)` is only for `mqtts`",
                    help: "write `url: mqtts://…`, or remove `\(key)`")
            }
        }
        for (key, other) in [("cert", "key"), ("key", "cert")] where node[other] == nil {
            guard let node = node.key(key) else { continue }
            log.error(
                .missingKey, at: node.place, "`\(key)` needs `\(other)`",
                help: "add `\(other):`, or remove `\(key)`")
        }
    }
}
