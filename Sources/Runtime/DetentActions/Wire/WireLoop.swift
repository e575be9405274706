import DetentPlatform
import DetentTypes
import Glibc

/// The work of the process of a wire: sends what the panel orders, and says what comes back.
///
/// It reads and writes two descriptors and makes no other system calls than to wait.
package struct WireLoop: ~Copyable {
    private let link: Int32
    private let wire: Int32
    private let isDatagram: Bool
    private var peer = WirePeer()
    private var set = PollSet(capacity: 2)
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    /// When the wire is read again: who talks without end waits.
    private var readsAt = Instant.zero

    /// Takes a wire that is open.
    ///
    /// - Parameters:
    ///   - link: the end of a pair of sockets that keep messages apart.
    ///   - wire: a connected socket or a serial device; both block.
    package init(link: Int32, wire: Int32, isDatagram: Bool) {
        self.link = link
        self.wire = wire
        self.isDatagram = isDatagram
    }

    /// Works until the panel closes the link, or the device is gone.
    package mutating func run() {
        guard say(.open) else { return }
        while true {
            let now = MonotonicClock.now
            for report in peer.due(at: now) where !say(.report(report)) { return }
            let isPaused = !peer.isAwaiting && readsAt > now
            set.removeAll()
            _ = set.add(link)
            _ = set.add(isPaused ? -1 : wire)
            _ = set.wait(now: now, until: min(peer.deadline, isPaused ? readsAt : .never))
            // What came before an order is read before it is sent.
            if set.isReady(1), !read() { return }
            if set.isReady(0), !obey() { return }
        }
    }

    /// Reads once; false if the device is gone.
    private mutating func read() -> Bool {
        let count = Glibc.read(wire, &buffer, buffer.count)
        readsAt = MonotonicClock.now + ActionLimits.wireGap
        if count > 0 || count == 0 && isDatagram {
            return peer.take(buffer[..<count], endsLine: isDatagram).map { say($0) } ?? true
        }
        let error = count < 0 ? errno : 0
        if error == EINTR || error == EAGAIN { return true }
        // Nobody had a datagram that was sent; without an answer to wait for, that is usual.
        if error == ECONNREFUSED, isDatagram, !peer.isAwaiting { return true }
        if let note = peer.take([], endsLine: true), !say(note) { return false }
        for report in peer.due(at: .never) where !say(.report(report)) { return false }
        return leave(error, "the other side has closed it")
    }

    /// Sends what the panel has ordered; false if the panel or the device is gone.
    private mutating func obey() -> Bool {
        let count = Glibc.read(link, &buffer, buffer.count)
        guard count > 0, let order = WireOrder(buffer[..<count]) else { return false }
        // What came before it is no answer to it.
        var turns = 0
        while turns < 16, order.expectation != nil, hasMore() {
            if !read() { return false }
            turns += 1
        }
        var rest = order.bytes[...]
        repeat {
            let count = rest.withUnsafeBytes { write(wire, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // An earlier datagram was refused; this one may be taken.
            if count < 0, errno == ECONNREFUSED, isDatagram { continue }
            if count < 0 { return leave(errno, "") }
            rest = rest.dropFirst(count)
        } while !rest.isEmpty
        peer.sent(order)
        return say(.sent(order.number))
    }

    private func hasMore() -> Bool {
        var entry = pollfd(fd: wire, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    private func leave(_ error: Int32, _ end: String) -> Bool {
        let text = error == 0 ? end : String(cString: strerror(error))
        _ = say(.ended(Array(text.utf8), isRefused: error == ECONNREFUSED))
        return false
    }

    private func say(_ note: WireNote) -> Bool {
        let message = note.message
        return write(link, message, message.count) == message.count
    }
}
