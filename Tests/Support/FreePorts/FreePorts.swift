import Glibc
import Synchronization

/// Ports of the loopback that nothing uses.
///
/// The system gives connections a port from 32,768 on. One of those that is free now may belong to
/// a connection of another test a moment later, so these are lower. Tests that run beside these in
/// another process begin elsewhere.
public enum FreePorts {
    /// The protocol that the port is for.
    public enum Kind { case tcp, udp }

    private static let last = Atomic<UInt32>(UInt32(bitPattern: getpid()) &* 211)

    /// The next one, which it gives once.
    public static func next(_ kind: Kind = .tcp) -> UInt16 {
        while true {
            let number = last.wrappingAdd(1, ordering: .relaxed).newValue
            let port = UInt16(10_000 + number % 22_000)
            if isFree(port, kind) { return port }
        }
    }

    private static func isFree(_ port: UInt16, _ kind: Kind) -> Bool {
        let type = kind == .tcp ? SOCK_STREAM : SOCK_DGRAM
        let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
        precondition(descriptor >= 0, "no socket")
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
    }
}
