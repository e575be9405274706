/// The length of the functions of the page, which are held to the same limit as those in Swift.
///
/// A function begins at a line that opens its body and ends at the next line that is indented no
/// deeper: the form that all scripts of simulator/web have.
enum ScriptSizeRules {
    /// The functions that are still longer; none may be added.
    static let known: Set = ["tools/inspector.js mount", "tools/log.js mount"]

    /// What is too long in a script.
    static func violations(_ file: SourceFile) -> [String] {
        var found: [String] = []
        for (index, line) in file.lines.enumerated() {
            guard let name = opened(line) else { continue }
            let depth = indentation(line)
            let end = file.lines[(index + 1)...].firstIndex {
                !$0.isEmpty && indentation($0) <= depth
            }
            let count = (end ?? file.lines.count - 1) - index + 1
            let place = file.path.split(separator: "/").suffix(2).joined(separator: "/")
            if count > SizeRules.functionLines, !known.contains("\(place) \(name)") {
                found.append(
                    "\(file.place(index)): \(name) has \(count) lines; "
                        + "the most is \(SizeRules.functionLines)")
            }
        }
        return found
    }

    private static func indentation(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }

    /// The name of the function that a line opens; nil where it opens none.
    private static func opened(_ line: Substring) -> String? {
        guard line.hasSuffix("{") else { return nil }
        let words = line.split(whereSeparator: { " ({".contains($0) }).map(String.init)
        if let place = words.firstIndex(of: "function") {
            return place + 1 < words.count ? words[place + 1] : "function"
        }
        if line.hasSuffix("=> {") {
            return words.first.map { $0 == "const" && words.count > 1 ? words[1] : $0 }
        }
        guard line.hasSuffix(") {"), let first = words.first else { return nil }
        let others: Set = ["if", "for", "while", "switch", "}", "else", "const"]
        return others.contains(first) ? nil : first
    }
}
