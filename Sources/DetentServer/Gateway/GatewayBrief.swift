import CWall
import DetentPanel
import Glibc

/// What a gateway needs to know at its start: the options of its server, and the panel file.
///
/// The panel writes it into a file in memory. So the token is in no argument, and both processes
/// read the same bytes of the panel file.
package struct GatewayBrief: Equatable {
    var address = ""
    var names: [String] = []
    var tokens = AccessTokens()
    /// Whether the panel reads its file again when a page asks.
    var reloads = false
    var webFolder: String?
    /// The name of the session, which survives a gateway.
    package var session = ""
    /// Counts the gateways of a panel, so that no answer reaches the next one.
    package var generation: UInt32 = 0
    package var file = ""
    package var panel: [UInt8] = []
    /// Detent's version, which figures and the connection to a broker tell.
    package var version = ""
    /// The address of the page; empty without one.
    package var page = ""

    /// The brief in bytes.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        GatewayBytes.add(generation, to: &bytes)
        GatewayBytes.add(UInt32(clamping: names.count), to: &bytes)
        let texts = [address, session, file, version, page] + names
        for text in texts { Self.add(Array(text.utf8), to: &bytes) }
        GatewayBytes.add(UInt32(clamping: tokens.all.count), to: &bytes)
        for token in tokens.all {
            bytes.append(token.role.rawValue)
            Self.add(Array(token.text.utf8), to: &bytes)
        }
        bytes += [reloads ? 1 : 0, webFolder == nil ? 0 : 1]
        Self.add(Array((webFolder ?? "").utf8), to: &bytes)
        Self.add(panel, to: &bytes)
        return bytes
    }

    private static func add(_ field: [UInt8], to bytes: inout [UInt8]) {
        GatewayBytes.add(UInt32(clamping: field.count), to: &bytes)
        bytes += field
    }
}

extension GatewayBrief {
    /// Reads a brief; nil if it is wrong.
    init?(_ bytes: [UInt8]) {
        self.init()
        var rest = GatewayBytes(bytes[...])
        func field() -> ArraySlice<UInt8>? {
            rest.number(UInt32.self).flatMap { rest.bytes(Int($0)) }
        }
        func text() -> String? { field().map { String(decoding: $0, as: UTF8.self) } }
        guard let generation = rest.number(UInt32.self), let count = rest.number(UInt32.self),
            let address = text(), let session = text(), let file = text(),
            let version = text(), let page = text()
        else { return nil }
        (self.generation, self.address, self.session, self.file) = (
            generation, address, session, file
        )
        (self.version, self.page) = (version, page)
        for _ in 0..<count {
            guard let name = text() else { return nil }
            names.append(name)
        }
        guard let tokenCount = rest.number(UInt32.self) else { return nil }
        for _ in 0..<tokenCount {
            guard let role = rest.number(UInt8.self).flatMap(AccessRole.init), let token = text()
            else { return nil }
            tokens.all.append(AccessToken(role: role, text: token))
        }
        guard let reloads = rest.truth(), let hasFolder = rest.truth(), let folder = text(),
            let panel = field(), rest.isEmpty
        else { return nil }
        self.reloads = reloads
        webFolder = hasFolder ? folder : nil
        self.panel = Array(panel)
    }

    /// Reads the brief of this process, which its panel has handed on; nil if there is none.
    package static var ofThisProcess: GatewayBrief? {
        var status = stat()
        let file = Int32(DETENT_GATEWAY_BRIEF)
        guard fstat(file, &status) == 0, status.st_size > 0,
            status.st_size < Limits.fileBytes + 65_536
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard pread(file, &bytes, bytes.count, 0) == bytes.count else { return nil }
        return GatewayBrief(bytes)
    }
}
