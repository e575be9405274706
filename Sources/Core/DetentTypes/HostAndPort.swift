#if !hasFeature(Embedded)
    /// A host and a port: `192.168.1.30:10023`, `mixer.lan:9000` or `[::1]:9000`.
    public struct HostAndPort: Equatable, Sendable {
        /// The name or the address, without brackets.
        public var host: String
        /// The port, from 1.
        public var port: UInt16

        /// Reads a text; nil if it is something else. Nothing is looked up.
        public init?(_ text: String) {
            guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
                let port = UInt16(text[text.utf8.index(after: colon)...]), port > 0
            else { return nil }
            var host = text.utf8[..<colon]
            if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
                host = host.dropFirst().dropLast()
            } else if host.contains(UInt8(ascii: ":")) {
                return nil
            }
            let isName = host.allSatisfy { byte in
                (0x21...0x7E).contains(byte) && !"/?#@[]\\".utf8.contains(byte)
            }
            guard !host.isEmpty, isName else { return nil }
            self.host = String(Substring(host))
            self.port = port
        }

        /// As it is written, with brackets around a host with colons.
        public var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }
#endif
