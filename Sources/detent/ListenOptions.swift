import ArgumentParser
import DetentRuntime
import DetentServer
import DetentWorld

/// The options of every command that serves a page.
struct ListenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the page is served; `off` for none. Other addresses than this machine's own "
                + "need --allow-host, and a token.",
            valueName: "address:port"))
    var listen = ServerOptions.usualAddress

    @Option(
        help: ArgumentHelp(
            "A name that the page may be called by; may be given several times.",
            valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "A file with the token that requests must carry.", valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Read the page's files from this folder each time, to work on them.",
            valueName: "folder"))
    var webDir: String?

    /// Serves a panel as the options say; nil where nothing is to be served.
    ///
    /// - Returns: the server, to be stopped at the end, and the address of its page.
    func serve(
        _ port: any PanelPort, simulation: (any SimulationControl)? = nil
    ) throws -> (server: PanelServer, address: String)? {
        guard listen != "off" else { return nil }
        do {
            let options = try ServerOptions(
                listen: listen, names: allowHost, tokenFile: tokenFile, webFolder: webDir)
            let server = try PanelServer(port: port, simulation: simulation, options: options)
            return (server, try server.start())
        } catch let error as ServerError {
            throw Failure(.usage, error)
        }
    }
}
