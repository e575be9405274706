public import DetentTypes

/// Why this program cannot be the connection to a broker.
public struct MQTTError: DescribedError, Equatable {
    /// What is wrong.
    public var cause: String
    /// What to do.
    public var remedy: String
}
