/// A kind of action that leaves the core, by its key in panel files.
public struct ActionKindID: Hashable, Sendable {
    /// The key, such as `run`.
    public let word: String

    /// Takes the key.
    public init(_ word: String) {
        self.word = word
    }
}
