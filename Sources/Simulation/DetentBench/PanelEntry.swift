public import DetentPanel

/// Writes an identified part as a control of a panel file.
public enum PanelEntry {
    /// The word and the keys of a guess, the kind first; nil for an unclear one.
    private static func parts(
        _ guess: PartGuess, _ name: (Int) -> String
    ) -> (word: String, keys: [String])? {
        func list(_ lines: [Int]) -> String { "[" + lines.map(name).joined(separator: ", ") + "]" }
        func options(_ count: Int) -> String {
            "options: [" + (1...max(1, count)).map { "Position \($0)" }.joined(separator: ", ")
                + "]"
        }
        switch guess {
        case .button(let line): return ("button", ["kind: button", "input: \(name(line))"])
        case .lever(let line): return ("switch", ["kind: switch", "input: \(name(line))"])
        case .changeover(let on, let off):
            return ("switch", ["kind: switch", "lever: {on: \(name(on)), off: \(name(off))}"])
        case .threeWay(let down, let up):
            return ("lever", ["kind: three-way", "lever: {down: \(name(down)), up: \(name(up))}"])
        case .encoder(let a, let b, let transitions, let rest):
            var more = transitions == 4 ? "" : ", transitions: \(transitions)"
            if transitions == 4, rest != 0 {
                more += ", rest: \"\(rest >> 1)\(rest & 1)\""
            }
            // An axis of an input device makes both contacts.
            let encoder =
                name(a) == name(b) ? name(a) : "{a: \(name(a)), b: \(name(b))\(more)}"
            return (
                "knob",
                [
                    "kind: dial", "encoder: \(encoder)",
                    "range: {min: 0, max: 100}",
                ]
            )
        case .selector(let lines, let hasNone):
            let keys =
                hasNone
                ? "selector: {lines: \(list(lines)), none: Position 1}"
                : "selector: \(list(lines))"
            return (
                "selector", ["kind: radio-group", keys, options(lines.count + (hasNone ? 1 : 0))]
            )
        case .coded(let lines, let isGray):
            return (
                "selector",
                [
                    "kind: radio-group",
                    "selector: {lines: \(list(lines)), code: \(isGray ? "gray" : "binary")}",
                    options(1 << min(lines.count, 4)),
                ]
            )
        case .buttons(let lines):
            return (
                "buttons",
                [
                    "kind: segmented", "buttons: \(list(lines))", "selection: momentary",
                    options(lines.count),
                ]
            )
        case .potentiometer(let line, let first, let last):
            return (
                "knob",
                [
                    "kind: dial", "analog: \(name(line).dropLast()), ends: [\(first), \(last)]}",
                    "range: {min: 0, max: 100}",
                ]
            )
        case .unclear: return nil
        }
    }

    /// The entry, indented for `controls:`; nil for an unclear part.
    ///
    /// - Parameters:
    ///   - lines: how the file names each line: `GPIO17`, `pin 11` or `{chip: LABEL, offset: 3}`.
    ///   - taken: ids that the file has.
    public static func text(
        _ result: PartClassifier.Result, lines: [String], taken: Set<String>
    ) -> (id: String, text: String)? {
        func name(_ line: Int) -> String {
            let name = lines[line]
            // A device that is no chip says itself when a contact is closed.
            guard !result.isActiveLow, !name.hasPrefix("{device:") else { return name }
            let more = ", active: high, bias: pull-down}"
            if name.hasPrefix("{") { return name.dropLast() + more }
            if name.hasPrefix("pin ") { return "{pin: \(name.dropFirst(4))\(more)" }
            return "{line: \(name)\(more)"
        }
        guard let (word, keys) = parts(result.guess, name) else { return nil }
        var number = 1
        while taken.contains("\(word)-\(number)") { number += 1 }
        let id = "\(word)-\(number)"
        // The label of a button is a verb.
        let label = word == "button" ? "Press" : word.prefix(1).uppercased() + word.dropFirst()
        let text = (keys.prefix(1) + ["label: \(label) \(number)"] + keys.dropFirst())
            .map { "    \($0)\n" }.joined()
        return (id, "  \(id):\n" + text)
    }

