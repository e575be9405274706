/// The way of messages to a process past its keeper; use it from any thread.
package struct ErrandWay: Sendable {
    /// Bytes of a frame before its message.
    package static var headBytes: Int { GatewayFrame.headBytes }

    private let send: @Sendable (UnsafeRawBufferPointer) -> Bool

    /// - Parameter send: sends a frame if there is room for it; never waits.
    package init(_ send: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) {
        self.send = send
    }

    init(_ link: GatewayLink) {
        self.init { link.send($0, waits: false) }
    }

    /// A message as it travels: a caller that may not allocate keeps it for `send(frame:)`.
    package static func frame(_ message: [UInt8]) -> [UInt8] {
        GatewayFrame.errand(message).bytes
    }

    /// Sends a message past those of `GatewayErrand.next`, if the process has room for it.
    ///
    /// - Returns: whether it was sent; never waits.
    package func send(_ message: [UInt8]) -> Bool {
        Self.frame(message).withUnsafeBytes { send(frame: $0) }
    }

    /// The same for a frame; allocates nothing.
    package func send(frame: UnsafeRawBufferPointer) -> Bool { send(frame) }
}
