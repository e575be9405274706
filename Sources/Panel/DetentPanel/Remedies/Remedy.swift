import DetentTypes

/// What the help of a problem tells to write, as far as a machine can read it.
package enum Remedy: Equatable {
    /// In place of the word that is wrong.
    case replace(String)
    /// A key with its value, added or changed; in the map of `inside` if it names one.
    case set(String, String, inside: String?)
    /// The key is removed.
    case remove(String)
    /// The key at the place is removed.
    case removeHere

    /// What is written for a name of which the file has none.
    static let name = "Sample"
    /// Lines that the file may not have, up to three for one help.
    private static let line = "SAMPLE-"

    /// The same with lines of the board, and with the name of the control as its label.
    func filled(lines: [String], label: String) -> Remedy {
        func filled(_ text: String) -> String {
            lines.prefix(3).enumerated().reduce(text) { text, line in
                text.replacing("\(Self.line)\(line.offset + 1)", with: line.element)
            }
        }
        return switch self {
        case .replace(let word): .replace(filled(word))
        case .set("label", Self.name, let inside): .set("label", label, inside: inside)
        case .set(let key, let value, let inside): .set(key, filled(value), inside: inside)
        case .remove, .removeHere: self
        }
    }

    /// What is written for a name that the help leaves open.
    private static let samples = [
        "LINE": "SAMPLE-1", "HOST": "broker.lan", "NAME": "Sample", "ID": "sample",
        "OPTION": "x", "CONTROL": "c", "VALUE": "on",
    ]
    /// What is written for a key whose value the help leaves open.
    private static let values = [
        "input": "SAMPLE-1", "label": "Sample", "push": "SAMPLE-1", "settle": "300ms",
        "output": "SAMPLE-2", "timeout": "9s", "symbol": "fan", "pointer": "/a", "topic": "a/b",
        "action": "{run: [sample], timeout: 5s}", "name": "Sample", "center": "Middle",
        "address": "/a", "chip": "pca9685",
        "to": "desk.lan:9000", "b": "SAMPLE-3", "every": "200ms", "gap": "300ms", "on": "Open",
        "payload": "x", "help": "Sample.",
    ]

    /// The ways that a help offers, each with its changes; none where it offers none.
    package static func ways(_ problem: Problem) -> [[Remedy]] {
        for sentence in sentences(problem.help) {
            let ways = parts(sentence, by: ", or ").map(changes).filter { !$0.isEmpty }
            if !ways.isEmpty { return ways }
        }
        return allowed(problem).map { [[.replace($0)]] } ?? []
    }

    /// The first of the words or numbers that a help allows in place of a value.
    private static func allowed(_ problem: Problem) -> String? {
        let rules = [Rule.unknownWord, .outOfRange, .invalidCondition, .partDoesNotFit].map(\.name)
        guard (rules + ["unknown-line"]).contains(problem.rule.name) else { return nil }
        let lists = [
            "allowed: ", "values: ", "options: ", "parts that fit: ", "one of: ", "lines: ",
        ]
        guard let list = lists.first(where: { problem.help.hasPrefix($0) }) else { return nil }
        let rest = problem.help.dropFirst(list.count)
        let first = parts(String(rest.prefix { $0 != "," }), by: " to ")[0]
        return first.contains(" ") && list != "one of: " ? nil : first
    }

    /// The sentences of a help; an explanation may follow what is to be written.
    private static func sentences(_ help: String) -> [String] {
        ["? ", "; ", ". "].reduce([help]) { texts, end in
            texts.flatMap { parts($0, by: end) }
        }
    }

    /// A text divided at a word that is not within backticks.
    private static func parts(_ text: String, by word: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        var rest = text[...]
        while let first = rest.first {
            if first == "`" { isQuoted.toggle() }
            if !isQuoted, rest.hasPrefix(word) {
                parts.append("")
                rest = rest.dropFirst(word.count)
            } else {
                parts[parts.count - 1].append(first)
                rest = rest.dropFirst()
            }
        }
        return parts
    }

    private static func changes(_ way: String) -> [Remedy] {
        // The quoted words are at the odd places.
        let pieces = piecesBetweenBackticks(way)
        guard pieces.count >= 3 else {
            return ["remove it", "remove one of the two"].contains(way) ? [.removeHere] : []
        }
        let verb = pieces[0].split(separator: " ").joined(separator: " ")
        var quoted = stride(from: 1, to: pieces.count, by: 2).map { pieces[$0] }
        // What is told by an example is written as the example.
        let example = quoted.indices.first { place in
            ["such as ", ": "].contains { pieces[2 * place].hasSuffix($0) }
        }
        if let example { quoted = [quoted[example]] }
        if quoted[0].contains("…") || quoted[0].contains("[program") { return [] }
        quoted = quoted.map(filled)
        if verb == "did you mean" { return [.replace(quoted[0])] }
        if verb == "remove" { return [.remove(quoted[0])] }
        if verb == "add" {
            let inside = pieces.count == 5 && pieces[2] == " to " ? pieces[3] : nil
            return [setting(quoted[0], inside)].compactMap(\.self)
        }
        guard verb.hasPrefix("write") else { return [] }
        if pieces.count == 5, pieces[2] == " and remove " {
            return setting(quoted[0], nil).map { [$0, .remove(quoted[1])] } ?? []
        }
        if pieces.count == 5, pieces[2] == " and " { return quoted.compactMap { setting($0, nil) } }
        return [setting(quoted[0], nil) ?? .replace(quoted[0])]
    }

    private static func piecesBetweenBackticks(_ text: String) -> [String] {
        text.reduce(into: [""]) { pieces, letter in
            if letter == "`" {
                pieces.append("")
            } else {
                pieces[pieces.count - 1].append(letter)
            }
        }
    }

    private static func filled(_ text: String) -> String {
        var text = text
        var number = 0
        while let found = text.firstRange(of: "LINE") {
            number += 1
            text.replaceSubrange(found, with: "SAMPLE-\(number)")
        }
        for (name, sample) in samples { text = text.replacing(name, with: sample) }
        return text
    }

    private static func setting(_ text: String, _ inside: String?) -> Remedy? {
        guard let colon = text.firstIndex(of: ":"),
            text[..<colon].allSatisfy({ $0.isLowercase || $0 == "-" || $0.isNumber }),
            colon != text.startIndex
        else { return nil }
        let key = String(text[..<colon])
        let value = text[colon...].dropFirst().drop { $0 == " " }
        guard !value.isEmpty else { return values[key].map { .set(key, $0, inside: inside) } }
        return .set(key, String(value), inside: inside)
    }
}