    /// A new panel file with entries.
    public static func file(board: String?, entries: [String], group: String? = nil) -> String {
        let head = "panel: My Panel\nboard: \(board ?? "none")\n\n"
        guard let group else { return head + "controls:\n" + entries.joined(separator: "\n") }
        let name = group.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        return head + "groups:\n  - name: \"\(name)\"\n    controls:\n"
            + entries.map { indented($0, by: 4) }.joined(separator: "\n")
    }

    /// A panel file with more entries at the end of its controls; nil if the file has no section
    /// `controls:` of indented lines. A file that has only groups gets that section.
    ///
    /// - Parameter group: adds to the controls of this group instead.
    public static func adding(
        _ entries: [String], to file: String, group: String? = nil
    ) -> String? {
        if let group { return adding(entries, to: file, in: group) }
        let source = SourceText(file: "", text: file)
        let root = YAMLReader.read(source, log: ProblemLog(source))
        if root?["controls"] == nil, root?["groups"] != nil {
            return file + (file.hasSuffix("\n") ? "" : "\n") + "\ncontrols:\n"
                + entries.joined(separator: "\n")
        }
        var lines = file.split(separator: "\n", omittingEmptySubsequences: false)[...]
        if lines.last == "" { lines.removeLast() }
        let isOpen = lines.firstIndex { line in
            line.hasPrefix("controls:")
                && line.dropFirst(9).prefix { $0 != "#" }
                    .allSatisfy(\.isWhitespace)
        }
        guard let start = isOpen else { return nil }
        var end =
            lines[(start + 1)...].firstIndex { line in
                line.first.map { $0 != " " && $0 != "#" } ?? false
            } ?? lines.endIndex
        while end > start + 1, lines[end - 1].allSatisfy(\.isWhitespace) { end -= 1 }
        let before = lines[..<end].joined(separator: "\n")
        let after = lines[end...].joined(separator: "\n")
        return before + "\n\n" + entries.joined(separator: "\n")
            + (after.isEmpty ? "" : "\n" + after.drop { $0 == "\n" } + "\n")
    }

    private static func adding(
        _ entries: [String], to file: String, in group: String
    ) -> String? {
        let source = SourceText(file: "", text: file)
        let groups = YAMLReader.read(source, log: ProblemLog(source))?["groups"]?.items ?? []
        guard let found = groups.last(where: { $0["name"]?.text == group }),
            let key = found.key("controls")?.place,
            let last = found["controls"]?.entries?.last?.key.place, last.line > key.line
        else { return nil }
        var lines = file.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // The next line that begins further left is behind the last control.
        var end = last.line
        while end < lines.count,
            lines[end].allSatisfy(\.isWhitespace)
                || lines[end].prefix(while: { $0 == " " }).count >= last.column
        { end += 1 }
        while lines[end - 1].allSatisfy(\.isWhitespace) { end -= 1 }
        let text = entries.map { indented($0, by: last.column - 3) }.joined(separator: "\n")
        lines.insert(text.hasSuffix("\n") ? String(text.dropLast()) : text, at: end)
        return lines.joined(separator: "\n") + (end == lines.count - 1 ? "\n" : "")
    }

    /// An entry, whose first line is indented by two, further to the right.
    private static func indented(_ entry: String, by count: Int) -> String {
        entry.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : String(repeating: " ", count: max(0, count)) + $0 }
            .joined(separator: "\n")
    }

    /// The ids of a file's controls; empty if it has errors.
    public static func ids(of file: SourceText) -> Set<String> {
        Set((PanelReader.read(file).plan?.controls ?? []).map(\.id))
    }
}
