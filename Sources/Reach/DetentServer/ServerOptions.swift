import DetentPanel
import DetentRuntime
public import DetentTypes
import NIOCore

/// Where a server listens, and who has access.
public struct ServerOptions: Sendable {
    /// The default address.
    public static var defaultAddress: String { "127.0.0.1:8433" }

    /// The IP address.
    var address: String
    /// The port; 0 uses any free port.
    var port: Int
    /// Allowed host names in addition to those of the loopback.
    var names: [String]
    /// The tokens, one of which requests must send.
    var tokens = AccessTokens()
    /// The token that was generated here and must be shown to the user; nil if there is none.
    var newToken: String?
    /// What is odd about the files of the tokens, for people: each a cause and a remedy, without a
    /// line feed at its end.
    public private(set) var notes: [String] = []
    /// A folder from which the page's files are read at each request; nil uses those of the
    /// program.
    var webFolder: String?
    /// The version of Detent that figures name; empty to name none.
    public var version = ""
    /// Time limits; tests shorten them.
    var timing = ServerTiming()

    /// Reads the options of a command line.
    ///
    /// - Parameters:
    ///   - listen: an address and a port, such as `127.0.0.1:8433`.
    ///   - names: the values of `--allow-host`.
    ///   - tokenFiles: files with a token each, as `ROLE=FILE`; `FILE` alone gives all roles.
    ///   - webFolder: a folder from which the page's files are read at each request.
    /// - Throws: `ServerError` if an option is wrong, or if other machines could connect without a
    ///   token or host name.
    public init(
        listen: String = ServerOptions.defaultAddress, names: [String] = [],
        tokenFiles: [String] = [], webFolder: String? = nil
    ) throws(ServerError) {
        guard let colon = listen.lastIndex(of: ":"), !listen.contains("/"),
            let port = UInt16(listen[listen.index(after: colon)...])
        else {
            throw ServerError(
                cause: "`\(listen)` is not an address with a port",
                remedy: "write an address and a port, without `http://`, such as 127.0.0.1:8433, "
                    + "[::1]:8433 or 0.0.0.0:8433")
        }
        var address = String(listen[..<colon])
        if address.isEmpty || address.lowercased() == "localhost" { address = "127.0.0.1" }
        if address.hasPrefix("["), address.hasSuffix("]") {
            address = String(address.dropFirst().dropLast())
        }
        self.address = address
        self.port = Int(port)
        for name in names where !Self.isName(name) {
            throw ServerError(
                cause: "`\(name)` is not a host name",
                remedy: "use only a name or an IP address, such as panel.local")
        }
        self.names = names
        self.webFolder = webFolder
        for text in tokenFiles { try addToken(text) }
        guard !isLoopback else { return }
        guard !names.isEmpty else {
            throw ServerError(
                cause:
                    "`\(listen)` needs allowed host names: other machines can reach it",
                remedy: "add `--allow-host NAME` for each name or address used to reach it")
        }
        if !tokens.areRequired {
            let token = ConfirmTokens.unguessable()
            tokens.all = [AccessToken(role: .configure, text: token)]
            newToken = token
        }
    }

    private static func isName(_ name: String) -> Bool {
        let isAddress = name.contains(":") && (try? SocketAddress(ipAddress: name, port: 0)) != nil
        return isAddress
            || !name.isEmpty
                && name.utf8.allSatisfy {
                    $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
                        || Character(Unicode.Scalar($0)).isLetter
                        || Character(Unicode.Scalar($0)).isNumber
                }
    }

    /// Whether only this machine can connect.
    public var isLoopback: Bool { address == "::1" || address.hasPrefix("127.") }

    /// The address of the page at a port; `detent get --url` accepts it too.
    ///
    /// - Parameter more: what it has behind `#` in addition to the token.
    func url(_ port: Int, with more: String? = nil) -> String {
        var host = address
        if host == "0.0.0.0" || host == "::" { host = names.first ?? "localhost" }
        if host.contains(":") { host = "[\(host)]" }
        let fragment = [newToken.map { "k=" + $0 }, more].compactMap(\.self)
        return "http://\(host):\(port)/"
            + (fragment.isEmpty ? "" : "#" + fragment.joined(separator: "&"))
    }

    /// The names of callers with a token, for the plan whose events name them.
    public var callers: [String?] { tokens.names }

    /// The name of the file of a token, without its folder and what follows the first dot.
    private static func callerName(_ file: String) -> String? {
        let last = file.split(separator: "/").last ?? ""
        let name = last.split(separator: ".").first ?? ""
        return name.isEmpty ? nil : PrintableText.text(String(name))
    }

    /// Reads `ROLE=FILE` or `FILE`.
    private mutating func addToken(_ option: String) throws(ServerError) {
        var (role, file) = (AccessRole.configure, option)
        for named in AccessRole.allCases where option.hasPrefix(named.word + "=") {
            (role, file) = (named, String(option.dropFirst(named.word.utf8.count + 1)))
        }
        do throws(TokenFile.Problem) {
            let read = try TokenFile(
                file, least: ServerLimits.shortestToken,
                different: ServerLimits.differentCharacters)
            tokens.all.append(
                AccessToken(role: role, text: read.token, name: Self.callerName(file)))
            if let note = read.note { notes.append(note) }
        } catch {
            throw ServerError(
                cause: error.cause,
                remedy: error.remedy + "; name it as FILE or ROLE=FILE, with the role view, "
                    + "operate or configure")
        }
    }
}

/// Time limits of connections; tests shorten them.
struct ServerTiming: Sendable {
    var head = ServerLimits.headTime
    var idle = ServerLimits.idleTime
    var answer = ServerLimits.answerTime
    var write = ServerLimits.writeTime
    var silence = ServerLimits.silence
    var pingEvery = ServerLimits.pingEvery
    /// How late a wrong token is answered.
    var wrongToken = ServerLimits.wrongTokenTime
    /// How long a refused connection may continue to send before it is closed.
    var linger = ServerLimits.linger
    var rest = RuntimeLimits.restTime
}

/// Why the server could not be started.
public struct ServerError: DescribedError, Equatable, Sendable {
    /// The cause, in one line.
    public var cause: String
    /// The remedy, in one line.
    public var remedy: String
}
