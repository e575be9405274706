import DetentPlatform
import Glibc
import Synchronization

/// A way to a broker that can be cut, without a word to either side, and repaired.
///
/// One thread carries the bytes; `stop` ends it.
final class Gate: Sendable {
    private struct State {
        var isOpen = true
        var isEnding = false
    }

    /// Where clients connect.
    let port: UInt16
    private let target: UInt16
    private let listener: Int32
    private let bell: WakeUp
    private let state = Mutex(State())
    private let worker = Mutex<WorkerThread?>(nil)

    /// Opens a way to a port of the loopback.
    init(to target: UInt16) throws {
        self.target = target
        bell = try WakeUp()
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw Mosquitto.Failure(text: "no socket") }
        port = UInt16(bigEndian: address.sin_port)
        let thread = try WorkerThread(named: "gate") { [self] in carry() }
        worker.withLock { $0 = thread }
    }

    deinit { Glibc.close(listener) }

    /// Cuts all connections; further ones are cut at once.
    func cut() { set { $0.isOpen = false } }

    /// Lets connections through again.
    func repair() { set { $0.isOpen = true } }

    /// Ends the thread.
    func stop() {
        set { $0.isEnding = true }
        worker.withLock { $0.take() }?.join()
    }

    private func set(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        bell.ring()
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func carry() {
        var pairs: [(client: Int32, broker: Int32)] = []
        defer { Self.close(&pairs) }
        while true {
            bell.clear()
            let (isOpen, isEnding) = state.withLock { ($0.isOpen, $0.isEnding) }
            if isEnding { return }
            if !isOpen { Self.close(&pairs) }
            let ends = pairs.flatMap { [$0.client, $0.broker] }
            var entries = ([bell.descriptor, listener] + ends).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&entries, nfds_t(entries.count), -1)
            for place in pairs.indices.reversed() {
                let (client, broker) = pairs[place]
                let isOver =
                    entries[2 + 2 * place].revents != 0 && !Self.pass(from: client, to: broker)
                    || entries[3 + 2 * place].revents != 0 && !Self.pass(from: broker, to: client)
                if isOver {
                    var ended = [pairs.remove(at: place)]
                    Self.close(&ended)
                }
            }
            if entries[1].revents != 0 { accept(into: &pairs, isOpen: isOpen) }
        }
    }

    private func accept(into pairs: inout [(client: Int32, broker: Int32)], isOpen: Bool) {
        let client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { return }
        let broker = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Self.address(target)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(broker, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        pairs.append((client, broker))
        if isOpen, isConnected { return }
        var ended = [pairs.removeLast()]
        Self.close(&ended)
    }

    private static func pass(from source: Int32, to target: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(source, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        var rest = buffer[..<count]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent <= 0 { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    private static func close(_ pairs: inout [(client: Int32, broker: Int32)]) {
        for pair in pairs {
            Glibc.close(pair.client)
            Glibc.close(pair.broker)
        }
        pairs = []
    }
}
