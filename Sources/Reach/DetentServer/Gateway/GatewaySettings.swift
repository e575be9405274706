import DetentWall

/// What only a gateway reads of what its panel hands on: the options of its server.
struct GatewaySettings: Equatable {
    var address = ""
    var names: [String] = []
    var tokens = AccessTokens()
    /// Whether the panel reads its file again when a page asks.
    var reloads = false
    var webFolder: String?

    /// The settings in bytes.
    var bytes: [UInt8] {
        var bytes: [UInt8] = [reloads ? 1 : 0, webFolder == nil ? 0 : 1]
        for text in [address, webFolder ?? ""] { MessageBytes.add(field: text.utf8, to: &bytes) }
        MessageBytes.add(UInt32(clamping: names.count), to: &bytes)
        for name in names { MessageBytes.add(field: name.utf8, to: &bytes) }
        MessageBytes.add(UInt32(clamping: tokens.all.count), to: &bytes)
        for token in tokens.all {
            bytes.append(token.role.rawValue)
            for text in [token.text, token.name ?? ""] {
                MessageBytes.add(field: text.utf8, to: &bytes)
            }
        }
        return bytes
    }
}

extension GatewaySettings {
    /// Reads settings; nil if they are wrong.
    init?(_ bytes: [UInt8]) {
        var rest = MessageBytes(bytes[...])
        guard let reloads = rest.truth(), let hasFolder = rest.truth(), let address = rest.text(),
            let folder = rest.text(), let count = rest.number(UInt32.self)
        else { return nil }
        self.init(address: address, reloads: reloads, webFolder: hasFolder ? folder : nil)
        for _ in 0..<count {
            guard let name = rest.text() else { return nil }
            names.append(name)
        }
        guard let tokenCount = rest.number(UInt32.self) else { return nil }
        for _ in 0..<tokenCount {
            guard let role = rest.number(UInt8.self).flatMap(AccessRole.init),
                let token = rest.text(), let name = rest.text()
            else { return nil }
            tokens.all.append(
                AccessToken(role: role, text: token, name: name.isEmpty ? nil : name))
        }
        guard rest.isEmpty else { return nil }
    }
}
