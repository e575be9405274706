import Glibc

/// Sizes that keep a file readable in one go.
enum SizeRules {
    static let columns = 100
    static let functionLines = 70

    static func fileLines(_ path: String) -> Int { path.hasPrefix("Tests/") ? 800 : 500 }

    /// What is too long, or has tabs or spaces where none belong.
    static func violations(_ file: SourceFile) -> [String] {
        var found: [String] = []
        let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
        if count > fileLines(file.path) {
            found.append("\(file.path): \(count) lines; the most is \(fileLines(file.path))")
        }
        for (index, line) in file.lines.enumerated() {
            if line.count > columns {
                found.append(
                    "\(file.place(index)): \(line.count) characters; the most is \(columns)")
            }
            if line.contains("\t") { found.append("\(file.place(index)): a tab; indent by spaces") }
            if line.last == " " { found.append("\(file.place(index)): spaces at the end") }
        }
        for function in functions(file) where function.count > functionLines {
            found.append(
                "\(file.place(function.index)): \(function.name) has \(function.count) lines; "
                    + "the most is \(functionLines)")
        }
        return found
    }

    struct Function: Equatable {
        var name: String
        /// The line where it is declared, from 0.
        var index: Int
        /// Lines from there to its closing brace.
        var count: Int
    }

    /// The functions, initialisers and subscripts of a Swift file that have a body.
    static func functions(_ file: SourceFile) -> [Function] {
        file.code.indices.compactMap { index in
            guard let name = declaredName(file.code[index]) else { return nil }
            guard let end = endOfBody(file.code, from: index) else { return nil }
            return Function(name: name, index: index, count: end - index + 1)
        }
    }

    private static func declaredName(_ line: String) -> String? {
        // Most lines declare nothing, and a look at each word is slow.
        guard
            strstr(line, "func ") != nil || strstr(line, "init") != nil
                || strstr(line, "subscript") != nil
        else { return nil }
        let words = line.split(whereSeparator: { " (<{?".contains($0) }).map(String.init)
        for (place, word) in words.enumerated() {
            if word == "func" { return place + 1 < words.count ? words[place + 1] : nil }
            if ["init", "deinit", "subscript"].contains(word) { return word }
            guard modifiers.contains(word) || word.hasPrefix("@") else { return nil }
        }
        return nil
    }

    private static let modifiers: Set = [
        "public", "package", "internal", "fileprivate", "private", "static", "class", "final",
        "mutating", "nonmutating", "consuming", "borrowing", "override", "convenience", "required",
        "isolated", "nonisolated", "indirect",
    ]

    /// The line of the brace that closes the body of what is declared at `start`; nil without body.
    private static func endOfBody(_ code: [String], from start: Int) -> Int? {
        var parentheses = 0
        var braces = 0
        for index in start..<code.count {
            for character in code[index].utf8 {
                switch character {
                case UInt8(ascii: "("), UInt8(ascii: "["): if braces == 0 { parentheses += 1 }
                case UInt8(ascii: ")"), UInt8(ascii: "]"): if braces == 0 { parentheses -= 1 }
                case UInt8(ascii: "{") where parentheses == 0: braces += 1
                case UInt8(ascii: "}") where parentheses == 0:
                    if braces == 0 { return nil }  // the end of a protocol
                    braces -= 1
                    if braces == 0 { return index }
                default: break
                }
            }
            // A requirement of a protocol ends with its line, unless the next one goes on with it.
            if braces == 0, parentheses == 0, index + 1 < code.count {
                let next = code[index + 1].drop { $0 == " " }
                guard ["{", "->", "where", "throws", "async"].contains(where: next.hasPrefix) else {
                    return nil
                }
            }
        }
        return nil
    }
}
