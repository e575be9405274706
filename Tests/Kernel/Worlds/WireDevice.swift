internal import DetentActions
internal import DetentTypes
internal import Glibc

/// A text that a device got, and that may wait for an answer.
final class WireText {
    /// The text, with the line feed at its end.
    let text: String
    private let file: Int32

    fileprivate init(_ text: String, _ file: Int32) { (self.text, self.file) = (text, file) }

    /// Answers with a line.
    func answer(_ line: String) { WireDevice.write(Array((line + "\n").utf8), to: file) }

    /// Closes the connection without an answer.
    func drop() { shutdown(file, Int32(SHUT_RDWR)) }
}

/// A device that speaks lines of text: at a port of this machine, or at a serial wire.
final class WireDevice {
    let place: WirePlace
    private let poller: Poller
    /// Of a port, what listens; of a serial wire, the side of the device.
    private let file: Int32
    /// Of a serial wire, the side of the panel: without it, the device would be gone until then.
    private var line: Int32 = -1
    private var heard: [Int32: [UInt8]] = [:]
    private var waiting: [(text: WireText, file: Int32)] = []
    /// Takes a text.
    var asked: (WireText) -> Void = { _ in }
    /// Takes a text whose connection is gone.
    var ended: (WireText) -> Void = { _ in }

    /// Makes the device at a place; serial devices appear at their path.
    init(_ place: WirePlace, _ poller: Poller) throws {
        self.place = place
        self.poller = poller
        guard case .serial(let terms) = place else {
            guard case .tcp(let text) = place, let address = HostAndPort(text) else {
                throw Failure("\(place.text): no device can be there")
            }
            file = try Descriptor.listen(atPort: address.port)
            poller.watch(file) { [unowned self] in accept() }
            return
        }
        file = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        var number: Int32 = 0
        // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
        guard ioctl(file, 0x4004_5431, &number) == 0, ioctl(file, 0x8004_5430, &number) == 0 else {
            throw Failure("/dev/ptmx: errno \(errno)")
        }
        line = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        unlink(terms.device)
        symlink("/dev/pts/\(number)", terms.device)
        heard[file] = []
        poller.watch(file) { [unowned self] in hear(file) }
    }

    deinit {
        for descriptor in Set(heard.keys).union([file]) {
            poller.watch(descriptor, nil)
            close(descriptor)
        }
        if line >= 0 { close(line) }
    }

    fileprivate static func write(_ bytes: [UInt8], to file: Int32) {
        _ = Glibc.write(file, bytes, bytes.count)
    }

    /// Says a line to all who listen.
    func say(_ text: [UInt8]) {
        for file in heard.keys { Self.write(text + [UInt8(ascii: "\n")], to: file) }
    }

    private func accept() {
        let connection = Glibc.accept(file, nil, nil)
        guard connection >= 0 else { return }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        _ = fcntl(connection, F_SETFL, O_NONBLOCK)
        heard[connection] = []
        poller.watch(connection) { [unowned self] in hear(connection) }
    }

    private func hear(_ connection: Int32) {
        guard let bytes = Descriptor.take(connection) else {
            // A serial wire stays when the panel ends.
            guard connection != file else { return }
            poller.watch(connection, nil)
            close(connection)
            heard[connection] = nil
            let gone = waiting.filter { $0.file == connection }
            waiting.removeAll { $0.file == connection }
            return gone.forEach { ended($0.text) }
        }
        var all = (heard[connection] ?? []) + bytes
        while let end = all.firstIndex(of: UInt8(ascii: "\n")) {
            let text = WireText(String(decoding: all[...end], as: UTF8.self), connection)
            all.removeSubrange(...end)
            waiting.append((text, connection))
            asked(text)
        }
        heard[connection] = all
    }
}
