import DetentPanel
import NIOCore

/// One connection too many: it is told so, and closed.
final class SurplusConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelActive(context: ChannelHandlerContext) {
        let refused = Refused(
            503, "\(ServerLimits.connections) connections are open already",
            "close a page of this panel, and try again")
        let text =
            "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n"
            + "Content-Type: application/problem+json\r\n\r\n\(refused.json.line)\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}
