public import DetentTypes

/// Why a scenario cannot run on this machine's lines.
public struct GPIOSimError: DescribedError, Equatable, Sendable {
    /// The cause, in one line.
    public var cause: String
    /// The remedy, in one line.
    public var remedy: String
}
