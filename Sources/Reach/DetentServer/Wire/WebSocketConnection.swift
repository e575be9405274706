import DetentPlatform
import DetentTypes
import DetentWorld
import NIOCore
import NIOWebSocket

/// A connection that is a WebSocket: converts frames to messages, and messages to frames.
final class WebSocketConnection: ChannelInboundHandler, Listener {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let core: ServerCore
    private let id: ConnectionTable.ID
    private let source: InputSourceID
    private let resumption: Resumption?
    private let caller: Caller?
    private var context: ChannelHandlerContext?
    private(set) var backlog = 0
    /// The frames of an incomplete message.
    private var parts: [UInt8] = []
    private var partCount = 0
    private var lastSign = Instant.zero
    /// When the peer last received data that waited for it.
    private var lastTaken = Instant.zero
    private var timer: RepeatedTask?
    private var isEnding = false
    /// A pong is being sent; pings that arrive in the meantime are not answered.
    private var isAnswering = false

    init(
        core: ServerCore, id: ConnectionTable.ID, resumption: Resumption?, caller: Caller?
    ) {
        self.core = core
        self.id = id
        self.resumption = resumption
        self.caller = caller
        source = core.newSource()
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        lastSign = MonotonicClock.now
        let loopBound = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleRepeatedTask(
            initialDelay: core.timing.pingEvery.amount, delay: core.timing.pingEvery.amount
        ) { _ in loopBound.value.askForSign() }
        core.attach(self, as: source, resuming: resumption, caller: caller, on: id)
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        guard context != nil else { return }
        context = nil
        timer?.cancel()
        core.use { hub, now in hub.detach(source, now: now) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: end(.messageTooLarge)
        case is NIOWebSocketError: end(.protocolError)
        case _: context.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnding else { return }
        let frame = unwrapInboundIn(data)
        lastSign = MonotonicClock.now
        // A client that does not mask could be a page that attacks a cache on the way.
        guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            return end(.protocolError)
        }
        switch frame.opcode {
        case .text where partCount == 0, .continuation where partCount > 0: receive(frame)
        case .ping: answer(frame.unmaskedData)
        case .pong: return
        case .connectionClose: end(CloseFrame.answer(to: frame.unmaskedData))
        case .binary: end(.unacceptableData)
        case _: end(.protocolError)
        }
    }

    private func answer(_ ping: ByteBuffer) {
        guard !isAnswering, let context else { return }
        isAnswering = true
        let pong = WebSocketFrame(fin: true, opcode: .pong, data: ping)
        let loopBound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(pong)).whenComplete { _ in
            loopBound.value.isAnswering = false
        }
    }

    private func receive(_ frame: WebSocketFrame) {
        partCount += 1
        let data = frame.unmaskedData
        guard parts.count + data.readableBytes <= ServerLimits.messageBytes,
            partCount <= ServerLimits.fragments
        else { return end(.messageTooLarge) }
        parts += data.readableBytesView
        guard frame.fin else { return }
        let message = parts
        parts = []
        partCount = 0
        guard String(validating: message, as: UTF8.self) != nil else {
            return end(.dataInconsistentWithMessage)
        }
        core.receive(message, from: source, on: id)
    }

    /// Checks for a sign of life, and sends a ping.
    private func askForSign() {
        let now = MonotonicClock.now
        guard now - lastSign < core.timing.silence,
            backlog == 0 || now - lastTaken < core.timing.silence
        else {
            context?.close(promise: nil)
            return
        }
        write(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()))
    }

    /// Sends a close frame and closes.
    private func end(_ code: WebSocketErrorCode) {
        guard !isEnding, let context else { return }
        isEnding = true
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        write(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
        context.close(mode: .output, promise: nil)
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: core.timing.linger.amount) {
            loopBound.value.close(promise: nil)
        }
    }

    private func write(_ frame: WebSocketFrame) {
        guard let context else { return }
        let count = frame.data.readableBytes
        if backlog == 0 { lastTaken = MonotonicClock.now }
        backlog += count
        let loopBound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in
            loopBound.value.wrote(count)
        }
    }

    private func wrote(_ count: Int) {
        backlog -= count
        lastTaken = MonotonicClock.now
        guard backlog == 0, let context else { return }
        let loopBound = NIOLoopBound(self, eventLoop: context.eventLoop)
        // Not directly: the hub may be sending to other listeners.
        context.eventLoop.execute {
            let connection = loopBound.value
            connection.core.use { hub, now in hub.drained(connection.source, now: now) }
        }
    }

    // MARK: The listener

    func send(_ text: String) {
        guard !isEnding else { return }
        write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)))
    }

    func close(_ cause: ListenerEnd) {
        switch cause {
        case .unauthorized: end(.policyViolation)
        case .tooSlow, .tooMany: end(.init(codeNumber: 1_013))
        case .goingAway: end(.goingAway)
        }
    }
}
