import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The handlers of a connection, in their order.
enum ServerPipeline {
    /// The handlers of a new connection.
    static func speakHTTP(
        _ channel: any Channel, _ core: ServerCore, _ id: ConnectionTable.ID
    ) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = ServerLimits.headBytes
        limits.maxHeaderListSize = ServerLimits.headBytes
        limits.maxHeaderFieldCount = ServerLimits.headers
        let connection = HTTPConnection(core: core, id: id)
        let decoder = HTTPRequestDecoder(
            leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HeadGuard(connection))
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(HTTPServerPipelineHandler())
        try pipeline.addHandler(connection)
    }

    /// The handlers of a connection that has become a WebSocket. The decoder is removed last,
    /// because its unread input goes to the handlers that are present then.
    static func becomeWebSocket(
        _ connection: WebSocketConnection, _ pipeline: ChannelPipeline
    ) throws {
        let handlers = pipeline.syncOperations
        let decoder = try handlers.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        handlers.removeHandler(try handlers.handler(type: HTTPConnection.self), promise: nil)
        handlers.removeHandler(
            try handlers.handler(type: HTTPServerPipelineHandler.self), promise: nil)
        handlers.removeHandler(try handlers.handler(type: HTTPResponseEncoder.self), promise: nil)
        handlers.removeHandler(try handlers.handler(type: HeadGuard.self), promise: nil)
        try handlers.addHandler(WebSocketFrameEncoder())
        try handlers.addHandler(
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: ServerLimits.frameBytes)))
        try handlers.addHandler(connection)
        handlers.removeHandler(decoder, promise: nil)
    }
}

/// Counts the bytes that arrive without producing a request: the parser limits a head, but not what
/// precedes it, such as empty lines.
final class HeadGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let connection: HTTPConnection
    private var bytes = 0

    init(_ connection: HTTPConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = unwrapInboundIn(data).readableBytes
        let before = connection.steps
        context.fireChannelRead(data)
        guard connection.isReadingHead, connection.steps == before else {
            bytes = 0
            return
        }
        bytes += count
        // No request has begun, so there is nothing to answer.
        if bytes > ServerLimits.headBytes { context.close(promise: nil) }
    }
}
