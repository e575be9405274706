public import DetentTypes

/// Why a history cannot be used.
public struct HistoryError: DescribedError, Equatable, Sendable {
    /// What failed, as a participle: `written`.
    public var step: String
    /// The cause, for people.
    public var cause: String
    /// What helps, for people.
    public var remedy: String
    /// Whether the file is at fault: it can be renamed, and a new one made.
    public var isDamage: Bool

    /// A link, a pipe or a folder has the name of the file, or of its log.
    public static var irregular: HistoryError {
        HistoryError(step: "opened", cause: "it is not a regular file", isDamage: true)
    }

    static var defaultRemedy: String {
        "make the folder writable for the user of detent and free some space"
    }

    init(
        step: String, cause: String, remedy: String = HistoryError.defaultRemedy, isDamage: Bool
    ) {
        self.step = step
        self.cause = cause
        self.remedy = remedy
        self.isDamage = isDamage
    }

    init(_ step: String, _ error: DatabaseError) {
        var remedy = Self.defaultRemedy
        if case .missing = error {
            remedy = "install libsqlite3-0, or write `history: off` in the panel file"
        }
        self.init(step: step, cause: error.cause, remedy: remedy, isDamage: error.isDamage)
    }
}
