/// What the table of keys says of a place in a panel file, for those who write one.
package enum PanelKeys {
    /// What the table says of one key.
    package struct Entry: Sendable {
        /// What it means, its values and its default, in lines of Markdown.
        package var text: String
        /// Whether its section needs it.
        package var isRequired: Bool
        /// Whether its value is a map or a list, and never a text.
        package var isNested: Bool
        /// Words that its value can be.
        package var words: [String]
        /// Units of its value; empty for values without one.
        package var units: [String]
        /// Its default, where it is one value.
        package var defaultValue: String?
    }

    /// The entry of a key by the keys around it, the outermost first; `-` means an item of a
    /// list. Nil where the table has no key.
    package static func entry(_ path: [String]) -> Entry? {
        let (key, shapes) = find(path)
        return key.map { entry($0, shapes) }
    }

    /// What a kind of control is, in a sentence; nil for an unknown word.
    package static func summary(ofKind word: String) -> String? {
        Schema.builtIn.kind(named: word)?.summary
    }

    /// The words that are allowed as the value at a path: of a key, or an item of a list.
    package static func words(at path: [String]) -> [String] { words(find(path).shapes) }

    /// Whether a value at a path names a line.
    package static func isLine(at path: [String]) -> Bool {
        find(path).shapes.contains {
            if case .line = $0 { true } else { false }
        }
    }

    /// The units that a value at a path can have.
    package static func units(at path: [String]) -> [String] { units(find(path).shapes) }

    /// Whether placeholders are replaced in texts at a path.
    package static func hasPlaceholders(_ path: [String]) -> Bool {
        let words = Schema.builtIn.actionKinds.filter(\.work.leavesCore).map(\.word)
        return path.count > 2 && path.contains(where: words.contains)
    }

    private static func find(_ path: [String]) -> (key: KeySpec?, shapes: [Shape]) {
        let schema = Schema.builtIn
        var shapes: [Shape] = [.section(.panel)]
        var found: KeySpec?
        for name in path {
            var next: [Shape] = []
            found = nil
            for section in shapes.flatMap({ $0.sections(of: name) }) {
                guard let key = schema.key(name, in: section) else { continue }
                found = found ?? key
                next.append(key.shape)
            }
            if found == nil { next = shapes.flatMap { $0.values(of: name) } }
            shapes = next.flatMap(\.alternatives)
        }
        return (found, shapes)
    }

    private static func entry(_ key: KeySpec, _ shapes: [Shape]) -> Entry {
        var text = key.summary
        text += "\n\nValue: \(key.shape.summary)."
        if !key.defaultValue.text.isEmpty { text += "\n\nDefault: \(key.defaultValue.text)." }
        return Entry(
            text: text, isRequired: key.isRequired, isNested: !shapes.contains(where: \.isText),
            words: words(shapes), units: units(shapes), defaultValue: key.defaultValue.value)
    }

    private static func words(_ shapes: [Shape]) -> [String] {
        shapes.flatMap { shape -> [String] in
            switch shape {
            case .words(let words): words
            case .boolean: ["true", "false"]
            default: []
            }
        }
    }

    private static func units(_ shapes: [Shape]) -> [String] {
        shapes.flatMap { shape -> [String] in
            switch shape {
            case .duration: DurationText.units.map(\.name)
            case .measure(let measure, _): [measure.unit]
            default: []
            }
        }
    }
}

extension Shape {
    /// The sections that can have this key.
    fileprivate func sections(of name: String) -> [Section] {
        switch self {
        case .section(let section): [section]
        case .defaults: [.control]
        case .line: [.line]
        case .actions: [.action]
        default: []
        }
    }

    /// What the value of a key without an entry is, and an item of a list.
    fileprivate func values(of name: String) -> [Shape] {
        switch self {
        case .actions: [.section(.action)]
        case .controls: [.section(.control)]
        case .named(let section, _): [.section(section)]
        case .list(let item, _): name == "-" ? [item] : []
        case .arguments: name == "-" ? [.text] : []
        case .linesByOption: [.line]
        case .valuesByControl: [.text, .section(.change)]
        case .texts, .valuesByWord, .wordsByValue: [.text]
        default: []
        }
    }

    /// Whether a value of this shape can be written in the line of its key.
    fileprivate var isText: Bool {
        switch self {
        case .section, .controls, .defaults, .named, .actions, .linesByOption, .valuesByControl:
            false
        default: true
        }
    }
}
