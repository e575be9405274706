public import DetentTypes

/// What a runner is asked to do: the kind of action and its keys, as the panel file has them.
public struct ActionCall: Equatable, Sendable {
    /// The kind's key in the panel file.
    public var kind: String
    /// The keys that the file has, in the order of the kind's table. A missing key has the default
    /// of its runner. Placeholders such as `{value}` are not yet replaced in texts.
    public var fields: [ActionField]
}

extension TextTemplate.Language {
    /// The language of a field of an action, whose rules the words in it have to obey.
    package init(of field: String, in kind: String) {
        switch (kind, field) {
        case ("http", "body"), ("mqtt", "payload"): self = .json
        case ("http", "get"), ("http", "put"), ("http", "post"), ("http", "patch"),
            ("http", "delete"):
            self = .address
        case _: self = .plain
        }
    }
}
