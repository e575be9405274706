import DetentPlatform
import DetentTypes
import DetentWorld
import Glibc
import NIOCore

/// The shared state of the connections of one server: hub, request handler and the next wake-up.
///
/// Synchronization: none; all calls on the event loop.
final class ServerCore {
    let hub: Hub
    let responder: RequestHandler
    let timing: ServerTiming
    private let eventLoop: any EventLoop
    private var wakeUp: (task: Scheduled<Void>, at: Instant)?
    private var connections = ConnectionTable()
    private var channels: [ConnectionTable.ID: any Channel] = [:]
    private var lastHolder: UInt64 = 0
    private let rest: () -> Void
    /// Called when there is a connection after there was none.
    private let becomesBusy: () -> Void
    private var lastRequest = Instant.zero
    private var restTask: Scheduled<Void>?

    init(
        hub: Hub, responder: RequestHandler, timing: ServerTiming, eventLoop: any EventLoop,
        rest: @escaping () -> Void, becomesBusy: @escaping () -> Void = {}
    ) {
        self.rest = rest
        self.becomesBusy = becomesBusy
        self.hub = hub
        self.responder = responder
        self.timing = timing
        self.eventLoop = eventLoop
    }

    /// Calls a function with the hub, then schedules the next wake-up.
    func use<Result>(_ body: (Hub, Instant) -> Result) -> Result {
        let result = body(hub, MonotonicClock.now)
        schedule()
        return result
    }

    /// An identifier that no other connection has.
    func newSource() -> InputSourceID {
        lastHolder += 1
        return InputSourceID(lastHolder)
    }

    // MARK: Connections

    /// Whether there is a connection.
    var isBusy: Bool { !channels.isEmpty }

    /// Adds a new connection, and closes another one if all places are in use.
    func accept(_ channel: any Channel) -> ConnectionTable.ID {
        let (id, displaced) = connections.accept(from: Self.peer(channel.remoteAddress))
        if let displaced { close(displaced) }
        if !isBusy { becomesBusy() }
        channels[id] = channel
        let loopBound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.closeFuture.whenComplete { _ in
            loopBound.value.connections.remove(id)
            loopBound.value.channels[id] = nil
        }
        return id
    }

    /// A request has begun.
    ///
    /// - Returns: whether its connection may stay open after the response.
    func begin(_ request: HTTPRequest, on id: ConnectionTable.ID) -> Bool {
        noteRequest()
        connections.begin(id)
        guard responder.policy.trusts(request) else { return true }
        switch connections.promote(id) {
        case .trusted: return true
        case .displacing(let other):
            close(other)
            return true
        case .once: return false
        }
    }

    /// A response was sent.
    func finish(_ id: ConnectionTable.ID) { connections.finish(id) }

    /// A connection has become a WebSocket and receives updates from now on.
    func attach(
        _ socket: WebSocketConnection, as source: InputSourceID, resuming resumption: Resumption?,
        caller: Caller?, on id: ConnectionTable.ID
    ) {
        connections.awaitToken(id)
        use { hub, now in
            hub.attach(socket, as: source, resuming: resumption, caller: caller, now: now)
        }
        noteListener(source, on: id)
    }

    /// A WebSocket has received a message.
    func receive(_ message: [UInt8], from source: InputSourceID, on id: ConnectionTable.ID) {
        noteRequest()
        use { hub, now in hub.receive(message, from: source, now: now) }
        noteListener(source, on: id)
    }

    private func noteListener(_ source: InputSourceID, on id: ConnectionTable.ID) {
        if hub.isListening(source) { connections.becomeListener(id) }
    }

    private func close(_ id: ConnectionTable.ID) {
        hub.counters.displaced += 1
        channels.removeValue(forKey: id)?.close(promise: nil)
    }

    private static func peer(_ address: SocketAddress?) -> ConnectionTable.Peer {
        guard let text = address?.ipAddress else { return ConnectionTable.Peer(address: []) }
        let isSix = text.contains(":")
        var bytes = [UInt8](repeating: 0, count: isSix ? 16 : 4)
        inet_pton(isSix ? AF_INET6 : AF_INET, text, &bytes)
        return ConnectionTable.Peer(address: bytes)
    }

    /// Closes all connections.
    func end() {
        for following in hub.subscriptions.values { following.listener.close(.goingAway) }
        wakeUp?.task.cancel()
        wakeUp = nil
        restTask?.cancel()
        restTask = nil
    }

    /// One timer for many requests: it looks at the last one when its time is over.
    private func noteRequest() {
        lastRequest = MonotonicClock.now
        if restTask == nil { restLater() }
    }

    private func restLater() {
        let wait = lastRequest + timing.rest - MonotonicClock.now
        restTask = eventLoop.assumeIsolated().scheduleTask(in: wait.amount) { [self] in
            restTask = nil
            if MonotonicClock.now < lastRequest + timing.rest { return restLater() }
            rest()
        }
    }

    private func schedule() {
        let deadline = hub.deadline
        if let wakeUp, wakeUp.at <= deadline { return }
        wakeUp?.task.cancel()
        wakeUp = nil
        guard deadline != .never else { return }
        let task = eventLoop.assumeIsolated().scheduleTask(
            in: .nanoseconds(Int64(clamping: (deadline - MonotonicClock.now).nanoseconds))
        ) { [self] in
            wakeUp = nil
            use { hub, now in hub.settle(now: now) }
        }
        wakeUp = (task, deadline)
    }
}

extension TimeSpan {
    /// The same time span for an event loop.
    var amount: TimeAmount { .nanoseconds(Int64(clamping: nanoseconds)) }
}
