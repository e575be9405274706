import Glibc
import Synchronization

/// One end of the socket pair between a panel and a process beside it. It keeps messages apart.
package final class ChildLink: Sendable {
    package let descriptor: Int32
    /// Messages that found no room, the oldest first.
    private let waiting = Mutex<[[UInt8]]>([])

    /// Takes a descriptor over.
    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    enum Reception: Equatable {
        case message(ArraySlice<UInt8>)
        /// There is none now.
        case none
        /// The other end is closed, or has sent an empty message.
        case ended
    }

    /// Sends a message.
    ///
    /// - Parameter waits: whether to wait for room: on the side of the panel within
    ///   `WallLimits.stall`.
    /// - Returns: whether it was sent.
    package func send(_ message: [UInt8], waits: Bool) -> Bool {
        let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
        while true {
            let count = Glibc.send(descriptor, message, message.count, flags)
            if count < 0, errno == EINTR { continue }
            return count == message.count
        }
    }

    /// Sends a message without a wait; without room it waits for `flush`.
    package func post(_ message: [UInt8]) {
        waiting.withLock { waiting in
            if waiting.isEmpty, send(message, waits: false) { return }
            waiting.append(message)
        }
    }

    /// How many posted messages wait for room.
    package var waitingCount: Int { waiting.withLock { $0.count } }

    /// How many bytes they have. The process that posts ends when there are too many.
    package var waitingBytes: Int { waiting.withLock { $0.reduce(0) { $0 + $1.count } } }

    /// Sends posted messages that wait, as far as there is room.
    package func flush() {
        waiting.withLock { waiting in
            let sent = waiting.prefix { send($0, waits: false) }.count
            waiting.removeFirst(sent)
        }
    }

    /// Receives a message; more than the buffer holds of it is cut off.
    func receive(into buffer: inout [UInt8], waits: Bool) -> Reception {
        while true {
            let count = recv(
                descriptor, &buffer, buffer.count, waits ? 0 : Int32(MSG_DONTWAIT))
            if count > 0 { return .message(buffer[..<count]) }
            guard count < 0 else { return .ended }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .none : .ended
        }
    }

    /// Whether the other end is closed.
    var isClosed: Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&entry, 1, 0) == 1
    }

    /// Tells the other end that nothing more comes.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
