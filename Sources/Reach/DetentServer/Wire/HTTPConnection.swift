import DetentTypes
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A connection that uses HTTP. It collects a request, limited in size and time, and sends the
/// response. A connection that requests a WebSocket becomes one.
///
/// The next request is read when the peer has received the last response, not before. So a client
/// that sends requests in advance, or does not read, only fills its own socket.
final class HTTPConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Stage {
        case head
        case body(HTTPRequestHead, HTTPRequest, Persistence)
        /// The response is being made or sent.
        case answering
        /// The last response was sent; further input is ignored.
        case ending
    }

    /// What happens to the connection after its response.
    private enum Persistence { case goesOn, ends }

    private let core: ServerCore
    private let id: ConnectionTable.ID
    private var stage = Stage.head {
        didSet { steps &+= 1 }
    }
    /// How many steps requests have made; a timeout checks whether the number has changed.
    private(set) var steps: UInt = 0
    private var timer: Scheduled<Void>?
    /// The step in which a response is being made; nil if none is.
    private var awaited: UInt?

    init(core: ServerCore, id: ConnectionTable.ID) {
        self.core = core
        self.id = id
    }

    /// Whether the head of a request is incomplete.
    var isReadingHead: Bool { if case .head = stage { true } else { false } }

    func handlerAdded(context: ChannelHandlerContext) {
        expect(within: core.timing.head, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), stage) {
        case (.head(let head), .head): receive(head, context)
        case (.body(let bytes), .body(let head, var request, let persistence)):
            let size = request.body.count + bytes.readableBytes
            guard
                size <= ServerLimits.bodyBytes
                    || size <= core.responder.bodyBytes(of: request)
            else {
                return end(HTTPResponse(RequestFraming.tooLarge), head, context)
            }
            request.body += bytes.readableBytesView
            stage = .body(head, request, persistence)
        case (.end, .body(let head, let request, let persistence)):
            stage = .answering
            timer?.cancel()
            complete(head, request, persistence, context)
        case (_, .ending), (_, .answering), (.body, .head), (.end, .head), (.head, .body): return
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.headerOverflow: refuseHead(context)
        case is HTTPParserError:
            refuse(.unreadable("The request is not HTTP: \(error)", "use HTTP/1.1"), context)
        case _: context.close(promise: nil)
        }
    }

    /// The head is too large.
    private func refuseHead(_ context: ChannelHandlerContext) {
        refuse(
            APIError(
                431, "The head of the request is too large",
                "send at most \(ServerLimits.headBytes) bytes"),
            context)
    }

    private func refuse(_ refused: APIError, _ context: ChannelHandlerContext) {
        switch stage {
        case .head, .body: end(HTTPResponse(refused), nil, context)
        // The response is being sent, or was the last.
        case .answering, .ending: context.close(promise: nil)
        }
    }

    /// Closes the connection if the request makes no progress within a time.
    private func expect(within span: TimeSpan, _ context: ChannelHandlerContext) {
        timer?.cancel()
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: span.amount) {
            loopBound.value.close(promise: nil)
        }
    }

    private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        expect(within: core.timing.idle, context)
        if head.uri.utf8.count > ServerLimits.headBytes { return refuseHead(context) }
        let request = HTTPRequest(
            method: head.method.rawValue, target: head.uri,
            headers: head.headers.map { ($0.name, $0.value) })
        guard let request else {
            return refuse(.unreadable("The address cannot be read", "such as /api/v1"), context)
        }
        if let refused = RequestFraming.refusal(of: head) {
            return end(HTTPResponse(refused), head, context)
        }
        let mayGoOn = core.begin(request, on: id)
        if request.lists("100-continue", in: "expect") {
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }
        // Input after an upgrade or tunnel that was not established is not read as HTTP.
        let isForeign = head.headers.contains(name: "upgrade") || head.method == .CONNECT
        let isLast = !mayGoOn || !head.isKeepAlive || isForeign
        stage = .body(head, request, isLast ? .ends : .goesOn)
    }

    private func complete(
        _ head: HTTPRequestHead, _ request: HTTPRequest, _ persistence: Persistence,
        _ context: ChannelHandlerContext
    ) {
        // Elsewhere it is an ordinary request, as with any other upgrade.
        if request.lists("websocket", in: "upgrade"), RequestHandler.opensWebSocket(request) {
            return upgrade(head, request, context)
        }
        let step = steps
        awaited = step
        // What is answered once is not answered again: neither too late, nor to the next request.
        let reply = { [weak self] (response: HTTPResponse) in
            guard let self, awaited == step, context.channel.isActive else { return }
            awaited = nil
            if Self.isGuess(request, response) { return endLate(response, head, context) }
            switch persistence {
            case .goesOn: answer(response, head, context)
            case .ends: end(response, head, context)
            }
        }
        let span = core.timing.answer
        let loopBound = NIOLoopBound(reply, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: span.amount) {
            loopBound.value(HTTPResponse(.takesTooLong(span)))
        }
        core.use { _, now in core.responder.respond(to: request, now: now, reply: reply) }
    }

    // MARK: Responding

    /// Sends a response; the connection continues when the peer has received it.
    private func answer(
        _ response: HTTPResponse, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        send(response, isHead: head.method == .HEAD, isLast: false, context) { this, context in
            this.stage = .head
            this.core.finish(this.id)
            this.expect(within: this.core.timing.idle, context)
            // Only this allows the next request.
            context.writeAndFlush(this.wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    /// Whether a request had a wrong token. A missing one is no guess.
    private static func isGuess(_ request: HTTPRequest, _ response: HTTPResponse) -> Bool {
        response.status == 401 && request.value("authorization") != nil
    }

    /// Sends a last response after a while: a client that tries tokens has one try, and waits.
    private func endLate(
        _ response: HTTPResponse, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        timer?.cancel()
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: core.timing.wrongToken.amount) {
            let (this, context) = loopBound.value
            this.end(response, head, context)
        }
    }

    /// Sends a last response. The peer may continue to send for a while: closing a connection with
    /// unread input can destroy the response.
    private func end(
        _ response: HTTPResponse, _ head: HTTPRequestHead?, _ context: ChannelHandlerContext
    ) {
        stage = .ending
        send(response, isHead: head?.method == .HEAD, isLast: true, context) { this, context in
            this.core.finish(this.id)
            this.expect(within: this.core.timing.linger, context)
            context.writeAndFlush(this.wrapOutboundOut(.end(nil)), promise: nil)
            context.close(mode: .output, promise: nil)
        }
    }

    /// What to do when a response was sent.
    private typealias Completion = (HTTPConnection, ChannelHandlerContext) -> Void

    private func send(
        _ response: HTTPResponse, isHead: Bool, isLast: Bool, _ context: ChannelHandlerContext,
        then completion: @escaping Completion
    ) {
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
        sendPiece(isHead ? [] : response.body[...], context, then: completion)
    }

    /// Passes a part of a response to the system, and the rest when the peer has received it.
    private func sendPiece(
        _ rest: ArraySlice<UInt8>, _ context: ChannelHandlerContext,
        then completion: @escaping Completion
    ) {
        expect(within: core.timing.write, context)
        let piece = context.channel.allocator.buffer(bytes: rest.prefix(ServerLimits.writeBytes))
        let left = rest.dropFirst(ServerLimits.writeBytes)
        let loopBound = NIOLoopBound((self, context, completion), eventLoop: context.eventLoop)
        let written = context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece))))
        written.whenSuccess {
            // Not directly: if a part is sent at once, the next would be sent within the same call,
            // and so would each request that was sent in advance. Their number would then use
            // stack.
            loopBound.eventLoop.execute {
                let (this, context, completion) = loopBound.value
                guard context.channel.isActive else { return }
                guard left.isEmpty else {
                    return this.sendPiece(left, context, then: completion)
                }
                completion(this, context)
            }
        }
    }

    // MARK: Becoming a WebSocket

    private func upgrade(
        _ head: HTTPRequestHead, _ request: HTTPRequest, _ context: ChannelHandlerContext
    ) {
        if let refusal = WebSocketHandshake.refusal(of: head, request) {
            return end(refusal, head, context)
        }
        if let refusal = core.responder.refusalOfWebSocket(request).map({ HTTPResponse($0) }) {
            return Self.isGuess(request, refusal)
                ? endLate(refusal, head, context) : end(refusal, head, context)
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
                let refused = APIError.unreadable(
                    "This does not ask for a WebSocket", "see RFC 6455, 4.2.1")
                connection.end(HTTPResponse(refused), head, context)
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
            core: core, id: id, resumption: resumption,
            caller: core.responder.policy.caller(of: request))
        do {
            try ServerPipeline.becomeWebSocket(socket, context.channel.pipeline)
        } catch {
            context.close(promise: nil)
        }
    }
}
