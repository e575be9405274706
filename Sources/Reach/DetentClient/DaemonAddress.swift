public import DetentTypes

/// The address of a daemon, as users write it: `http://127.0.0.1:8433`.
public struct DaemonAddress: Equatable, Sendable, CustomStringConvertible {
    /// An error in an address: cause and remedy.
    public struct Problem: DescribedError, Equatable, Sendable {
        /// The cause, in one line.
        public var cause: String
        /// The remedy, in one line.
        public var remedy: String
    }

    /// The host name or IP address, without brackets.
    public var host: String
    /// The port.
    public var port: Int
    /// The token of the address, from `#k=`; nil if there is none.
    public var token: String?

    /// The default address of `detent run`.
    public static let `default` = DaemonAddress(host: "127.0.0.1", port: 8433)

    /// Makes an address.
    public init(host: String, port: Int, token: String? = nil) {
        self.host = host
        self.port = port
        self.token = token
    }

    /// Reads `http://HOST:PORT/`, `HOST:PORT` or `HOST`, with or without the page's `#k=TOKEN`.
    public init(_ text: String) throws(Problem) {
        var rest = text[...]
        if let end = rest.range(of: "://") {
            guard rest[..<end.lowerBound] == "http" else {
                throw Problem(
                    cause: "the scheme `\(rest[..<end.lowerBound])` is not supported",
                    remedy: "write http://HOST:PORT; over a network prefer a tunnel, such as "
                        + "`ssh -L 8433:localhost:8433 BOARD`")
            }
            rest = rest[end.upperBound...]
        }
        if let mark = rest.firstIndex(of: "#") {
            let fragment = rest[rest.index(after: mark)...]
            if fragment.hasPrefix("k=") { token = String(fragment.dropFirst(2)) }
            rest = rest[..<mark]
        }
        if let slash = rest.firstIndex(of: "/") {
            guard rest[slash...] == "/" else {
                throw Problem(
                    cause: "the address of a daemon cannot have a path: `\(rest[slash...])`",
                    remedy: "write http://HOST:PORT")
            }
            rest = rest[..<slash]
        }
        (host, port) = try Self.hostAndPort(rest)
    }

    private static func hostAndPort(_ text: Substring) throws(Problem) -> (String, Int) {
        var name = text
        var port = Self.default.port
        let colon = text.lastIndex(of: ":")
        let isBareAddress = !text.hasPrefix("[") && text.count { $0 == ":" } > 1
        if let colon, !isBareAddress, !text.hasSuffix("]") {
            guard let number = Int(text[text.index(after: colon)...]), (1...65_535).contains(number)
            else {
                throw Problem(
                    cause: "`\(text[text.index(after: colon)...])` is not a port",
                    remedy: "use a number from 1 to 65535, such as http://127.0.0.1:8433")
            }
            port = number
            name = text[..<colon]
        }
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != 64 }) else {
            throw Problem(
                cause: "`\(text)` does not name a host",
                remedy: "write an address such as http://127.0.0.1:8433")
        }
        return (String(name), port)
    }

    /// The host and port as a request names them.
    public var authority: String {
        (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }

    /// The address without its token.
    public var description: String { "http://\(authority)" }
}

extension Substring {
    /// The first occurrence of a text.
    fileprivate func range(of text: String) -> Range<Substring.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) {
                return start..<index(start, offsetBy: text.count)
            }
            formIndex(after: &start)
        }
        return nil
    }
}
