import DetentPlatform
import Glibc
import Synchronization

/// A web service on loopback that answers one connection after another as a test says, and keeps
/// what it got.
final class WebService: Sendable {
    /// One connection: what was sent, and where the answer goes.
    struct Connection {
        let descriptor: Int32
        /// Whether it is the first that was opened.
        let isFirst: Bool
        fileprivate let received: Requests

        /// Waits for a further request; false once the other side has closed.
        func readRequest() -> Bool {
            guard let request = WebService.request(descriptor) else { return false }
            received.texts.withLock { $0.append(request) }
            return true
        }

        /// Sends a text; false once the other side has closed.
        @discardableResult
        func send(_ text: String) -> Bool {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        /// Waits until the other side closes.
        func waitForEnd() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }
    }

    fileprivate final class Requests: Sendable {
        let texts = Mutex<[String]>([])
        let connections = Atomic<Int>(0)
    }

    let port: UInt16
    private let listener: Int32
    private let received = Requests()
    private let thread = Mutex<WorkerThread?>(nil)

    init(answer: @escaping @Sendable (Connection) -> Void) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard listener >= 0, isBound else { throw NoResult() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        let worker = try WorkerThread(named: "web-service") { [received] in
            while true {
                let descriptor = accept(listener, nil, nil)
                if descriptor < 0 { return }
                defer { close(descriptor) }
                // A test that goes wrong ends, too.
                var limit = timeval(tv_sec: 30, tv_usec: 0)
                for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                    setsockopt(
                        descriptor, SOL_SOCKET, option, &limit,
                        socklen_t(MemoryLayout<timeval>.size))
                }
                let before = received.connections.wrappingAdd(1, ordering: .relaxed).oldValue
                let connection = Connection(
                    descriptor: descriptor, isFirst: before == 0, received: received)
                if connection.readRequest() { answer(connection) }
            }
        }
        thread.withLock { $0 = worker }
    }

    /// A service that answers every request with this text.
    convenience init(answer: String) throws {
        try self.init { $0.send(answer) }
    }

    /// How many connections were opened.
    var connections: Int { received.connections.load(ordering: .relaxed) }

    /// What was sent, a text for each request.
    var requests: [String] { received.texts.withLock { $0 } }

    /// An address of the service.
    func address(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Ends the thread; call it once.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        thread.withLock { $0.take() }?.join()
        close(listener)
    }

    /// Head and body of a request; nil if the connection ended before.
    fileprivate static func request(_ descriptor: Int32) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        /// Bytes of the request, once its head is there.
        var length: Int?
        while true {
            if length == nil {
                let text = String(decoding: bytes, as: UTF8.self)
                if let end = text.range(of: "\r\n\r\n") {
                    let body =
                        text.lowercased().split(separator: "content-length: ").dropFirst().first
                        .flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
                    length = text[..<end.upperBound].utf8.count + body
                }
            }
            if let length, bytes.count >= length { return String(decoding: bytes, as: UTF8.self) }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { return nil }
            bytes += buffer[..<count]
        }
    }
}

extension String {
    /// Where a text first is.
    fileprivate func range(of text: String) -> Range<Index>? {
        let parts = split(separator: text, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return parts[0].endIndex..<parts[1].startIndex
    }
}
