/// A list or a map while it is read.
struct YAMLFrame {
    private var content: YAMLNode.Content
    private let place: SourcePlace
    private var pendingKey: YAMLNode?
    private var keyPlaces: [String: SourcePlace] = [:]

    init(_ content: YAMLNode.Content, at place: SourcePlace) {
        self.content = content
        self.place = place
    }

    var node: YAMLNode { YAMLNode(content, at: place) }

    /// Adds the next item, key or value; returns a key, which the caller must check.
    mutating func add(_ node: YAMLNode) -> YAMLNode? {
        switch content {
        case .scalar:
            return nil
        case .sequence(var items):
            content = .sequence([])
            items.append(node)
            content = .sequence(items)
            return nil
        case .mapping(var entries):
            guard let key = pendingKey else {
                pendingKey = node
                return node
            }
            pendingKey = nil
            content = .mapping([])
            entries.append(YAMLEntry(key: key, value: node))
            content = .mapping(entries)
            return nil
        }
    }

    /// The first place of a key; nil for a new key.
    mutating func firstPlace(of name: String, at place: SourcePlace) -> SourcePlace? {
        if let first = keyPlaces[name] { return first }
        keyPlaces[name] = place
        return nil
    }
}
