public import DetentTypes

/// What a runner is asked to do: the kind of action and its keys, as the panel file has them.
public struct ActionCall: Equatable, Sendable {
    /// The kind's key in the panel file.
    public var kind: String
    /// The keys that the file has, in the order of the kind's table. A missing key has the default
    /// of its runner. Placeholders such as `{value}` are not yet replaced in texts.
    public var fields: [ActionField]
    /// What carries it.
    public var carrier = ActionCarrier.own
    /// The field that has the timeout of the action where the file does not have it; nil for none.
    public var timeoutField: TimeoutField?
    /// The languages of fields in which words are not put in as they are.
    public var languages: [String: TextTemplate.Language] = [:]

    /// A field that has the timeout of its action, unless another field is true.
    public struct TimeoutField: Equatable, Sendable {
        /// The field.
        public let name: String
        /// The other field.
        public let unless: String
    }
}

/// What carries an action to its device: who asks that does not need to know the kind.
public enum ActionCarrier: Equatable, Sendable {
    /// The runner of the kind alone.
    case own
    /// The web; `curl` makes the requests that leave this machine.
    case web
    /// The broker of the panel, which can be away.
    case broker
    /// An input device that the kernel makes.
    case keys
}
