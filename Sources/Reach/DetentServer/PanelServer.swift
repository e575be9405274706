public import DetentPlatform
public import DetentRuntime
import DetentTypes
import DetentWall
public import DetentWorld
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Serves one panel: its page, its state and its events, over HTTP and WebSocket.
///
/// One thread does the work. A second thread only sleeps until the panel has updates. Without
/// clients, both threads sleep.
///
///     let server = try PanelServer(port: port, options: ServerOptions())
///     try server.start()
///     …
///     server.stop()
public final class PanelServer: Sendable {
    private struct Running {
        var core: NIOLoopBound<ServerCore>
        var channel: any Channel
        var bell: WorkerThread
    }

    private let port: any PanelPort
    private let simulation: (any SimulationControl)?
    private let options: ServerOptions
    private let group: MultiThreadedEventLoopGroup
    private let pause: WakeUp
    private let isEnding = Atomic<Bool>(false)
    private let running = Mutex<Running?>(nil)
    private let listening: ListeningSocket?
    private let resumption: Continuation?
    private let reload: (@Sendable () -> Bool)?
    private let processes: [ProcessProbe]
    private let file: FileAccess?
    private let rest: @Sendable () -> Void
    private let becomesBusy: @Sendable () -> Void
    private let background: Background

    /// Carries out what takes long, for an event loop.
    typealias Background = @Sendable (any EventLoop) -> RequestHandler.RunInBackground

    /// What a server takes over from one that has ended, in another process.
    struct Continuation: Equatable {
        /// The name of the session.
        var session: String
        /// Counts these servers: the requests of two of them have different numbers.
        var generation: UInt32
    }

    /// Prepares the server of a panel.
    ///
    /// - Parameters:
    ///   - simulation: controls a simulated panel; nil for real lines.
    ///   - reload: has the panel file read again, and returns whether it will be; must not wait.
    ///     Nil if it is not read again.
    ///   - file: how pages see and change the panel file; nil if they do not. Only on loopback.
    /// - Throws: `PlatformError` if no descriptor is available.
    public convenience init(
        port: any PanelPort, simulation: (any SimulationControl)? = nil, options: ServerOptions,
        reload: (@Sendable () -> Bool)? = nil, file: FileAccess? = nil
    ) throws(PlatformError) {
        try self.init(
            port: port, simulation: simulation, options: options, listening: nil, resuming: nil,
            processes: [ProcessProbe(getpid(), named: "panel")].compactMap { $0 },
            reload: reload, file: file)
    }

    /// Prepares a server.
    ///
    /// - Parameters:
    ///   - listening: the socket; nil opens one.
    ///   - resumption: what to take over; the port then sends updates in batches. Nil begins a
    ///     session.
    ///   - processes: whose figures it serves.
    ///   - rest: called on the server's thread when it has had no request for
    ///     `RuntimeLimits.restTime`, once.
    ///   - becomesBusy: called on the server's thread when there is a connection after there was
    ///     none.
    ///   - background: carries out what takes long.
    init(
        port: any PanelPort, simulation: (any SimulationControl)? = nil, options: ServerOptions,
        listening: ListeningSocket?, resuming resumption: Continuation?,
        processes: [ProcessProbe] = [], reload: (@Sendable () -> Bool)?,
        file: FileAccess? = nil,
        rest: @escaping @Sendable () -> Void = {},
        becomesBusy: @escaping @Sendable () -> Void = {},
        background: @escaping Background = { PanelServer.runInBackground($0) }
    ) throws(PlatformError) {
        self.becomesBusy = becomesBusy
        self.background = background
        self.reload = reload
        self.processes = processes
        self.file = options.isLoopback ? file : nil
        self.rest = rest
        self.listening = listening
        self.resumption = resumption
        self.port = port
        self.simulation = simulation
        self.options = options
        pause = try WakeUp()
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    }

    /// Starts to listen.
    ///
    /// - Returns: the address of the page, with `#k=TOKEN` if a token was generated, and
    ///   `edit=TOKEN` if the page may change the panel file.
    /// - Throws: `ServerError` if it cannot listen on the address, `PlatformError` if no thread is
    ///   available.
    @discardableResult
    public func start() throws -> String {
        let listening =
            try self.listening ?? ListeningSocket(address: options.address, port: options.port)
        let eventLoop = group.next()
        let channel: any Channel
        do {
            channel = try bootstrap(eventLoop).withBoundSocket(listening.duplicate()).wait()
        } catch {
            throw ServerError(
                cause: "cannot serve \(options.address):\(listening.port): " + Self.words(error),
                remedy: "stop other programs, or raise the limit of open files")
        }
        let bound = listening.port
        let core = try eventLoop.submit { [self] in
            let core = NIOLoopBound(makeCore(bound, eventLoop), eventLoop: eventLoop)
            acceptInto.withLock { $0 = core }
            return core
        }.wait()
        let bell = try WorkerThread(named: "detent-server") { [self] in listen(for: core) }
        running.withLock { $0 = Running(core: core, channel: channel, bell: bell) }
        // Connections are accepted only when everything is ready.
        try channel.setOption(.autoRead, value: true).wait()
        return options.url(bound, with: file?.fragment)
    }

