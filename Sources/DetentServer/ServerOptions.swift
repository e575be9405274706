import DetentPanel
import DetentRuntime
public import DetentTypes
import NIOCore

/// Where a server listens, and who has access.
public struct ServerOptions: Sendable {
    /// The default address.
    public static var usualAddress: String { "127.0.0.1:8433" }

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
        listen: String = ServerOptions.usualAddress, names: [String] = [],
        tokenFiles: [String] = [], webFolder: String? = nil
    ) throws(ServerError) {
        guard let colon = listen.lastIndex(of: ":"),
            let port = UInt16(listen[listen.index(after: colon)...])
        else {
            throw ServerError(
                cause: "`\(listen)` is not an address with a port",
                remedy: "such as 127.0.0.1:8433, [::1]:8433 or 0.0.0.0:8433")
        }
        var address = String(listen[..<colon])
        if address.isEmpty || address == "localhost" { address = "127.0.0.1" }
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
        for text in tokenFiles { tokens.all.append(try Self.token(text)) }
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
    var isLoopback: Bool { address == "::1" || address.hasPrefix("127.") }

    /// The address of the page at a port; `detent get --url` accepts it too.
    func url(_ port: Int) -> String {
        var host = address
        if host == "0.0.0.0" || host == "::" { host = names.first ?? "localhost" }
        if host.contains(":") { host = "[\(host)]" }
        return "http://\(host):\(port)/\(newToken.map { "#k=" + $0 } ?? "")"
    }

    /// Reads `ROLE=FILE` or `FILE`.
    private static func token(_ option: String) throws(ServerError) -> AccessToken {
        for role in AccessRole.allCases where option.hasPrefix(role.word + "=") {
            let file = String(option.dropFirst(role.word.utf8.count + 1))
            return AccessToken(role: role, text: try token(in: file))
        }
        return AccessToken(role: .configure, text: try token(in: option))
    }

    private static func token(in file: String) throws(ServerError) -> String {
        let bytes: [UInt8]
        do throws(SourceText.Unreadable) {
            bytes = try SourceText.read(file: file).bytes
        } catch {
            throw ServerError(
                cause: "\(file): \(error.cause)",
                remedy: "name a file that contains the token, as FILE or ROLE=FILE; the roles are "
                    + "view, operate and configure")
        }
        let token = bytes.prefix(1_024).filter { $0 > 0x20 && $0 < 0x7F }
        guard token.count >= 16, bytes.count < 1_024 else {
            throw ServerError(
                cause: "\(file) contains no token",
                remedy: "write 16 to 1000 characters, for example with `openssl rand -hex 16`")
        }
        return String(decoding: token, as: UTF8.self)
    }
}

/// Time limits of connections; tests shorten them.
struct ServerTiming: Sendable {
    var head = ServerLimits.headTime
    var idle = ServerLimits.idleTime
    var write = ServerLimits.writeTime
    var silence = ServerLimits.silence
    var pingEvery = ServerLimits.pingEvery
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
