import ArgumentParser
import DetentPanel
import DetentRuntime
import DetentServer
import DetentWorld

/// The options of every command that serves a page.
struct ListenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Address of the page, or `off`. Addresses that are not loopback need --allow-host "
                + "and a token.",
            valueName: "address:port"))
    var listen = ServerOptions.usualAddress

    @Option(
        help: ArgumentHelp(
            "A host name allowed for the page; can be repeated.",
            valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "File with the token that requests must send.", valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Read the page's files from this folder at each request, for development.",
            valueName: "folder"))
    var webDir: String?

    /// Whether the page is served.
    var isOn: Bool { listen != "off" }

    /// Starts the server of a panel; nil if the page is off.
    ///
    /// - Returns: the server, which the caller stops, and the address of its page.
    func serve(
        _ port: any PanelPort, simulation: (any SimulationControl)? = nil
    ) throws -> (server: PanelServer, address: String)? {
        guard isOn else { return nil }
        let server = try PanelServer(port: port, simulation: simulation, options: options())
        return (server, try server.start())
    }

    /// Opens the address of a panel's page, which a process of its own serves after `start`.
    ///
    /// - Parameters:
    ///   - source: the panel file.
    ///   - say: prints a message; must not wait.
    func gateway(
        _ port: any PanelPort, _ source: SourceText, say: @escaping @Sendable (String) -> Void
    ) throws -> PanelGateway {
        try PanelGateway(port: port, options: options(), source: source, say: say)
    }

    private func options() throws -> ServerOptions {
        try ServerOptions(
            listen: listen, names: allowHost, tokenFile: tokenFile, webFolder: webDir)
    }
}
