import DetentTypes

/// A secret that callers know, and what it allows.
struct AccessToken: Equatable, Sendable {
    var role: AccessRole
    var text: String
    /// What events call its holders: the name of its file. Nil for a generated one.
    var name: String?

    /// Whether a text is the token; takes the same time for all texts of its length.
    func isSame(_ other: String) -> Bool {
        let (own, other) = (text.utf8, other.utf8)
        guard other.count == own.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// Who has sent a request.
struct Caller: Equatable, Sendable {
    var role: AccessRole
    /// The number of its token, from 1; 0 without one.
    var number: UInt8 = 0
}

/// The tokens of a server. Without any, every allowed request has all roles.
struct AccessTokens: Equatable, Sendable {
    var all: [AccessToken] = []

    var areRequired: Bool { !all.isEmpty }

    /// The names of the tokens, in the order of the numbers that callers have.
    var names: [String?] { all.prefix(Int(Origin.callerLimit)).map(\.name) }

    /// Who has sent a token; nil if it is not valid and one is required.
    func caller(of text: String?) -> Caller? {
        guard areRequired else { return Caller(role: .configure) }
        guard let text else { return nil }
        // Each is compared, so that the time does not say which one was the right one.
        let places = all.indices.map { all[$0].isSame(text) ? $0 : nil }.compactMap(\.self)
        guard let place = places.max(by: { all[$0].role < all[$1].role }) else { return nil }
        return Caller(role: all[place].role, number: UInt8(clamping: place + 1))
    }
}
