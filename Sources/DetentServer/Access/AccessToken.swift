/// The secret that callers from other machines must know.
struct AccessToken: Sendable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether a text is the token; takes constant time.
    func isSame(_ text: String) -> Bool {
        let other = Array(text.utf8)
        guard other.count == bytes.count else { return false }
        return zip(bytes, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
