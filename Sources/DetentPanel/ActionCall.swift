public import DetentTypes

/// What a runner is asked to do: the kind of action and its keys, as the panel file has them.
public struct ActionCall: Equatable, Sendable {
    /// The kind's key in the panel file.
    public var kind: String
    /// The keys that the file has, in the order of the kind's table. A missing key has the default
    /// of its runner. Placeholders such as `{value}` are not yet replaced in texts.
    public var fields: [ActionField]
}
