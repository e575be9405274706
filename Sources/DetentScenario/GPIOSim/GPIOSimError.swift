public import DetentTypes

/// Why a scenario cannot play on this machine's lines.
public struct GPIOSimError: DescribedError, Equatable, Sendable {
    /// What is wrong, in one line.
    public var cause: String
    /// What to do about it, in one line.
    public var remedy: String

    /// Makes an error.
    public init(cause: String, remedy: String) {
        self.cause = cause
        self.remedy = remedy
    }
}
