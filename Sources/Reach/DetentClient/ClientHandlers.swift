import NIOCore
import NIOHTTP1
import NIOWebSocket
import Synchronization

/// Collects one response.
final class AnswerHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart

    let answer: EventLoopPromise<DaemonClient.Answer>
    private var status = 0
    private var type = ""
    private var body: [UInt8] = []

    init(_ answer: EventLoopPromise<DaemonClient.Answer>) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = Int(head.status.code)
            type = head.headers.first(name: "content-type") ?? ""
        case .body(let bytes):
            guard body.count + bytes.readableBytes <= ClientLimits.message else {
                answer.fail(ClientError.unexpectedResponse("the response is too long"))
                return context.close(promise: nil)
            }
            body += Array(buffer: bytes)
        case .end:
            answer.succeed(DaemonClient.Answer(status: status, type: type, body: body))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer.fail(ClientError.unexpectedResponse("the response is not HTTP: \(error)"))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.fail(ClientError.unexpectedResponse("the connection closed before the response"))
        context.fireChannelInactive()
    }

    /// The connection has become a WebSocket: no other response follows.
    func handlerRemoved(context: ChannelHandlerContext) {
        answer.succeed(DaemonClient.Answer(status: 101, type: "", body: []))
    }
}

/// Sends the request for a WebSocket when the handler of its response is ready.
final class RequestStarter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let head: HTTPRequestHead

    init(_ head: HTTPRequestHead) {
        self.head = head
    }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }
}

/// Whether a daemon that is followed has sent nothing for too long.
final class SilenceNote: Sendable {
    let value = Atomic<Bool>(false)
}

/// Passes messages on, answers pings and close frames, and closes when an `IdleStateHandler` before
/// it has read nothing for too long.
final class MessageHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let hello: String?
    private let isSilent: SilenceNote
    private let take: @Sendable ([UInt8]) -> Bool

    init(
        hello: String?, isSilent: SilenceNote, take: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.hello = hello
        self.isSilent = isSilent
        self.take = take
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard let hello else { return }
        send(context.channel.allocator.buffer(string: hello), .text, context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text:
            if !take(Array(buffer: frame.unmaskedData)) { context.close(promise: nil) }
        case .ping: send(frame.unmaskedData, .pong, context)
        case .connectionClose:
            send(frame.unmaskedData, .connectionClose, context)
            context.close(promise: nil)
        case _: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        isSilent.value.store(true, ordering: .releasing)
        context.close(promise: nil)
    }

    private func send(
        _ bytes: ByteBuffer, _ opcode: WebSocketOpcode, _ context: ChannelHandlerContext
    ) {
        var generator = SystemRandomNumberGenerator()
        let mask = (0..<4).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let frame = WebSocketFrame(
            fin: true, opcode: opcode, maskKey: WebSocketMaskingKey(mask), data: bytes)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }
}
