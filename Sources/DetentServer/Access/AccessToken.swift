/// A secret that callers know, and what it allows.
struct AccessToken: Equatable, Sendable {
    var role: AccessRole
    var text: String

    /// Whether a text is the token; takes the same time for all texts of its length.
    func isSame(_ other: String) -> Bool {
        let (own, other) = (text.utf8, other.utf8)
        guard other.count == own.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// The tokens of a server. Without any, every allowed request has all roles.
struct AccessTokens: Equatable, Sendable {
    var all: [AccessToken] = []

    var areRequired: Bool { !all.isEmpty }

    /// The role of a caller; nil if it has no valid token and one is required.
    func role(of text: String?) -> AccessRole? {
        guard areRequired else { return .configure }
        guard let text else { return nil }
        // Each is compared, so that the time does not say which one was the right one.
        return all.map { $0.isSame(text) ? $0.role : nil }.compactMap(\.self).max()
    }
}
