/// A part of a YAML document: a scalar, a list, or a map with its keys in the order of the file.
public struct YAMLNode: Equatable, Sendable {
    /// What the node is.
    public enum Content: Equatable, Sendable {
        /// Text after escapes and folding were resolved. A reader of the text decides whether it is
        /// a boolean or a number.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        case mapping([YAMLEntry])
    }

    /// The content of the node.
    public var content: Content
    /// Where the node begins, with its length on that line.
    public var place: SourcePlace

    /// Makes a node.
    public init(_ content: Content, at place: SourcePlace) {
        self.content = content
        self.place = place
    }

    /// The text of a scalar; nil for a list, a map, and for nothing (`key:`, `~` or `null`).
    public var text: String? {
        guard case .scalar(let text, _) = content, !isNull else { return nil }
        return text
    }

    /// Whether there is no value.
    public var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return text == "" || text == "~" || text == "null"
    }

    /// The items of a list; nil for anything else.
    public var items: [YAMLNode]? {
        guard case .sequence(let items) = content else { return nil }
        return items
    }

    /// The entries of a map; nil for anything else.
    public var entries: [YAMLEntry]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries
    }

    /// The value of a map's key; nil if the node is not a map or has no such key.
    public subscript(key: String) -> YAMLNode? {
        entries?.first { $0.name == key }?.value
    }

    /// The node of the key itself, for messages about the key.
    public func key(_ name: String) -> YAMLNode? {
        entries?.first { $0.name == name }?.key
    }

    /// What the node is, for messages: "text", "nothing", "a list" or "a map".
    public var form: String {
        switch content {
        case .scalar: isNull ? "nothing" : "text"
        case .sequence: "a list"
        case .mapping: "a map"
        }
    }
}

/// A key of a map with its value.
public struct YAMLEntry: Equatable, Sendable {
    /// The key; always a scalar.
    public var key: YAMLNode
    /// The value after the colon; a missing value is a scalar that `isNull`.
    public var value: YAMLNode

    /// Makes an entry.
    package init(key: YAMLNode, value: YAMLNode) {
        self.key = key
        self.value = value
    }

    /// The key's text.
    public var name: String {
        guard case .scalar(let text, _) = key.content else { return "" }
        return text
    }
}
