#if !hasFeature(Embedded)
    /// A host and a port: `192.168.1.30:10023`, `mixer.lan:9000` or `[::1]:9000`.
    public struct HostAndPort: Equatable, Sendable {
        /// The name or the address, without brackets.
        public var host: String
        /// The port, from 1.
        public var port: UInt16

        /// Reads a text; nil if it is something else. Nothing is looked up.
        public init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"),
                let port = UInt16(text[text.index(after: colon)...]), port > 0
            else { return nil }
            var host = text[..<colon]
            if host.first == "[", host.last == "]" {
                host = host.dropFirst().dropLast()
            } else if host.contains(":") {
                return nil
            }
            let isName = host.utf8.allSatisfy { byte in
                (0x21...0x7E).contains(byte) && !"/?#@[]\\".utf8.contains(byte)
            }
            guard !host.isEmpty, isName else { return nil }
            self.host = String(host)
            self.port = port
        }

        /// As it is written, with brackets around a host with colons.
        public var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }
#endif
