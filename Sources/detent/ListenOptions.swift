import ArgumentParser
import DetentCommand
import DetentPanel
import DetentRuntime
import DetentServer
import DetentWall
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
            "File with a token that requests must send. A ROLE of view, operate or configure "
                + "limits what it allows; can be repeated.",
            valueName: "[role=]file"))
    var tokenFile: [String] = []

    @Option(
        help: ArgumentHelp(
            "Read the page's files from this folder at each request, for development.",
            valueName: "folder"))
    var webDir: String?

    /// Whether the page is served.
    var isOn: Bool { listen != "off" }

    /// Starts the server of a panel; nil if the page is off.
    ///
    /// - Parameter reload: has the panel file read again; must not wait.
    /// - Returns: the server, which the caller stops, and the address of its page.
    func serve(
        _ port: any PanelPort, simulation: (any SimulationControl)? = nil,
        reload: @escaping @Sendable () -> Bool
    ) throws -> (server: PanelServer, address: String)? {
        guard isOn else { return nil }
        let server = try PanelServer(
            port: port, simulation: simulation, options: options(), reload: reload)
        return (server, try server.start())
    }

    /// Opens the address of a panel's page, which a process of its own serves after `start`.
    ///
    /// - Parameters:
    ///   - source: the panel file.
    ///   - reload: has the panel file read again; must not wait.
    ///   - broker: has the figures of the connection to a broker; nil without one.
    ///   - say: prints a message; must not wait.
    /// - Returns: the process, and the address of its page.
    func gateway(
        _ port: any PanelPort, _ source: SourceText, reload: @escaping @Sendable () -> Void,
        broker: BrokerBoard?,
        say: @escaping @Sendable (String) -> Void
    ) throws -> (process: ChildProcess, address: String) {
        try Gateway.process(
            of: port, options: options(), source: source, reload: reload, broker: broker,
            say: say)
    }

    private func options() throws -> ServerOptions {
        var options = try ServerOptions(
            listen: listen, names: allowHost, tokenFiles: tokenFile, webFolder: webDir)
        options.version = ProgramVersion.number
        for note in options.notes { StandardError.write("detent: \(note)\n") }
        return options
    }
}
