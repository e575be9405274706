import NIOCore

/// Stops accepting for a while when the system has no descriptor or memory for a connection.
///
/// A connection that waits to be accepted keeps the socket readable, so each attempt would fail at
/// once and be repeated. NIO's `AcceptBackoffHandler` delays only the next read: the failed read
/// stays pending and keeps waking the event loop. So this handler switches reading off and on.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = Channel

    private var isPausing = false

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is IOError else { return context.fireErrorCaught(error) }
        guard !isPausing else { return }
        isPausing = true
        read(false, context)
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: ServerLimits.acceptPause.amount) {
            let (this, context) = loopBound.value
            this.isPausing = false
            if context.channel.isActive { this.read(true, context) }
        }
    }

    private func read(_ isOn: Bool, _ context: ChannelHandlerContext) {
        // If the channel has closed in the meantime, there is nothing to read.
        try? context.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }
}
