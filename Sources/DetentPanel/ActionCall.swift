public import DetentTypes

/// What a runner is asked to do: the kind of action and its keys, as the panel file has them.
public struct ActionCall: Equatable, Sendable {
    /// One key and its value.
    public struct Field: Equatable, Sendable {
        /// The key.
        public var name: String
        /// Its value.
        public var content: Content

        /// Makes a field.
        public init(_ name: String, _ content: Content) {
            self.name = name
            self.content = content
        }
    }

    /// A value; placeholders such as `{value}` are not yet replaced in texts.
    public enum Content: Equatable, Sendable {
        case text(String)
        case texts([String])
        case integer(Int)
        case boolean(Bool)
        case duration(TimeSpan)
    }

    /// The kind's key in the panel file.
    public var kind: String
    /// The keys that the file has, in the order of the kind's table. A missing key has the default
    /// of its runner.
    public var fields: [Field]

    /// Makes a call; nothing is checked here.
    public init(kind: String, fields: [Field]) {
        self.kind = kind
        self.fields = fields
    }
}
