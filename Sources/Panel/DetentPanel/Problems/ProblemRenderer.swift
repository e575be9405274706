import DetentTypes

/// Writes problems as text and as JSON.
public enum ProblemRenderer {
    /// The problem as text: `FILE:LINE:COLUMN: error: text [rule-name]`, the source line
    /// underlined, and the help; each line ends with a line feed.
    public static func text(_ problem: Problem) -> String {
        let place = problem.place
        var text = "\(problem.file):\(place.line):\(place.column): \(problem.severity.rawValue): "
        text += "\(problem.text) [\(problem.rule.name)]\n"
        if !problem.excerpt.isEmpty {
            let (line, underline) = underlined(problem)
            text += "    \(line)\n    \(underline)\n"
        }
        if !problem.help.isEmpty { text += "help: \(problem.help)\n" }
        return text
    }

    /// All problems as text, separated by empty lines. Equal warnings of a file are told once, with
    /// their lines, and so are long lists of allowed words.
    public static func text(_ problems: [Problem]) -> String {
        var shown: [Problem] = []
        var lines: [[Int]] = []
        var places: [Warning: Int] = [:]
        for problem in problems {
            let warning = Warning(problem)
            if problem.severity == .warning, let place = places[warning] {
                lines[place].append(problem.place.line)
                continue
            }
            places[warning] = shown.count
            shown.append(problem)
            lines.append([])
        }
        var lists: [List: Int] = [:]
        for place in shown.indices {
            if !lines[place].isEmpty { shown[place].text += also(lines[place]) }
            shortenList(of: &shown[place], &lists)
        }
        return shown.map(text).joined(separator: "\n")
    }

    /// What equal warnings have in common.
    private struct Warning: Hashable {
        var file: String
        var rule: String
        var text: String
        var help: String

        init(_ problem: Problem) {
            (file, rule) = (problem.file, problem.rule.name)
            (text, help) = (problem.text, problem.help)
        }
    }

    /// A list of words that was shown for a file.
    private struct List: Hashable {
        var file: String
        var words: Substring
    }

    private static func also(_ lines: [Int]) -> String {
        let first = lines.prefix(3).map(String.init).joined(separator: ", ")
        let word = lines.count == 1 ? "line" : "lines"
        return "; also \(counted(lines.count, "more time")) at \(word) \(first)"
            + (lines.count > 3 ? ", …" : "")
    }

    /// Leaves out a list that was shown before, if it is longer than a few words.
    private static func shortenList(of problem: inout Problem, _ lists: inout [List: Int]) {
        for mark in ["allowed: ", "keys: "] {
            guard let found = problem.help.firstRange(of: mark) else { continue }
            let list = problem.help[found.lowerBound...]
            guard list.count(where: { $0 == "," }) > 8 else { return }
            let key = List(file: problem.file, words: list)
            guard let line = lists[key] else {
                lists[key] = problem.place.line
                return
            }
            let rest = problem.help[..<found.lowerBound]
            problem.help = rest + "\(mark)the same as at line \(line)"
            return
        }
    }

    /// All problems as one JSON array, one object per line.
    public static func json(_ problems: [Problem]) -> String {
        let lines = problems.map { problem in
            let object: JSONValue = [
                "file": .string(problem.file), "line": .whole(problem.place.line),
                "column": .whole(problem.place.column),
                "length": .whole(problem.place.length),
                "severity": .string(problem.severity.rawValue),
                "rule": .string(problem.rule.name), "text": .string(problem.text),
                "help": .string(problem.help),
            ]
            return object.line
        }
        return lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n"
    }

    /// The source line and the marks below it; a long line is cut around the place.
    private static func underlined(_ problem: Problem) -> (line: String, underline: String) {
        let scalars = Array(problem.excerpt.unicodeScalars)
        let start = min(max(0, problem.place.column - 1), scalars.count)
        let width = Limits.excerptCharacters
        let first = start < width * 2 / 3 ? 0 : start - width / 3
        let last = min(scalars.count, first + width)
        var line = first > 0 ? "…" : ""
        var underline = first > 0 ? " " : ""
        for index in first..<last {
            let scalar = scalars[index]
            let isTab = scalar == "\t"
            line.unicodeScalars.append(isTab || isPrintable(scalar) ? scalar : "\u{FFFD}")
            if index < start { underline += isTab ? "\t" : " " }
        }
        if last < scalars.count { line += "…" }
        let length = max(1, min(problem.place.length, last - start))
        underline += "^" + String(repeating: "~", count: length - 1)
        return (line, underline)
    }
}
