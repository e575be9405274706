import DetentPanel
import DetentTypes

/// A word that is offered at the cursor.
package struct CompletionItem {
    /// What it is; the number is that of LSP.
    package enum Kind: Int64 {
        case key = 10
        case word = 12
        case control = 6
        case line = 21
    }

    package var label: String
    package var kind: Kind
    /// What the file gets, in place of the word at the cursor.
    package var text: String
    /// A few words beside it.
    package var detail: String?
    /// More about it, in Markdown.
    package var documentation: String?
    /// Whether it comes before the others.
    package var isFirst = false

    package init(_ label: String, _ kind: Kind) {
        self.label = label
        self.kind = kind
        text = label
    }

    /// The item of LSP, which replaces a range of the text. It has no `filterText`, for which
    /// editors take the label: with one, Neovim takes the last letters and digits before the cursor
    /// for the beginning of the word, in place of the range.
    func json(_ range: JSONValue, place: Int) -> JSONValue {
        let digits = String(place)
        let rank = (isFirst ? "0" : "1") + String(repeating: "0", count: 4 - digits.count) + digits
        return [
            "label": .string(label), "kind": .integer(kind.rawValue),
            "detail": detail.map { .string($0) },
            "documentation": documentation.map {
                ["kind": "markdown", "value": .string($0)]
            },
            "sortText": .string(rank),
            "textEdit": ["range": range, "newText": .string(text)],
        ]
    }
}

/// How a word is written as a value of YAML.
enum YAMLText {
    /// The word, in quotation marks if it would be something else without.
    static func value(_ word: String) -> String {
        let isPlain =
            word.unicodeScalars.first.map { scalar in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "/+.$".unicodeScalars.contains(scalar)
                    || scalar == "-" && word.utf8.count > 1 && !word.hasPrefix("- ")
            } == true && !word.contains(": ") && !word.contains(" #") && !word.hasSuffix(":")
            && !word.contains { "{}[],\"\\\n".contains($0) } && word.last != " "
            && !["null", "Null", "NULL"].contains(word)
        if isPlain { return word }
        let escaped = word.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return "\"\(escaped)\""
    }
}
