import ArgumentParser
import DetentClient
import DetentPanel
import Glibc

/// Where the daemon is that a command talks to.
struct RemoteOptions: ParsableArguments {
    @Option(help: "Where the daemon listens.")
    var url = DaemonAddress.usual.description

    @Option(
        help: ArgumentHelp(
            "A file with the daemon's token; without it $DETENT_TOKEN counts.", valueName: "file"))
    var tokenFile: String?

    /// A client for that daemon.
    func client() throws -> DaemonClient {
        DaemonClient(try address(), token: try token())
    }

    private func address() throws -> DaemonAddress {
        do throws(DaemonAddress.Problem) {
            return try DaemonAddress(url)
        } catch {
            throw Failure(.usage, error)
        }
    }

    private func token() throws -> String? {
        guard let tokenFile else { return getenv("DETENT_TOKEN").map { String(cString: $0) } }
        return try TokenFile.read(tokenFile)
    }
}

/// A file that holds a token and nothing else.
enum TokenFile {
    static func read(_ path: String) throws -> String {
        let text: SourceText
        do {
            text = try SourceText.read(file: path)
        } catch {
            throw Failure(
                code: .usage, cause: "the token file \(path) cannot be read",
                remedy: "name a file that holds the token in one line, and that you may read")
        }
        let token =
            String(decoding: text.bytes, as: UTF8.self)
            .split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != 34 && $0 != 92 })
        else {
            throw Failure(
                code: .usage, cause: "the token file \(path) holds no token",
                remedy: "one line of letters and digits, such as `openssl rand -hex 16` makes")
        }
        return token
    }
}

extension DaemonClient {
    /// Asks for something that must succeed; ends the command with the daemon's own words else.
    func ask(
        _ method: String, _ path: String, _ body: JSONValue? = nil, for expected: PanelDocument
    ) throws -> JSONValue {
        try reach { () throws(ClientError) in
            let answer = try request(method, path, body: body.map { Array($0.line.utf8) })
            return try document(answer, expected)
        }
    }

    /// Runs a call; why it failed ends the command.
    func reach<Result>(_ body: () throws(ClientError) -> Result) throws -> Result {
        do throws(ClientError) {
            return try body()
        } catch {
            throw Failure(error)
        }
    }
}

extension Failure {
    /// Says why a daemon did not do something.
    init(_ error: ClientError) {
        switch error {
        case .unreachable, .strange: self.init(.unreachable, error)
        case .refused(let status, _, _): self.init(status == 401 ? .unreachable : .failed, error)
        }
    }
}
