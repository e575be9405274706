internal import DetentPlatform
internal import DetentTypes
internal import Glibc

/// Waits for descriptors and moments; one thread.
final class Poller {
    private var readers: [Int32: () -> Void] = [:]

    /// Calls a function whenever a descriptor is readable or hung up; nil ends that.
    func watch(_ descriptor: Int32, _ reader: (() -> Void)?) { readers[descriptor] = reader }

    /// Waits until a moment, or until something was readable; the readers are called.
    func wait(until moment: Instant) {
        let descriptors = readers.keys.sorted()
        var set = PollSet(capacity: descriptors.count)
        for descriptor in descriptors { _ = set.add(descriptor) }
        guard set.wait(now: MonotonicClock.now, until: moment) else { return }
        for (place, descriptor) in descriptors.enumerated() where set.isReady(place) {
            readers[descriptor]?()
        }
    }
}

/// Descriptors that never wait.
enum Descriptor {
    /// All bytes that are there; nil at the end of the stream.
    static func take(_ file: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file, &room, room.count)
            if count == 0 || count < 0 && errno != EAGAIN { return bytes.isEmpty ? nil : bytes }
            if count < 0 { return bytes }
            bytes += room[..<count]
        }
    }

    /// Writes all bytes; a reader that is gone is no error.
    static func give(_ bytes: [UInt8], to file: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { rest = rest.dropFirst(count) } else { return }
        }
    }

    /// A listening socket of this machine.
    static func listen(atPort port: UInt16, isDatagram: Bool = false) throws -> Int32 {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        guard withAddress(ofPort: port, { bind(file, $0, $1) }) == 0, Glibc.listen(file, 16) == 0
        else { throw Failure("port \(port): errno \(errno)") }
        return file
    }

    /// A connection to a port of this machine.
    static func connect(toPort port: UInt16) throws -> Int32 {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard withAddress(ofPort: port, { Glibc.connect(file, $0, $1) }) == 0 else {
            close(file)
            throw Failure("port \(port): errno \(errno)")
        }
        _ = fcntl(file, F_SETFL, O_NONBLOCK)
        return file
    }

    static func withAddress<Result>(
        ofPort port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
