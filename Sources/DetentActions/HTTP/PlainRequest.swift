import DetentTypes
import Glibc

/// A request to a service on this machine without TLS: needs no name look-up and no certificate.
struct PlainRequest: Equatable {
    /// Where the service may listen, in the order in which the addresses are tried.
    var places: [LoopbackAddress]
    /// The host and the port as the panel file has them, for people.
    var host: String
    /// What is sent.
    var bytes: [UInt8]

    /// Headers that change how a request or its answer is sent.
    private static let framing = [
        "connection", "content-length", "expect", "keep-alive", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

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
        let slash = UInt8(ascii: "/")
        let question = UInt8(ascii: "?")
        let sharp = UInt8(ascii: "#")
        let rest = address.dropFirst(7)
        let authority = rest.prefix { $0 != slash && $0 != question && $0 != sharp }
        let target = rest[authority.endIndex...].prefix { $0 != sharp }
        let names = call.headers.map { $0.name.lowercased() }
        // curl removes `.` and `..` from a path.
        let hasDots = zip(target, target.dropFirst()).contains {
            $0 == slash && $1 == UInt8(ascii: ".")
        }
        let named = String(Substring(authority))
        guard !hasDots, !names.contains(where: Self.framing.contains),
            call.headers.allSatisfy({ Self.isLine($0.name) && Self.isLine($0.text) }),
            let place = HostAndPort(named) ?? HostAndPort(named + ":80"),
            let places = LoopbackAddress.all(of: place)
        else { return nil }
        self.places = places
        host = named
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        func add(_ parts: String...) {
            for part in parts { bytes += part.utf8 }
        }
        func add(_ name: String, unlessGiven text: String) {
            if !names.contains(name.lowercased()) { add(name, ": ", text, "\r\n") }
        }
        add(call.method, target.first == slash ? " " : " /")
        bytes += target
        add(" HTTP/1.1\r\n")
        add("Host", unlessGiven: named)
        add("User-Agent", unlessGiven: "detent")
        add("Accept", unlessGiven: "*/*")
        if call.body != nil {
            add("Content-Type", unlessGiven: "application/x-www-form-urlencoded")
        }
        for header in call.headers { add(header.name, ": ", header.text, "\r\n") }
        let body = call.body ?? ""
        if call.body != nil || call.method != "GET" {
            add("Content-Length: ", String(body.utf8.count), "\r\n")
        }
        add("Connection: close\r\n\r\n", body)
        self.bytes = bytes
    }

    private static func isLine(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 }
    }
}

/// An address of this machine that nothing outside can have.
enum LoopbackAddress: Equatable {
    /// 127.0.0.0/8, in the order of the text.
    case four(UInt32, port: UInt16)
    /// ::1
    case six(port: UInt16)

    /// The addresses of a host; nil if it may be another machine.
    static func all(of place: HostAndPort) -> [LoopbackAddress]? {
        switch place.host.lowercased() {
        case "localhost": return [.six(port: place.port), .four(0x7F00_0001, port: place.port)]
        case "::1": return [.six(port: place.port)]
        case let host:
            var address = in_addr()
            guard inet_pton(AF_INET, host, &address) == 1 else { return nil }
            let number = UInt32(bigEndian: address.s_addr)
            return number >> 24 == 127 ? [.four(number, port: place.port)] : nil
        }
    }

    /// Begins a connection that does not block.
    ///
    /// - Returns: its descriptor.
    /// - Throws: why there is no connection.
    func connect() throws(Errno) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw Errno(number: errno) }
        let result =
            switch self {
            case .four(let number, let port):
                Self.connect(
                    descriptor,
                    sockaddr_in(
                        sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian,
                        sin_addr: in_addr(s_addr: number.bigEndian),
                        sin_zero: (0, 0, 0, 0, 0, 0, 0, 0)))
            case .six(let port):
                Self.connect(
                    descriptor,
                    sockaddr_in6(
                        sin6_family: sa_family_t(AF_INET6), sin6_port: port.bigEndian,
                        sin6_flowinfo: 0, sin6_addr: in6addr_loopback, sin6_scope_id: 0))
            }
        if result == 0 || errno == EINPROGRESS { return descriptor }
        let error = Errno(number: errno)
        close(descriptor)
        throw error
    }

    private var family: Int32 {
        switch self {
        case .four: AF_INET
        case .six: AF_INET6
        }
    }

    private static func connect<Address>(_ descriptor: Int32, _ address: Address) -> Int32 {
        withUnsafePointer(to: address) {
            // Every address of sockets begins as sockaddr does; the length says which one it is.
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
