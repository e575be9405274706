import DetentPanel

/// The parts of a file, for lists of symbols and for folding.
struct Outline {
    /// A part that has a name.
    struct Symbol {
        var name: String
        var detail: String
        /// The number of LSP: 2 for a module, 5 for a class, 7 for a property, 24 for an event.
        var kind: Int64
        var key: SourcePlace
        var children: [Symbol] = []
    }

    /// The named parts of a file in its order.
    static func symbols(_ root: YAMLNode, _ kind: FileKind) -> [Symbol] {
        (root.entries ?? []).map { entry in
            var symbol = Symbol(
                name: entry.name, detail: entry.value.text ?? "", kind: 7, key: entry.key.place)
            switch (kind, entry.name) {
            case (.panel, "controls"):
                symbol.kind = 2
                symbol.children = (entry.value.entries ?? []).map { control in
                    Symbol(
                        name: control.name, detail: detail(control.value), kind: 5,
                        key: control.key.place)
                }
            case (.panel, "groups"):
                symbol.kind = 2
                symbol.children = (entry.value.items ?? []).flatMap { group in
                    (group["controls"]?.entries ?? []).map { control in
                        Symbol(
                            name: control.name, detail: detail(control.value), kind: 5,
                            key: control.key.place)
                    }
                }
            case (.scenario, "steps"):
                symbol.kind = 2
                symbol.children = (entry.value.items ?? []).compactMap { step in
                    step.entries?.first.map {
                        Symbol(
                            name: $0.name, detail: names($0.value), kind: 24, key: $0.key.place)
                    }
                }
            case (.board, "headers"), (.board, "chips"):
                symbol.kind = 2
                symbol.children = (entry.value.entries ?? []).map {
                    Symbol(name: $0.name, detail: "", kind: 5, key: $0.key.place)
                }
            default: break
            }
            return symbol
        }
    }

    private static func detail(_ control: YAMLNode) -> String {
        [control["label"]?.text, control["kind"]?.text].compactMap(\.self).joined(separator: ", ")
    }

    private static func names(_ node: YAMLNode) -> String {
        node.text
            ?? (node.entries?.map(\.name) ?? node.items?.compactMap(\.text) ?? [])
            .joined(separator: ", ")
    }

    /// The first and the last line, from 0, of each part that can be folded: lines that are
    /// indented deeper than the one before them.
    static func folds(_ lines: [Substring]) -> [(first: Int, last: Int)] {
        var found: [(first: Int, last: Int)] = []
        var open: [(line: Int, indent: Int)] = []
        var latest = 0
        func close(_ indent: Int) {
            while let top = open.last, top.indent >= indent {
                open.removeLast()
                if latest > top.line { found.append((top.line, latest)) }
            }
        }
        for (number, line) in lines.enumerated() {
            let indent = line.prefix { $0 == " " }.count
            let rest = line.dropFirst(indent)
            guard let first = rest.first, first != "#" else { continue }
            close(indent)
            open.append((number, indent))
            latest = number
        }
        close(0)
        return found.sorted { $0.first < $1.first }
    }
}
