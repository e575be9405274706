import DetentPanel

/// Access control: lists of allowed host names and origins, and a token if other machines can
/// connect.
///
/// Host and origin are not compared with each other: under DNS rebinding the attacker controls
/// both.
struct AccessPolicy: Sendable {
    private let hosts: Set<String>
    private let origins: Set<String>
    private let tokens: AccessTokens

    /// Makes the policy of a server at a port.
    ///
    /// - Parameters:
    ///   - names: allowed host names in addition to `localhost`, `127.0.0.1` and `[::1]`.
    ///   - tokens: those that requests must send one of.
    init(port: Int, names: [String], tokens: AccessTokens) {
        var hosts: Set<String> = []
        for name in ["localhost", "127.0.0.1", "[::1]"] {
            hosts.insert("\(name):\(port)")
            if port == 80 { hosts.insert(name) }
        }
        var origins = Set(hosts.map { "http://" + $0 })
        for name in names.map({ $0.contains(":") ? "[\($0.lowercased())]" : $0.lowercased() }) {
            // A proxy can have another port and another scheme.
            for host in [name, "\(name):\(port)"] {
                hosts.insert(host)
                origins.formUnion(["http://" + host, "https://" + host])
            }
        }
        self.hosts = hosts
        self.origins = origins
        self.tokens = tokens
    }

    /// Why a request is refused before it is read; nil if it is allowed.
    func refusal(of request: HTTPRequest, isChange: Bool) -> APIError? {
        guard let host = request.value("host") else {
            return .unreadable(
                "A request must have exactly one `Host`", "send exactly one `Host` header")
        }
        guard hosts.contains(host.lowercased()) else {
            return APIError(
                421, "The host `\(quoted(host))` is not allowed",
                "use localhost, or start the server with `--allow-host \(quoted(host))`")
        }
        let isVisit = request.method == "GET" && request.path == "/"
        if request.values("sec-fetch-site").contains("cross-site"),
            !(isVisit && request.value("sec-fetch-dest") == "document")
        {
            return Self.foreign("another site")
        }
        let named = request.values("origin")
        if isChange, !named.isEmpty, !named.allSatisfy({ origins.contains($0.lowercased()) }) {
            return Self.foreign("`\(quoted(named.joined(separator: ", ")))`")
        }
        return nil
    }

    /// Who has sent a request, and what it may do; nil if it has no valid token and one is
    /// required.
    func caller(of request: HTTPRequest) -> Caller? {
        let value = request.value("authorization") ?? ""
        guard let space = value.firstIndex(of: " "), value[..<space].lowercased() == "bearer" else {
            return tokens.caller(of: nil)
        }
        return tokens.caller(of: String(value[space...].drop { $0 == " " }))
    }

    /// Whether the connection of a request is trusted: the request is allowed and has a role.
    func trusts(_ request: HTTPRequest) -> Bool {
        refusal(of: request, isChange: true) == nil && caller(of: request) != nil
    }

    private static func foreign(_ who: String) -> APIError {
        APIError(
            403, "A page of \(who) is not allowed to do this",
            "use the panel's own page, or start the server with `--allow-host`")
    }
}
