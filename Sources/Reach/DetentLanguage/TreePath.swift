import DetentPanel

/// The way from the root of a tree to one of its nodes.
struct TreePath: Equatable {
    enum Step: Equatable {
        /// The value of an entry of a map.
        case value(Int)
        /// The key of an entry of a map; always the last step.
        case key(Int)
        /// An item of a list.
        case item(Int)
    }

    var steps: [Step] = []

    /// Whether it leads to a key.
    var isKey: Bool {
        if case .key = steps.last { true } else { false }
    }

    /// The path of the first scalar that fits; nil for none.
    static func first(in root: YAMLNode, where fits: (YAMLNode) -> Bool) -> TreePath? {
        var path = TreePath()
        return find(root, &path, fits) ? path : nil
    }

    private static func find(
        _ node: YAMLNode, _ path: inout TreePath, _ fits: (YAMLNode) -> Bool
    ) -> Bool {
        func enter(_ step: Step, _ child: YAMLNode) -> Bool {
            path.steps.append(step)
            if find(child, &path, fits) { return true }
            path.steps.removeLast()
            return false
        }
        switch node.content {
        case .scalar: return fits(node)
        case .sequence(let items):
            for (place, item) in items.enumerated() where enter(.item(place), item) { return true }
        case .mapping(let entries):
            for (place, entry) in entries.enumerated()
            where enter(.key(place), entry.key) || enter(.value(place), entry.value) {
                return true
            }
        }
        return false
    }

    /// The keys on the way, `-` for items of lists.
    func names(in root: YAMLNode) -> [String] {
        var node = root
        return steps.compactMap { step in
            defer { node = node.child(step) ?? node }
            switch step {
            case .value(let place), .key(let place):
                return node.entries.flatMap { $0.indices.contains(place) ? $0[place].name : nil }
            case .item: return "-"
            }
        }
    }

    /// The node at the end; nil if the tree has none.
    func node(in root: YAMLNode) -> YAMLNode? {
        steps.reduce(root) { node, step in node?.child(step) }
    }

    /// The path of the map or list around the node.
    var parent: TreePath { TreePath(steps: steps.dropLast()) }

    /// The tree with another node at the end of the path; without the entry or item for nil.
    func replacing(in root: YAMLNode, with new: YAMLNode?) -> YAMLNode {
        Self.replace(root, steps[...], new)
    }

    private static func replace(
        _ node: YAMLNode, _ steps: ArraySlice<Step>, _ new: YAMLNode?
    ) -> YAMLNode {
        guard let step = steps.first else { return new ?? node }
        var node = node
        let isLast = steps.count == 1
        switch (step, node.content) {
        case (.item(let place), .sequence(var items)) where items.indices.contains(place):
            if isLast, new == nil {
                items.remove(at: place)
            } else {
                items[place] = replace(items[place], steps.dropFirst(), new)
            }
            node.content = .sequence(items)
        case (.value(let place), .mapping(var entries)) where entries.indices.contains(place):
            if isLast, new == nil {
                entries.remove(at: place)
            } else {
                entries[place].value = replace(entries[place].value, steps.dropFirst(), new)
            }
            node.content = .mapping(entries)
        case (.key(let place), .mapping(var entries)) where entries.indices.contains(place):
            if let new { entries[place].key = new } else { entries.remove(at: place) }
            node.content = .mapping(entries)
        default: break
        }
        return node
    }
}

extension YAMLNode {
    private func entry(_ place: Int) -> YAMLEntry? {
        entries.flatMap { $0.indices.contains(place) ? $0[place] : nil }
    }

    fileprivate func child(_ step: TreePath.Step) -> YAMLNode? {
        switch step {
        case .value(let place): entry(place)?.value
        case .key(let place): entry(place)?.key
        case .item(let place): items.flatMap { $0.indices.contains(place) ? $0[place] : nil }
        }
    }
}
