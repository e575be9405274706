import DetentTypes

/// A request to a service on this machine without TLS: needs no name look-up and no certificate.
struct PlainRequest: Equatable {
    /// Where it goes.
    var route: PlainRoute
    /// What is sent.
    var bytes: [UInt8]

    /// Makes the request of a call whose route is known.
    init(_ call: HTTPCall, by route: PlainRoute) {
        self.route = route
        var bytes: [UInt8] = []
        let body = (call.body ?? "").utf8
        bytes.reserveCapacity(route.head.count + body.count + 64)
        bytes += route.head
        if call.body != nil || call.method != "GET" {
            bytes += "Content-Length: ".utf8
            bytes += String(body.count).utf8
            bytes += "\r\n".utf8
        }
        bytes += "\r\n".utf8
        bytes += body
        self.bytes = bytes
    }

    /// Reads a call; nil if `curl` has to make the request.
    ///
    /// - Parameter variable: a variable of the environment; nil if it is not set.
    init?(_ call: HTTPCall, variable: (String) -> String?) {
        guard let route = PlainRoute(call, variable: variable) else { return nil }
        self.init(call, by: route)
    }
}
