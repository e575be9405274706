import DetentPlatform
import DetentRuntime
import DetentTypes
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// One connection while it speaks HTTP: gathers a request, bounded in size and in time, and sends
/// its answer. One that asks for a WebSocket becomes one.
final class HTTPConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Stage {
        case head
        case body(HTTPRequestHead, HTTPRequest)
        case answering
        /// An answer that closes the connection was sent; the rest is not looked at.
        case ending
    }

    private let core: ServerCore
    private var stage = Stage.head {
        didSet { steps &+= 1 }
    }
    /// How often a request has come a step further.
    private(set) var steps: UInt = 0
    private var timer: Scheduled<Void>?

    init(core: ServerCore) { self.core = core }

    /// Whether the head of a request has still to come.
    var isReadingHead: Bool { if case .head = stage { true } else { false } }

    func handlerAdded(context: ChannelHandlerContext) {
        expect(within: core.timing.head, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), stage) {
        case (.head(let head), .head): take(head, context)
        case (.body(let bytes), .body(let head, var request)):
            guard request.body.count + bytes.readableBytes <= ServerLimits.bodyBytes else {
                return end(HTTPResponse(Self.tooLarge), head, context)
            }
            request.body += bytes.readableBytesView
            stage = .body(head, request)
        case (.end, .body(let head, let request)):
            stage = .answering
            timer?.cancel()
            complete(head, request, context)
        case (_, .ending), (_, .answering), (.body, .head), (.end, .head), (.head, .body): return
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.headerOverflow: refuseHead(context)
        case is HTTPParserError:
            refuse(.unreadable("This is no HTTP: \(error)", "speak HTTP/1.1"), context)
        case _: context.close(promise: nil)
        }
    }

    /// More came than a head may have.
    private func refuseHead(_ context: ChannelHandlerContext) {
        refuse(
            Refused(
                431, "The head of the request is too large",
                "at most \(ServerLimits.headBytes) bytes"),
            context)
    }

    private func refuse(_ refused: Refused, _ context: ChannelHandlerContext) {
        switch stage {
        case .head, .body: end(HTTPResponse(refused), nil, context)
        // Its answer is on the way, or was the last.
        case .answering, .ending: context.close(promise: nil)
        }
    }

    private static let tooLarge = Refused(
        413, "The body is too large", "at most \(ServerLimits.bodyBytes) bytes")

    /// Something has to come within a time; otherwise the connection is closed.
    private func expect(within span: TimeSpan, _ context: ChannelHandlerContext) {
        timer?.cancel()
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: span.amount) {
            loopBound.value.close(promise: nil)
        }
    }

    private func take(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        expect(within: core.timing.idle, context)
        if head.uri.utf8.count > ServerLimits.headBytes { return refuseHead(context) }
        let request = HTTPRequest(
            method: head.method.rawValue, target: head.uri,
            headers: head.headers.map { ($0.name, $0.value) })
        guard let request else {
            return refuse(.unreadable("The address cannot be read", "such as /api/v1"), context)
        }
        let length = head.headers.first(name: "content-length").flatMap(Int.init) ?? 0
        guard length <= ServerLimits.bodyBytes else {
            return end(HTTPResponse(Self.tooLarge), head, context)
        }
        if request.lists("100-continue", in: "expect") {
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }
        stage = .body(head, request)
    }

    private func complete(
        _ head: HTTPRequestHead, _ request: HTTPRequest, _ context: ChannelHandlerContext
    ) {
        if request.lists("websocket", in: "upgrade") {
            return upgrade(head, request, context)
        }
        core.use { _, now in
            core.responder.respond(to: request, now: now) { [weak self] response in
                guard let self, context.channel.isActive else { return }
                answer(response, head, context)
            }
        }
    }

    /// Sends an answer; the connection goes on if both sides want it to.
    private func answer(
        _ response: HTTPResponse, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        // Behind an upgrade that was not done nothing is read as HTTP any more.
        let isLast = !head.isKeepAlive || head.headers.contains(name: "upgrade")
        guard !isLast else { return end(response, head, context) }
        stage = .head
        expect(within: core.timing.idle, context)
        write(response, isHead: head.method == .HEAD, isLast: false, context)
    }

    /// Sends a last answer. The other side may go on sending for a while: a connection that is cut
    /// while something is unread takes its answer with it.
    private func end(
        _ response: HTTPResponse, _ head: HTTPRequestHead?, _ context: ChannelHandlerContext
    ) {
        stage = .ending
        expect(within: core.timing.idle, context)
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        write(response, isHead: head?.method == .HEAD, isLast: true, context).whenSuccess {
            let (connection, context) = loopBound.value
            context.close(mode: .output, promise: nil)
            connection.expect(within: connection.core.timing.linger, context)
        }
    }

    @discardableResult
    private func write(
        _ response: HTTPResponse, isHead: Bool, isLast: Bool, _ context: ChannelHandlerContext
    ) -> EventLoopFuture<Void> {
        var headers = HTTPHeaders()
        headers.add(name: "Content-Type", value: response.type)
        headers.add(name: "Content-Length", value: String(response.body.count))
        for (name, value) in HTTPResponse.commonHeaders + response.headers {
            headers.add(name: name, value: value)
        }
        if isLast { headers.add(name: "Connection", value: "close") }
        let head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: response.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !isHead {
            let body = context.channel.allocator.buffer(bytes: response.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        return context.writeAndFlush(wrapOutboundOut(.end(nil)))
    }

    // MARK: Becoming a WebSocket

    private func upgrade(
        _ head: HTTPRequestHead, _ request: HTTPRequest, _ context: ChannelHandlerContext
    ) {
        // Anything else may mean something else to who stands between.
        guard head.version == .http1_1, request.lists("upgrade", in: "connection"),
            request.body.isEmpty
        else {
            return end(
                HTTPResponse(
                    .unreadable(
                        "This is no request for a WebSocket",
                        "HTTP/1.1 with `Connection: Upgrade` and without a body")),
                head, context)
        }
        if let refused = core.responder.refusalOfWebSocket(request) {
            return end(HTTPResponse(refused), head, context)
        }
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
            upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
        upgrader.buildUpgradeResponse(
            channel: context.channel, upgradeRequest: head, initialResponseHeaders: [:]
        ).whenComplete { result in
            let (connection, context) = loopBound.value
            switch result {
            case .success(let headers): connection.become(headers, request, context)
            case .failure:
                var response = HTTPResponse(
                    .unreadable("This is no WebSocket of version 13", "see RFC 6455"))
                response.headers.append(("Sec-WebSocket-Version", "13"))
                connection.end(response, head, context)
            }
        }
    }

    private func become(
        _ accepted: HTTPHeaders, _ request: HTTPRequest, _ context: ChannelHandlerContext
    ) {
        var headers = accepted
        headers.replaceOrAdd(name: "Upgrade", value: "websocket")
        headers.replaceOrAdd(name: "Connection", value: "upgrade")
        let head = HTTPResponseHead(
            version: .http1_1, status: .switchingProtocols, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        let resumption: Resumption? = request.query["since"].flatMap(UInt64.init).map {
            Resumption(session: request.query["session"] ?? "", since: $0)
        }
        let socket = WebSocketConnection(
            core: core, resumption: resumption, isKnown: core.responder.policy.knowsToken(request))
        do {
            try ServerPipeline.becomeWebSocket(socket, context.channel.pipeline)
        } catch {
            context.close(promise: nil)
        }
    }
}
