/// Writes a tree as YAML, which `YAMLReader` reads as an equal tree but for its places.
///
/// What fits in a line is in one line, below the keys of the file.
struct YAMLWriter {
    private static let columns = 100

    /// The text of a map, one key a line at least.
    static func text(_ root: YAMLNode) -> String {
        lines(root, indent: 0, isWhole: true).map { $0 + "\n" }.joined()
    }

    /// The lines of a value, each with its indent.
    private static func lines(_ node: YAMLNode, indent: Int, isWhole: Bool = false) -> [String] {
        let space = String(repeating: " ", count: indent)
        switch node.content {
        case .scalar: return [space + flow(node)]
        case .sequence(let items):
            return items.flatMap { item in
                let first = flow(item)
                if indent + 2 + first.count <= columns || item.isScalar {
                    return [space + "- " + first]
                }
                var lines = lines(item, indent: indent + 2)
                lines[0] = space + "- " + lines[0].dropFirst(indent + 2)
                return lines
            }
        case .mapping(let entries):
            return entries.flatMap { entry in
                let key = space + flow(entry.key) + ":"
                let value = flow(entry.value)
                let isShort = key.count + 1 + value.count <= columns && !isWhole
                if isShort || entry.value.isScalar || entry.value.isEmpty {
                    return [value.isEmpty ? key : key + " " + value]
                }
                return [key] + lines(entry.value, indent: indent + 2)
            }
        }
    }

    private static func flow(_ node: YAMLNode) -> String {
        switch node.content {
        case .scalar(let text, let isPlain):
            return isPlain && isSafe(text) ? text : inQuotes(text)
        case .sequence(let items): return "[" + items.map(flow).joined(separator: ", ") + "]"
        case .mapping(let entries):
            let pairs = entries.map { entry in
                flow(entry.key) + ": " + (entry.value.isNull ? "~" : flow(entry.value))
            }
            return "{" + pairs.joined(separator: ", ") + "}"
        }
    }

    /// Whether a text means the same without quotes, also in brackets.
    private static func isSafe(_ text: String) -> Bool {
        guard let first = text.first, let last = text.last else { return true }
        let isWord = first.isLetter || first.isNumber || "/._~-+".contains(first)
        return isWord && last != " " && (first != "-" || text.count > 1 && !text.hasPrefix("- "))
            && text.unicodeScalars.allSatisfy {
                isPrintable($0) && !",[]{}:#\"'`&*!|>%@".unicodeScalars.contains($0)
            }
    }

    private static func inQuotes(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case _ where isPrintable(scalar): quoted.unicodeScalars.append(scalar)
            case _:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
        }
        return "\"\(quoted)\""
    }
}

extension YAMLNode {
    fileprivate var isScalar: Bool {
        guard case .scalar = content else { return false }
        return true
    }

    fileprivate var isEmpty: Bool { (items?.count ?? entries?.count) == 0 }
}
