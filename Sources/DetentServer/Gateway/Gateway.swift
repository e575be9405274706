import CWall
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes
import Glibc

/// The process between the network and a panel.
///
/// It reads everything that strangers send. It has no line, no saved value and no privilege, and
/// can ask of its panel only what the page can. `PanelGateway` starts it, and starts it again.
public enum Gateway {
    /// The argument with which the program becomes a gateway.
    public static var word: String { "gateway" }

    /// Serves a panel until the panel ends.
    ///
    /// - Throws: `ServerError` if this process is no gateway, or cannot serve.
    public static func run() throws {
        guard let brief = GatewayBrief.ofThisProcess else {
            throw ServerError(
                cause: "`detent \(word)` is a part of `detent run`", remedy: "use `detent run`")
        }
        detent_gateway_settle("detent-gateway")
        Memory.keepSmall()
        let source = SourceText(file: brief.file, bytes: brief.panel)
        guard let plan = PanelReader.read(source).plan else { return }
        // What can be opened now and not later.
        let processes = [
            ProcessProbe(getppid(), named: "panel"), ProcessProbe(getpid(), named: "gateway"),
        ].compactMap { $0 }
        _ = detent_gateway_confine(brief.webFolder != nil, false)
        let link = GatewayLink(Int32(DETENT_GATEWAY_LINK))
        let port = try GatewayPort(plan: plan, link: link)
        let listening = ListeningSocket(inherited: Int32(DETENT_GATEWAY_LISTENER))
        guard link.send(GatewayRequest.begin.bytes, waits: true), port.follow(untilServed: true)
        else { return }
        let reload: @Sendable () -> Bool = {
            link.send(GatewayRequest.reload.bytes, waits: false)
        }
        let server = try PanelServer(
            port: port, options: ServerOptions(brief, port: listening.port), listening: listening,
            resuming: .init(session: brief.session, generation: brief.generation),
            processes: processes,
            reload: brief.reloads ? reload : nil, rest: { Memory.giveBack() })
        try server.start()
        Memory.giveBack()
        _ = port.follow(
            untilServed: false, tell: { server.tell($0) }, errand: { server.showBroker($0) })
        server.close()
    }
}

extension ServerOptions {
    /// The options that a panel has handed on.
    init(_ brief: GatewayBrief, port: Int) {
        address = brief.address
        self.port = port
        names = brief.names
        tokens = brief.tokens
        webFolder = brief.webFolder
        version = brief.version
    }
}
