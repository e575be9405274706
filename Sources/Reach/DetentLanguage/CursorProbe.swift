import DetentPanel

/// The tree of a file with a mark where the cursor is.
///
/// While a file is written, it is seldom YAML: a key has no colon yet, a bracket is open. What is
/// missing at the cursor is added to the mark, and lines with other errors are left out.
struct CursorProbe {
    /// A character for private use, which no file has.
    static let mark: Character = "\u{F8F0}"

    let root: YAMLNode
    /// The way to the marked scalar.
    let path: TreePath
    let node: YAMLNode
    /// The text of the scalar before and behind the cursor.
    let before: String
    let after: String
    /// Whether the scalar is in quotation marks.
    var isQuoted: Bool {
        guard case .scalar(_, let isPlain) = node.content else { return false }
        return !isPlain
    }

    /// - Parameter offset: the bytes of the text before the cursor.
    init?(_ bytes: [UInt8], offset: Int) {
        let cursor = min(max(0, offset), bytes.count)
        let isEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
        let first = bytes[..<cursor].lastIndex(where: isEnd).map { $0 + 1 } ?? 0
        let last = bytes[cursor...].firstIndex(where: isEnd) ?? bytes.count
        let left = Array(bytes[first..<cursor])
        let right = Array(bytes[cursor..<last])
        let mark = Array(String(Self.mark).utf8)
        for line in Self.variants(left, mark, right) {
            let text = Array(bytes[..<first]) + line + Array(bytes[last...])
            let lineNumber = SourceText(file: "", bytes: text).position(ofByte: first).line
            guard let root = Self.tree(text, keeping: lineNumber),
                let path = TreePath.first(in: root, where: { Self.parts($0) != nil }),
                let node = path.node(in: root), let parts = Self.parts(node)
            else { continue }
            self.root = root
            self.path = path
            self.node = node
            (before, after) = parts
            return
        }
        return nil
    }

    /// The texts around the mark; nil for a node without it.
    private static func parts(_ node: YAMLNode) -> (String, String)? {
        guard case .scalar(let text, _) = node.content, let place = text.firstIndex(of: mark)
        else { return nil }
        return (String(text[..<place]), String(text[text.index(after: place)...]))
    }

    /// The line with the mark, and what makes it YAML, the likeliest first.
    private static func variants(
        _ left: [UInt8], _ mark: [UInt8], _ right: [UInt8]
    ) -> [[UInt8]] {
        let colon = Array(":".utf8)
        let asItIs = left + mark + right
        let asKey = left + mark + colon + (right.isEmpty ? [] : Array(" ".utf8)) + right
        let closed = left + mark + closers(left)
        let closedKey = left + mark + colon + closers(left)
        let isAlone = left.allSatisfy { $0 == 0x20 } && right.allSatisfy { $0 == 0x20 }
        return (isAlone ? [asKey, asItIs] : [asItIs, asKey]) + [closed, closedKey]
    }

    /// What closes the brackets and the quotation mark that are open at the end of a line.
    private static func closers(_ line: [UInt8]) -> [UInt8] {
        var open: [UInt8] = []
        var quote: UInt8?
        var previous: UInt8 = 0x20
        for byte in line {
            defer { previous = byte }
            if let mark = quote {
                if byte == mark { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if " [{,:".utf8.contains(previous) { quote = byte }
            case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
            case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
            case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = open.popLast()
            default: break
            }
        }
        return (quote.map { [$0] } ?? []) + open.reversed()
    }

    /// The tree of a text without the lines that have errors.
    static func tree(_ bytes: [UInt8], keeping line: Int?) -> YAMLNode? {
        var bytes = bytes
        for _ in 0...LanguageLimits.leftOutLines {
            let source = SourceText(file: "", bytes: bytes)
            let log = ProblemLog(source)
            if let root = YAMLReader.read(source, log: log) { return root }
            guard let problem = log.problems.first(where: { $0.severity == .error }) else {
                return nil
            }
            // The parser notices what is wrong in a line at the beginning of the next.
            let lines = [problem.place.line, problem.place.line - 1]
            guard
                let wrong = lines.first(where: {
                    $0 != line && $0 > 0
                        && source.line($0).contains { !$0.isWhitespace }
                })
            else { return nil }
            let range = source.offset(of: SourcePlace(line: wrong, column: 1))
            let end = source.offset(of: SourcePlace(line: wrong, column: .max))
            guard range < end else { return nil }
            for place in range..<end where bytes[place] != 0x0A && bytes[place] != 0x0D {
                bytes[place] = 0x20
            }
        }
        return nil
    }
}
