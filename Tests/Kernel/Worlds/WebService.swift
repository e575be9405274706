internal import DetentTypes
internal import Glibc

/// A request that waits for its answer.
final class WebRequest {
    /// Such as `POST`.
    let method: String
    /// The address, such as `http://garden-plug.lan/switch`.
    let address: String
    let body: String
    private let file: Int32

    fileprivate init(_ method: String, _ address: String, _ body: String, _ file: Int32) {
        (self.method, self.address, self.body, self.file) = (method, address, body, file)
    }

    /// Answers.
    func answer(_ status: UInt16, _ text: String) {
        let head =
            "HTTP/1.1 \(status) Told\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(text.utf8.count)\r\n\r\n"
        Descriptor.give(Array((head + text).utf8), to: file)
    }

    /// Closes the connection without an answer.
    func drop() { shutdown(file, Int32(SHUT_RDWR)) }
}

/// The web services of a panel, on one port of this machine.
final class WebService {
    private let file: Int32
    private let poller: Poller
    private var connections: [Int32: [UInt8]] = [:]
    private var waiting: [Int32: WebRequest] = [:]
    /// Takes a request.
    var asked: (WebRequest) -> Void = { _ in }
    /// Takes a request whose client has gone, or that was answered.
    var ended: (WebRequest) -> Void = { _ in }

    /// Listens.
    init(atPort port: UInt16, _ poller: Poller) throws {
        self.poller = poller
        file = try Descriptor.listen(atPort: port)
        poller.watch(file) { [unowned self] in accept() }
    }

    deinit {
        for descriptor in Array(connections.keys) + [file] {
            poller.watch(descriptor, nil)
            close(descriptor)
        }
    }

    private func accept() {
        let connection = Glibc.accept(file, nil, nil)
        guard connection >= 0 else { return }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        _ = fcntl(connection, F_SETFL, O_NONBLOCK)
        connections[connection] = []
        poller.watch(connection) { [unowned self] in hear(connection) }
    }

    private func hear(_ connection: Int32) {
        guard let bytes = Descriptor.take(connection) else {
            poller.watch(connection, nil)
            close(connection)
            connections[connection] = nil
            if let request = waiting.removeValue(forKey: connection) { ended(request) }
            return
        }
        let all = (connections[connection] ?? []) + bytes
        connections[connection] = all
        let text = String(decoding: all, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return }
        let lines = text[..<end.lowerBound].split(separator: "\r\n").map(String.init)
        func header(_ name: String) -> String? {
            lines.first { $0.lowercased().hasPrefix(name + ": ") }
                .map { String($0.dropFirst(name.utf8.count + 2)) }
        }
        let body = text[end.upperBound...]
        guard body.utf8.count >= header("content-length").flatMap({ Int($0) }) ?? 0 else { return }
        connections[connection] = []
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        guard words.count > 1 else { return }
        let request = WebRequest(
            words[0], "http://\(header("host") ?? "")\(words[1])", String(body), connection)
        waiting[connection] = request
        asked(request)
    }
}
