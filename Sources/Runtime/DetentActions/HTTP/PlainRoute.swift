import DetentTypes

/// All of a request to a service on this machine that does not depend on its body: calls that
/// differ in their bodies share it.
struct PlainRoute: Equatable {
    /// Where the service may listen, in the order in which the addresses are tried.
    var places: [LoopbackAddress]
    /// The host and the port as the panel file has them, for people.
    var host: String
    /// Whether to do it twice is the same as once, so that it may be sent on a kept connection, and
    /// again on another one if the service has closed it (RFC 9110, 9.2.2).
    var isRepeatable: Bool
    /// The first lines of the request, up to the length of its body.
    var head: [UInt8]

    /// Headers that change how a request or its answer is sent.
    private static let framing = [
        "connection", "content-length", "expect", "keep-alive", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    private static let slash = UInt8(ascii: "/")
    private static let question = UInt8(ascii: "?")
    private static let sharp = UInt8(ascii: "#")

    /// Reads a call; nil if `curl` has to make the request.
    ///
    /// - Parameter variable: a variable of the environment; nil if it is not set.
    init?(_ call: HTTPCall, variable: (String) -> String?) {
        // A proxy is asked for everything, unless it is told otherwise: curl knows the rules.
        let isProxied = ["http_proxy", "all_proxy", "ALL_PROXY"].contains {
            variable($0)?.isEmpty == false
        }
        let address = call.address.utf8
        guard !isProxied, Substring(address.prefix(7)).lowercased() == "http://",
            address.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        let rest = address.dropFirst(7)
        let authority = rest.prefix { $0 != Self.slash && $0 != Self.question && $0 != Self.sharp }
        let target = rest[authority.endIndex...].prefix { $0 != Self.sharp }
        let names = call.headers.map { $0.name.lowercased() }
        // curl removes `.` and `..` from a path.
        let hasDots = zip(target, target.dropFirst()).contains {
            $0 == Self.slash && $1 == UInt8(ascii: ".")
        }
        host = String(Substring(authority))
        guard !hasDots, !names.contains(where: Self.framing.contains),
            call.headers.allSatisfy({ Self.isLine($0.name) && Self.isLine($0.text) }),
            let place = HostAndPort(host) ?? HostAndPort(host + ":80"),
            let places = LoopbackAddress.all(of: place)
        else { return nil }
        self.places = places
        isRepeatable = ["GET", "PUT", "DELETE"].contains(call.method)
        var text = call.method
        text += target.first == Self.slash ? " " : " /"
        text += String(Substring(target))
        text += " HTTP/1.1\r\n"
        func add(_ name: String, unlessGiven word: String) {
            if !names.contains(name.lowercased()) { text += "\(name): \(word)\r\n" }
        }
        add("Host", unlessGiven: host)
        add("User-Agent", unlessGiven: "detent")
        add("Accept", unlessGiven: "*/*")
        if call.body != nil {
            add("Content-Type", unlessGiven: "application/x-www-form-urlencoded")
        }
        for header in call.headers { text += "\(header.name): \(header.text)\r\n" }
        if !isRepeatable { text += "Connection: close\r\n" }
        head = Array(text.utf8)
    }

    private static func isLine(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 }
    }
}

/// The routes of the latest calls, so that one that is made often is read once.
///
/// Synchronization: none.
struct PlainRoutes {
    private struct Known {
        var method: String
        var headers: [TextPair]
        var hasBody: Bool
        var route: PlainRoute
    }

    private var known: [String: Known] = [:]

    /// How many addresses are known.
    var count: Int { known.count }

    /// Whether an address is known.
    func knows(_ address: String) -> Bool { known[address] != nil }

    /// The route of a call; nil if `curl` has to make the request.
    ///
    /// The environment is read for an unknown call only: nothing changes it while the process runs.
    mutating func route(of call: HTTPCall, variable: (String) -> String?) -> PlainRoute? {
        if let route = known[call.address], route.method == call.method,
            route.headers == call.headers,
            route.hasBody == (call.body != nil)
        {
            return route.route
        }
        guard let route = PlainRoute(call, variable: variable) else { return nil }
        // A secret is not kept.
        guard call.secrets.isEmpty else { return route }
        if known.count >= ActionLimits.httpRoutes { known = [:] }
        known[call.address] = Known(
            method: call.method, headers: call.headers, hasBody: call.body != nil, route: route)
        return route
    }
}