    /// Tells all pages and `detent watch` what a reload came to. From any thread.
    public func announce(_ outcome: PanelReloader.Outcome) {
        guard let core = running.withLock({ $0?.core }) else { return }
        core.eventLoop.execute { core.value.use { hub, now in hub.announce(outcome, now: now) } }
    }

    /// Serves the figures of the connection to a broker.
    func show(_ figures: MQTTFigures) {
        guard let core = running.withLock({ $0?.core }) else { return }
        core.eventLoop.execute { core.value.use { hub, _ in hub.broker = figures } }
    }

    /// Calls a function on the server's thread, with whether there is a connection. If that thread
    /// hangs, it is not called.
    func proveAlive(_ tell: @escaping @Sendable (_ isBusy: Bool) -> Void) {
        guard let core = running.withLock({ $0?.core }) else { return }
        core.eventLoop.execute { tell(core.value.isBusy) }
    }

    /// The panel wants a request of a caller to be confirmed with this token.
    func askToConfirm(_ request: RequestID, with token: ConfirmTokens.Token) {
        guard let core = running.withLock({ $0?.core }) else { return }
        core.eventLoop.execute {
            core.value.use { hub, now in hub.askToConfirm(request, with: token, now: now) }
        }
    }

    /// Closes all connections and ends; data that was not sent in time is lost.
    public func stop() {
        close()
        try? group.syncShutdownGracefully()
    }

    /// Closes all connections, and leaves its thread to the end of the process.
    ///
    /// For a confined process: ending the thread uses Dispatch, which traps if it cannot open files
    /// below `/proc`.
    func close() {
        isEnding.store(true, ordering: .releasing)
        guard let running = running.withLock({ $0.take() }) else { return }
        port.updates.wake()
        pause.ring()
        _ = try? running.core.eventLoop.submit { running.core.value.end() }.wait()
        _ = try? running.channel.close().wait()
        _ = running.bell.join(until: MonotonicClock.now + ServerLimits.grace)
    }

    // MARK: Setup

    /// The shared state for accepted connections.
    private let acceptInto = Mutex<NIOLoopBound<ServerCore>?>(nil)

    private func makeCore(_ port: Int, _ eventLoop: any EventLoop) -> ServerCore {
        let hub = Hub(
            port: self.port, simulation: simulation, access: options.tokens, reload: reload,
            makeSession: EventHistory.newSession, resuming: resumption,
            endPause: { [pause] in pause.ring() })
        hub.processes = processes
        hub.version = options.version
        hub.wrongTokenTime = options.timing.wrongToken
        let responder = RequestHandler(
            hub: hub,
            policy: AccessPolicy(port: port, names: options.names, tokens: options.tokens),
            page: PageFiles(folder: options.webFolder), panelFile: file,
            runInBackground: background(eventLoop))
        return ServerCore(
            hub: hub, responder: responder, timing: options.timing, eventLoop: eventLoop,
            rest: rest, becomesBusy: becomesBusy)
    }

    static func runInBackground(_ eventLoop: any EventLoop)
        -> RequestHandler.RunInBackground
    {
        { make, reply in
            let back = NIOLoopBound(reply, eventLoop: eventLoop)
            do {
                _ = try WorkerThread(named: "detent-download") {
                    let response = make()
                    eventLoop.execute { back.value(response) }
                }
            } catch {
                reply(HTTPResponse(.tooMuch))
            }
        }
    }

    private func bootstrap(_ eventLoop: any EventLoop) -> ServerBootstrap {
        ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: Int32(ServerLimits.acceptBacklog))
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.autoRead, value: false)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause())
                }
            }
            .childChannelOption(
                .socketOption(.so_sndbuf), value: .init(ServerLimits.socketBytes)
            )
            .childChannelOption(
                .socketOption(.so_rcvbuf), value: .init(ServerLimits.socketBytes)
            )
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: ServerLimits.readBytes)
            )
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { [self] channel in
                guard let core = acceptInto.withLock({ $0 })?.value else {
                    return channel.close()
                }
                return channel.eventLoop.makeCompletedFuture { try Self.accept(channel, core) }
            }
    }

    private static func accept(_ channel: any Channel, _ core: ServerCore) throws {
        try ServerPipeline.speakHTTP(channel, core, core.accept(channel))
    }

    /// Sleeps until the panel has updates, then lets the event loop handle them. The pause in
    /// between keeps the cost of a busy panel low. A request that waits for an answer ends it. A
    /// panel in another process makes this pause itself.
    private func listen(for core: NIOLoopBound<ServerCore>) {
        while !isEnding.load(ordering: .acquiring) {
            port.updates.wait(until: .never)
            if isEnding.load(ordering: .acquiring) { return }
            let looked = core.eventLoop.submit {
                core.value.use { hub, now in
                    hub.drain(now: now)
                    return hub.isAwaited
                }
            }
            guard let isAwaited = try? looked.wait() else { return }
            if resumption != nil { continue }
            let length = isAwaited ? RuntimeLimits.answersEvery : RuntimeLimits.eventsEvery
            pause.wait(until: MonotonicClock.now + length)
            pause.clear()
        }
    }

    private static func words(_ error: any Error) -> String {
        guard let error = error as? IOError else { return "\(error)" }
        return String(cString: strerror(error.errnoCode))
    }
}
