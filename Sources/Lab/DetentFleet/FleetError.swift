public import DetentTypes

/// Why a fleet cannot run.
public struct FleetError: DescribedError, Equatable {
    /// What is wrong.
    public var cause: String
    /// What to do.
    public var remedy: String
    /// Whether the broker could not be reached; otherwise something asked for is wrong.
    public var isUnreachable = false
}
