import DetentRuntime

/// What whoever asks from another machine must know.
struct AccessToken: Sendable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether a text is the token; takes the same time however much of it is right.
    func isSame(_ text: String) -> Bool {
        let other = Array(text.utf8)
        guard other.count == bytes.count else { return false }
        return zip(bytes, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
