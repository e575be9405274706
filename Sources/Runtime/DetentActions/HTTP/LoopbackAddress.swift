import DetentTypes
import Glibc

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
