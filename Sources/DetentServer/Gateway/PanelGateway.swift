public import DetentPanel
import DetentPlatform
public import DetentRuntime
import DetentTypes
import Synchronization

/// Serves one panel through a process of its own, the gateway, so that no fault of code that reads
/// foreign bytes can end the panel.
///
/// The panel's process opens the listening socket once. It starts the gateway, passes updates on to
/// it, takes its requests, and starts it again when it ends. One thread does all this; the
/// real-time loop does not notice.
///
///     let gateway = try PanelGateway(port: port, options: options, source: source) { log.add($0) }
///     try gateway.start()
///     …
///     gateway.stop()
public final class PanelGateway: Sendable {
    /// The address of the page, with `#k=TOKEN` if a token was generated.
    public let address: String
    private let port: any PanelPort
    private let listening: ListeningSocket?
    private let word: String
    private let name: String
    private let brief: GatewayBrief
    private let say: @Sendable (String) -> Void
    private let reload: (@Sendable () -> Void)?
    private let bell: WakeUp
    /// Rung when the pages know the outcome of a reload.
    private let told: WakeUp
    private let isEnding = Atomic<Bool>(false)
    private let news = Mutex(GatewayNews())
    private let thread = Mutex<WorkerThread?>(nil)
    private let errand: (any GatewayErrand)?

    /// Listens; the gateway starts later, and connections wait until then.
    ///
    /// - Parameters:
    ///   - source: the panel file that was read; the gateway gets the same bytes.
    ///   - reload: has the panel file read again; must not wait. Nil if it is not read again.
    ///   - broker: has the figures of the connection to a broker; nil without one.
    ///   - say: prints a message for people; must not wait.
    /// - Throws: `ServerError` if it cannot listen, `PlatformError` if no descriptor is available.
    public init(
        port: any PanelPort, options: ServerOptions, source: SourceText,
        reload: (@Sendable () -> Void)? = nil, broker: BrokerBoard? = nil,
        say: @escaping @Sendable (String) -> Void
    ) throws {
        let socket = try ListeningSocket(address: options.address, port: options.port)
        listening = socket
        address = options.url(socket.port)
        word = Gateway.word
        name = "the gateway"
        errand = broker
        self.port = port
        self.say = say
        bell = try WakeUp()
        told = try WakeUp()
        self.reload = reload
        brief = GatewayBrief(
            address: options.address, names: options.names, tokens: options.tokens,
            reloads: reload != nil, webFolder: options.webFolder,
            session: PanelServer.newSession(), file: source.file, panel: source.bytes,
            version: options.version)
        wakesForErrands()
    }

    private func wakesForErrands() {
        errand?.wakes { [weak self] in self?.bell.ring() }
    }

    /// Another process beside the panel, which has no listening socket.
    ///
    /// - Parameters:
    ///   - word: the argument with which this program becomes that process.
    ///   - name: what messages call it.
    ///   - version: Detent's version.
    ///   - page: the address of the page; nil without one.
    ///   - errand: what else the process does for the panel.
    package init(
        word: String, name: String, port: any PanelPort, source: SourceText, version: String,
        page: String?, errand: (any GatewayErrand)? = nil, say: @escaping @Sendable (String) -> Void
    ) throws(PlatformError) {
        listening = nil
        reload = nil
        address = ""
        self.word = word
        self.name = name
        self.errand = errand
        self.port = port
        self.say = say
        bell = try WakeUp()
        told = try WakeUp()
        brief = GatewayBrief(
            session: PanelServer.newSession(), file: source.file, panel: source.bytes,
            version: version, page: page ?? "")
        wakesForErrands()
    }

    /// Starts the thread, which starts the gateway.
    ///
    /// - Throws: `PlatformError` if no thread is available.
    public func start() throws(PlatformError) {
        let worker = try WorkerThread(named: "detent-gatekeep") { [self] in
            var keeper = GatewayKeeper(
                port: port, listening: listening, brief: brief, name: name,
                launch: GatewayKeeper.startProgram(word), reload: reload ?? {},
                outcomeTold: { [self] in told.ring() }, errand: errand, say: say)
            keeper.keep(
                bell, news: { news.withLock { $0.take() } },
                isEnding: { isEnding.load(ordering: .acquiring) })
        }
        thread.withLock { $0 = worker }
    }

    /// The panel file was read again: if another panel follows, it is the one in these bytes.
    public func expect(_ source: SourceText) {
        news.withLock { $0.source = source }
        bell.ring()
    }

    /// Tells the pages what a reload came to, and waits until they are those of the panel that runs
    /// now, `ServerLimits.gatewayStall` at most.
    public func tell(_ outcome: PanelReloader.Outcome) {
        told.clear()
        news.withLock { $0.outcome = outcome }
        bell.ring()
        told.wait(until: MonotonicClock.now + ServerLimits.gatewayStall)
    }

    /// Ends the gateway, which says good-bye to its pages; kills it if that takes too long.
    public func stop() {
        isEnding.store(true, ordering: .releasing)
        bell.ring()
        let deadline = MonotonicClock.now + ServerLimits.gatewayGrace + ServerLimits.gatewayStall
        _ = thread.withLock { $0.take()?.join(until: deadline) }
    }
}

/// What the keeper of a gateway learns from other threads.
struct GatewayNews {
    /// The panel file as it was read last; the next panel has it.
    var source: SourceText?
    /// What the latest reload came to, until the pages know it.
    var outcome: PanelReloader.Outcome?

    /// Takes the outcome; the source stays until it is replaced.
    mutating func take() -> GatewayNews {
        defer { outcome = nil }
        return self
    }
}
