import DetentTypes
import NIOCore

/// Stops accepting for a while when the system has no descriptor or memory for a connection.
///
/// What waits to be accepted keeps the socket readable, so each try would fail at once and be made
/// again. NIO's `AcceptBackoffHandler` holds back the next read only: the read that has failed
/// stays wanted, and the event loop is woken on. Reading is switched off and on instead.
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
        // A channel that has closed meanwhile has nothing to read.
        try? context.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }
}
