/// No index into what was split: how many pieces there are is up to whoever wrote the text.
///
/// `";".split(separator: ";")` has no first piece, and an index that is not there ends the program.
/// So the pieces are asked for, as `first`, `popFirst()` or `dropFirst(1).first`, never by number.
enum SplitRules {
    /// The places of a file where a piece is taken by its number, or by force.
    static func violations(_ file: SourceFile) -> [String] {
        guard file.path.hasPrefix("Sources/"), file.contains(".split") else { return [] }
        var found: [String] = []
        var bound: [(name: String, depth: Int)] = []
        var depth = 0
        /// The name that the statement of this line binds.
        var binding: String?
        for (index, line) in file.code.enumerated() {
            if !isContinuation(line, after: index > 0 ? file.code[index - 1] : "") {
                binding = nil
            }
            let split = [".split(", ".split {"].compactMap { place(of: $0, in: line) }.min()
            let before = String(line.prefix(split ?? line.count))
            binding = boundName(before) ?? binding
            if split != nil {
                if let binding { bound.append((binding, depth)) }
                if isIndexed(afterSplit: line) { found.append(violation(file, index)) }
            }
            for name in bound.map(\.name) where takesByNumber(line, name) {
                found.append(violation(file, index))
                break
            }
            depth += line.utf8.count { $0 == UInt8(ascii: "{") }
            depth -= line.utf8.count { $0 == UInt8(ascii: "}") }
            bound.removeAll { $0.depth > depth }
        }
        return found
    }

    private static func violation(_ file: SourceFile, _ index: Int) -> String {
        "\(file.place(index)): a piece of a `split` by number; instead: `first`, `popFirst()`, "
            + "`dropFirst(1).first`, which a text without that piece answers with nil"
    }

    /// Whether a line goes on with the statement of the line before.
    private static func isContinuation(_ line: String, after before: String) -> Bool {
        let words = line.drop { $0 == " " }
        let last = before.last { $0 != " " }
        return words.hasPrefix(".") || last == "=" || last == "." || last == "?"
    }

    /// How many characters stand before a text in a line; nil where it is not there.
    private static func place(of text: String, in line: String) -> Int? {
        line.indices.first { line[$0...].hasPrefix(text) }
            .map { line.distance(from: line.startIndex, to: $0) }
    }

    /// The name that was bound last: `parts` of `guard let a, let parts =`.
    private static func boundName(_ line: String) -> String? {
        let words = line.split { $0 == " " || $0 == ":" || $0 == "(" || $0 == "," }
        guard let keyword = words.lastIndex(where: { $0 == "let" || $0 == "var" }) else {
            return nil
        }
        return words.dropFirst(keyword + 1).first.map(String.init)
    }

    /// Whether the value of a `split` is indexed at once: `split(separator: ";")[0]`, `.first!`.
    private static func isIndexed(afterSplit line: String) -> Bool {
        let bytes = Array(line.utf8)
        let call = Array(".split".utf8)
        for start in bytes.indices where bytes[start...].starts(with: call) {
            var depth = 0
            var place = start + call.count
            while place < bytes.count {
                let byte = bytes[place]
                if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "{") { depth += 1 }
                if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "}") { depth -= 1 }
                place += 1
                if depth <= 0, byte != UInt8(ascii: " ") { break }
            }
            if beginsByNumber(bytes[place...]) { return true }
        }
        return false
    }

    private static func takesByNumber(_ line: String, _ name: String) -> Bool {
        let bytes = Array(line.utf8)
        let word = Array(name.utf8)
        for start in bytes.indices where bytes[start...].starts(with: word) {
            if start > 0, isPartOfName(bytes[start - 1]) { continue }
            if beginsByNumber(bytes[(start + word.count)...]) { return true }
        }
        return false
    }

    /// Whether a text goes on with `[0]` or `[i + 1]`, or with `.first!` or `.last!`.
    private static func beginsByNumber(_ rest: ArraySlice<UInt8>) -> Bool {
        for word in [".first!", ".last!"] where rest.starts(with: word.utf8) { return true }
        guard rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]"))
        else { return false }
        let index = rest[rest.startIndex..<end].dropFirst()
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        // A range gives an empty slice or traps as well, but never stands for one piece.
        guard !index.contains(UInt8(ascii: ".")) else { return false }
        return !index.isEmpty && index.allSatisfy { digits.contains($0) }
            || index.last.map(digits.contains) == true && index.contains(UInt8(ascii: "+"))
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        case _: false
        }
    }
}
