import Glibc

/// A socket of this machine: one end of a connection, or one that waits for connections.
final class LocalSocket {
    private let descriptor: Int32

    /// Connects to a port; nil where nobody listens.
    init?(port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let error = Self.withAddress(port) { connect(descriptor, $0, $1) }
        if error != 0 { return nil }
    }

    /// Listens on a free port.
    init() {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = Self.withAddress(0) { bind(descriptor, $0, $1) }
        listen(descriptor, 4)
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// The port that it has here.
    var port: Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &size)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// The next connection; nil if none comes within a time.
    func accepted(within milliseconds: Int32 = 60_000) -> LocalSocket? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) == 1 else { return nil }
        let connection = accept(descriptor, nil, nil)
        return connection < 0 ? nil : LocalSocket(descriptor: connection)
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// What comes within a time; empty at the end, and where nothing comes.
    func receive(within milliseconds: Int32) -> String {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) == 1 else { return "" }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }

    /// Calls a function of the system with the address of a port of this machine.
    static func withAddress<Result>(
        _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
