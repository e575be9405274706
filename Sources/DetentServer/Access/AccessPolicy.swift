import DetentPanel

/// Who may ask: lists of exact names, and a token where others than this machine can connect.
///
/// Host and origin are never compared with each other: under DNS rebinding both are the attacker's.
struct AccessPolicy: Sendable {
    private let hosts: Set<String>
    private let origins: Set<String>
    let token: AccessToken?

    /// Makes the policy of a server at a port.
    ///
    /// - Parameters:
    ///   - names: what it may be called by besides `localhost`, `127.0.0.1` and `[::1]`.
    ///   - token: what requests must carry; nil where they need nothing.
    init(port: Int, names: [String], token: AccessToken?) {
        var hosts: Set<String> = []
        for name in ["localhost", "127.0.0.1", "[::1]"] {
            hosts.insert("\(name):\(port)")
            if port == 80 { hosts.insert(name) }
        }
        var origins = Set(hosts.map { "http://" + $0 })
        for name in names.map({ $0.contains(":") ? "[\($0.lowercased())]" : $0.lowercased() }) {
            // Behind a proxy the port is another, and the scheme may be.
            for host in [name, "\(name):\(port)"] {
                hosts.insert(host)
                origins.formUnion(["http://" + host, "https://" + host])
            }
        }
        self.hosts = hosts
        self.origins = origins
        self.token = token
    }

    /// Why a request is not even looked at; nil where it is.
    func refusal(of request: HTTPRequest, isChange: Bool) -> Refused? {
        guard let host = request.value("host") else {
            return .unreadable("A request names its host once", "send one `Host`")
        }
        guard hosts.contains(host.lowercased()) else {
            return Refused(
                421, "This is not `\(quoted(host))`",
                "ask for localhost, or start the server with `--allow-host \(quoted(host))`")
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

    /// Whether a request carries the token, or needs none.
    func knowsToken(_ request: HTTPRequest) -> Bool {
        guard let token else { return true }
        guard let value = request.value("authorization") else { return false }
        guard let space = value.firstIndex(of: " ") else { return false }
        return value[..<space].lowercased() == "bearer"
            && token.isSame(String(value[space...].drop { $0 == " " }))
    }

    /// Whether a request may ask for all that needs the token. Its connection is trusted then.
    func trusts(_ request: HTTPRequest) -> Bool {
        refusal(of: request, isChange: true) == nil && knowsToken(request)
    }

    private static func foreign(_ who: String) -> Refused {
        Refused(
            403, "A page of \(who) may not do this",
            "use the panel's own page, or start the server with `--allow-host`")
    }
}
