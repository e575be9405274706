import Glibc

/// One end of the socket pair between a panel and its gateway. It keeps messages apart.
package final class GatewayLink: Sendable {
    let descriptor: Int32

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
    ///   `ServerLimits.gatewayStall`.
    /// - Returns: whether it was sent.
    package func send(_ message: [UInt8], waits: Bool) -> Bool {
        let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
        while true {
            let count = Glibc.send(descriptor, message, message.count, flags)
            if count < 0, errno == EINTR { continue }
            return count == message.count
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
