import DetentPanel
import DetentRuntime
public import DetentTypes
import NIOCore

/// Where a server listens, and who may ask.
public struct ServerOptions: Sendable {
    /// The address that is tried where none is named.
    public static var usualAddress: String { "127.0.0.1:8433" }

    /// The IP address.
    var address: String
    /// The port; 0 takes any that is free.
    var port: Int
    /// Names that it may be called by besides those of this machine's loopback.
    var names: [String]
    /// What requests must carry; nil where they need nothing.
    var token: String?
    /// Whether the token was made here, so that somebody has to be shown it.
    var isTokenNew = false
    /// Where the page's files are read anew each time; nil: they are those of the program.
    var webFolder: String?
    /// Bounds in time; tests shorten them.
    var timing = ServerTiming()

    /// Reads the options of a command line.
    ///
    /// - Parameters:
    ///   - listen: an address and a port, such as `127.0.0.1:8433`.
    ///   - names: the values of `--allow-host`.
    ///   - tokenFile: a file with the token in it.
    ///   - webFolder: where the page's files are read anew each time.
    /// - Throws: where others than this machine could connect without token or name.
    public init(
        listen: String = ServerOptions.usualAddress, names: [String] = [],
        tokenFile: String? = nil, webFolder: String? = nil
    ) throws(ServerError) {
        guard let colon = listen.lastIndex(of: ":"),
            let port = UInt16(listen[listen.index(after: colon)...])
        else {
            throw ServerError(
                cause: "`\(listen)` is no address with a port",
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
                cause: "`\(name)` is no name that a browser could call this by",
                remedy: "a name or an IP address alone, such as panel.local")
        }
        self.names = names
        self.webFolder = webFolder
        token = try tokenFile.map(Self.token)
        guard !isLoopback else { return }
        guard !names.isEmpty else {
            throw ServerError(
                cause: "`\(listen)` can be reached from other machines, which call it by a name",
                remedy: "add `--allow-host NAME` for each name or address that is typed there")
        }
        if token == nil {
            token = ConfirmTokens.unguessable()
            isTokenNew = true
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

    /// Whether nobody but this machine can connect.
    var isLoopback: Bool { address == "::1" || address.hasPrefix("127.") }

    private static func token(in file: String) throws(ServerError) -> String {
        let bytes: [UInt8]
        do throws(SourceText.Unreadable) {
            bytes = try SourceText.read(file: file).bytes
        } catch {
            throw ServerError(
                cause: "\(file): \(error.cause)", remedy: "name a file that holds the token")
        }
        let token = bytes.prefix(1_024).filter { $0 > 0x20 && $0 < 0x7F }
        guard token.count >= 16, bytes.count < 1_024 else {
            throw ServerError(
                cause: "\(file) holds no token",
                remedy: "write 16 to 1000 characters, such as by `openssl rand -hex 16`")
        }
        return String(decoding: token, as: UTF8.self)
    }
}

/// How long connections may take; tests shorten these.
struct ServerTiming: Sendable {
    var head = ServerLimits.headTime
    var idle = ServerLimits.idleTime
    var write = ServerLimits.writeTime
    var silence = ServerLimits.silence
    var pingEvery = ServerLimits.pingEvery
    /// How long a connection that was refused may still send before it is cut.
    var linger = ServerLimits.linger
}

/// Why no server could be started.
public struct ServerError: DescribedError, Equatable, Sendable {
    /// What is wrong, in one line.
    public var cause: String
    /// What to do, in one line.
    public var remedy: String
}
