import ArgumentParser
import DetentClient
import DetentCommand
import DetentPanel
import DetentRuntime
import Glibc

/// The options for the address of a daemon.
struct RemoteOptions: ParsableArguments {
    @Option(help: "Address of the daemon.")
    var url = DaemonAddress.default.description

    @Option(
        help: ArgumentHelp(
            "File with the daemon's token (default: $DETENT_TOKEN).", valueName: "file"))
    var tokenFile: String?

    /// A client for that daemon.
    func client() throws -> DaemonClient {
        DaemonClient(try DaemonAddress(url), token: try token())
    }

    private func token() throws -> String? {
        guard let tokenFile else { return getenv("DETENT_TOKEN").map { String(cString: $0) } }
        do throws(TokenFile.Problem) {
            return try TokenFile(tokenFile).token
        } catch {
            throw Failure(.usage, error)
        }
    }
}

extension DaemonClient {
    /// Sends a request that must succeed; otherwise the command ends with the daemon's message.
    func ask(
        _ method: String, _ path: String, _ body: JSONValue? = nil, for expected: PanelDocument
    ) throws(ClientError) -> JSONValue {
        let answer = try request(method, path, body: body.map { Array($0.line.utf8) })
        return try document(answer, expected)
    }
}
