import ArgumentParser
import DetentCommand
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
    var listen = ServerOptions.defaultAddress

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
    /// - Parameters:
    ///   - options: what `options` gave.
    ///   - reload: has the panel file read again; must not wait.
    ///   - file: how pages see and change the panel file; nil if they do not.
    /// - Returns: the server, which the caller stops, and the address of its page.
    func serve(
        _ port: any PanelPort, simulation: (any SimulationControl)? = nil,
        _ options: ServerOptions?, file: FileAccess? = nil,
        reload: @escaping @Sendable () -> Bool
    ) throws -> (server: PanelServer, address: String)? {
        guard let options else { return nil }
        let server = try PanelServer(
            port: port, simulation: simulation, options: options, reload: reload,
            file: file)
        return (server, try server.start())
    }

    /// The options of the server, whose token files are read; nil if the page is off.
    func options() throws -> ServerOptions? {
        guard isOn else { return nil }
        var options = try ServerOptions(
            listen: listen, names: allowHost, tokenFiles: tokenFile, webFolder: webDir)
        options.version = ProgramVersion.number
        for note in options.notes { StandardError.write("detent: \(note)\n") }
        return options
    }
}
