import DetentPanel

/// Access control: lists of allowed host names and origins, and a token if other machines can
/// connect.
///
/// Host and origin are not compared with each other: under DNS rebinding the attacker controls
/// both.
struct AccessPolicy: Sendable {
    private let hosts: Set<String>
    private let origins: Set<String>
    let token: AccessToken?

    /// Makes the policy of a server at a port.
    ///
    /// - Parameters:
    ///   - names: allowed host names in addition to `localhost`, `127.0.0.1` and `[::1]`.
    ///   - token: the token that requests must send; nil if none is required.
    init(port: Int, names: [String], token: AccessToken?) {
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
        self.token = token
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

    /// Whether a request has the token, or no token is required.
    func knowsToken(_ request: HTTPRequest) -> Bool {
        guard let token else { return true }
        guard let value = request.value("authorization") else { return false }
        guard let space = value.firstIndex(of: " ") else { return false }
        return value[..<space].lowercased() == "bearer"
            && token.isSame(String(value[space...].drop { $0 == " " }))
    }

    /// Whether a request has full authority. Its connection is then trusted.
    func trusts(_ request: HTTPRequest) -> Bool {
        refusal(of: request, isChange: true) == nil && knowsToken(request)
    }

    private static func foreign(_ who: String) -> APIError {
        APIError(
            403, "A page of \(who) is not allowed to do this",
            "use the panel's own page, or start the server with `--allow-host`")
    }
}
