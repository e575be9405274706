import ArgumentParser
import DetentClient
import DetentPanel
import Glibc

/// The options for the address of a daemon.
struct RemoteOptions: ParsableArguments {
    @Option(help: "Address of the daemon.")
    var url = DaemonAddress.usual.description

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
        return try TokenFile.read(tokenFile)
    }
}

/// A file that contains only a token.
enum TokenFile {
    static func read(_ path: String) throws -> String {
        let text: SourceText
        do {
            text = try SourceText.read(file: path)
        } catch {
            throw Failure(
                code: .usage, cause: "the token file \(path) cannot be read",
                remedy: "name a readable file that contains the token on one line")
        }
        let token =
            String(decoding: text.bytes, as: UTF8.self)
            .split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != 34 && $0 != 92 })
        else {
            throw Failure(
                code: .usage, cause: "the token file \(path) contains no token",
                remedy: "write one line of letters and digits; `openssl rand -hex 16` makes one")
        }
        return token
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
