import CWall
public import DetentPanel
import DetentPlatform
public import DetentRuntime
import DetentTypes
public import DetentWall
import Glibc

/// The process between the network and a panel.
///
/// It reads everything that strangers send. It has no line, no saved value and no privilege, and
/// can ask of its panel only what the page can. `ChildProcess` starts it, and starts it again.
public enum Gateway {
    /// The argument with which the program becomes a gateway.
    public static var word: String { "gateway" }

    /// Keeps a gateway running beside a panel. It listens already; the gateway starts later, and
    /// connections wait until then.
    ///
    /// - Parameters:
    ///   - port: the panel, whose updates nothing else reads.
    ///   - source: the panel file that was read; the gateway gets the same bytes.
    ///   - reload: has the panel file read again; must not wait. Nil if it is not read again.
    ///   - broker: has the figures of the connection to a broker; nil without one.
    ///   - say: prints a message for people; must not wait.
    /// - Returns: the process, and the address of the page, with `#k=TOKEN` if a token was
    ///   generated.
    /// - Throws: `ServerError` if it cannot listen, `PlatformError` if no descriptor is available.
    public static func process(
        of port: any PanelPort, options: ServerOptions, source: SourceText,
        reload: (@Sendable () -> Void)? = nil, broker: MQTTBoard? = nil,
        say: @escaping @Sendable (String) -> Void
    ) throws -> (process: ChildProcess, address: String) {
        let socket = try ListeningSocket(address: options.address, port: options.port)
        let settings = GatewaySettings(
            address: options.address, names: options.names, tokens: options.tokens,
            reloads: reload != nil, webFolder: options.webFolder)
        let process = try ChildProcess(
            word: word, name: "the gateway", port: port, source: source, version: options.version,
            settings: { settings.bytes }, rights: { [rights = options.rights] _ in rights },
            socket: socket, reload: reload ?? {}, task: broker, say: say)
        return (process, options.url(socket.port))
    }

    /// Serves a panel until the panel ends.
    ///
    /// - Parameter say: prints a message for people.
    /// - Throws: `ServerError` if this process is no gateway, or cannot serve.
    public static func run(say: @escaping @Sendable (String) -> Void) throws {
        guard let setup = ChildSetup.ofThisProcess,
            let settings = GatewaySettings(setup.settings)
        else {
            throw ServerError(
                cause: "`detent \(word)` is a part of `detent run`", remedy: "use `detent run`")
        }
        detent_wall_settle()
        Memory.keepSmall()
        let source = SourceText(file: setup.file, bytes: setup.panel)
        guard var plan = PanelReader.read(source).plan else { return }
        plan.callers = settings.tokens.names
        // What can be opened now and not later.
        let processes = [
            ProcessProbe(inherited: Int32(DETENT_WALL_FIGURES), named: "panel"),
            ProcessProbe(getpid(), named: "gateway"),
        ].compactMap { $0 }
        try ProcessWall.enclose(
            .gateway, name: "the gateway", reading: settings.webFolder.map { [$0] },
            isFirst: setup.generation == 1, say: say)
        let link = ChildLink(Int32(DETENT_WALL_LINK))
        let port = try ChildPort(plan: plan, link: link)
        let listening = ListeningSocket(inherited: Int32(DETENT_WALL_LISTENER))
        guard link.send(PanelRequest.begin.bytes, waits: true),
            port.receiveMessages(untilServed: true)
        else { return }
        // The event that says who asks has the panel read its file.
        let reload: @Sendable () -> Bool = { true }
        let server = try PanelServer(
            port: port, options: ServerOptions(settings, setup.version, port: listening.port),
            listening: listening,
            resuming: .init(session: setup.session, generation: setup.generation),
            processes: processes,
            reload: settings.reloads ? reload : nil, rest: { Memory.giveBack() },
            becomesBusy: { Self.send(.alive(0, isBusy: true), link) })
        try server.start()
        Memory.giveBack()
        _ = port.receiveMessages(untilServed: false) { message in
            switch message {
            case .reloaded(let outcome): server.announce(outcome)
            case .figures(let figures): server.show(figures)
            case .token(let request, let token): server.askToConfirm(request, with: token)
            case .ping(let number):
                server.proveAlive { Self.send(.alive(number, isBusy: $0), link) }
            case .updates, .dropped, .served, .order: break
            }
        }
        server.close()
    }

    /// Tells the panel how it is. A panel without room for it hangs itself, and asks again later.
    private static func send(_ life: ChildMessage, _ link: ChildLink) {
        _ = link.send(life.bytes, waits: false)
    }
}

extension ServerOptions {
    /// What the gateway may ask of the panel: what the holder of its most powerful token may.
    fileprivate var rights: ChildRights {
        let role = tokens.all.map(\.role).max() ?? .configure
        return ChildRights(
            origins: [.web, .api], operates: role >= .operate, reloads: role >= .configure)
    }

    /// The options that a panel has handed on.
    init(_ settings: GatewaySettings, _ version: String, port: Int) {
        address = settings.address
        self.port = port
        names = settings.names
        tokens = settings.tokens
        webFolder = settings.webFolder
        self.version = version
    }
}
