import DetentTypes

/// Checks a tree against the table of keys; every problem goes to the log.
///
/// Later stages need not check the form and the bounds of an accepted value again.
struct SchemaCheck {
    let log: ProblemLog
    let schema: Schema

    func check(_ node: YAMLNode, _ shape: Shape, _ name: String) {
        switch shape {
        case .text: checkText(node, name)
        case .words(let words): _ = node.word(of: words, log, name)
        case .boolean: _ = node.boolean(log, name)
        case .integer(let range): _ = node.integer(in: range, log, name)
        case .decimal: _ = node.decimal(log, name)
        case .duration(let range): _ = node.duration(in: range, log, name)
        case .measure(let measure, let range): node.check(measure, in: range, log, name)
        case .line: checkUnion(node, [.text, .section(.line)], name)
        case .arguments: checkArguments(node, name)
        case .address(let form): checkAddress(node, form, name)
        case .body: checkBody(node, name)
        case .raw: checkRaw(node, name)
        case .expectation: checkExpectation(node, name)
        case .texts(let range): checkTexts(node, range, name)
        case .list(let item, let range): checkList(node, item, range, name)
        case .section(let section): check(node, section, name)
        case .actions: checkActions(node, name)
        case .linesByOption: checkLines(node, name)
        case .valuesByControl: checkValues(node, name)
        case .valuesByWord(let range):
            let help = "write each word of the device, a colon, and its value: `{\"ON\": on}`"
            for entry in entries(of: node, range, name, help: help) {
                check(entry.value, Shape.text, entry.name)
            }
        case .wordsByValue(let range):
            let help = "write each value, a colon, and the word of the device: `{on: \"ON\"}`"
            for entry in entries(of: node, range, name, help: help) {
                check(entry.value, Shape.text, entry.name)
            }
        case .controls: checkControls(node, name)
        case .defaults(let kind): checkDefaults(node, kind, name)
        case .named(let section, let range): checkNamed(node, section, range, name)
        case .anyOf(let shapes): checkUnion(node, shapes, name)
        }
    }

    func check(_ node: YAMLNode, _ section: Section, _ name: String) {
        guard let entries = node.entries else {
            let keys = names(section, of: node)
            log.error(
                .wrongType, at: node.place, "`\(quoted(name))` must be a map, not \(node.form)",
                help: form(of: section, node, name) + "keys: \(keys.joined(separator: ", "))",
                known: keys.map { $0 + ":" })
            return
        }
        let known = names(section, of: node)
        for entry in entries { check(entry, in: section, known, of: node, name) }
        for key in schema.keys(in: section) where key.isRequired && node[key.name] == nil {
            if section == .control, key.name == "label" { continue }
            if let other = key.substitute, node[other] != nil { continue }
            if node.misspells([key.name], among: known, in: section, of: schema) { continue }
            log.error(
                .missingKey, at: node.place,
                "\(section == .panel ? "the file" : "`\(quoted(name))`") has no `\(key.name)`",
                help: "add `\(key.name):`. \(key.summary)")
        }
    }

    private func check(
        _ entry: YAMLEntry, in section: Section, _ known: [String], of node: YAMLNode,
        _ name: String
    ) {
        guard let key = schema.key(entry.name, in: section) else {
            log.error(
                .unknownKey, at: entry.key.place, "unknown key `\(quoted(entry.name))`",
                help: suggestion(for: entry, in: section, known, of: node, name)
                    + "allowed: \(known.joined(separator: ", "))",
                known: known)
            return
        }
        check(entry.value, key.shape, key.name)
    }

    /// The keys of a section; for a control, those of its kind.
    private func names(_ section: Section, of node: YAMLNode) -> [String] {
        if section == .control, let kind = schema.kind(named: node["kind"]?.text) {
            return schema.keys(of: kind)
        }
        return schema.keys(in: section).map(\.name)
    }

    private func checkText(_ node: YAMLNode, _ name: String) {
        guard let text = node.text(log, name) else { return }
        if text.allSatisfy(\.isWhitespace) {
            log.error(
                .emptyText, at: node.place, "`\(quoted(name))` is empty",
                help: "write a text, or remove the key")
        } else if !text.unicodeScalars.allSatisfy(isPrintable) {
            log.error(
                .invalidArgument, at: node.place,
                "`\(quoted(name))` contains control characters",
                help: "use one line without control characters")
        }
    }

    private func checkList(
        _ node: YAMLNode, _ item: Shape, _ range: ClosedRange<Int>, _ name: String
    ) {
        guard let items = node.items else {
            log.error(
                .wrongType, at: node.place, "`\(quoted(name))` must be a list, not \(node.form)",
                help: "write it in brackets: `[a, b]`")
            return
        }
        if !range.contains(items.count) {
            log.error(
                .outOfRange, at: node.place, "`\(quoted(name))` has \(items.count) items",
                help: "allowed: \(range.lowerBound) to \(range.upperBound)")
        }
        for each in items { check(each, item, name) }
    }

    /// Chooses by form. A text must fit one of the shapes of text; otherwise the problem of the
    /// first is reported.
    private func checkUnion(_ node: YAMLNode, _ shapes: [Shape], _ name: String) {
        let shapes = shapes.flatMap { $0.isLine ? [.text, .section(.line)] : [$0] }
        switch node.content {
        case .sequence:
            if let list = shapes.first(where: \.isList) { return check(node, list, name) }
        case .mapping:
            if let map = shapes.last(where: \.isMap) { return check(node, map, name) }
        case .scalar:
            let texts = shapes.filter { !$0.isList && !$0.isMap }
            if texts.contains(where: { $0.accepts(node, schema) }) { return }
            if let first = texts.first { return check(node, first, name) }
        }
        log.error(
            .wrongType, at: node.place, "`\(quoted(name))` cannot be \(node.form)",
            help: "write \(shapes.map(\.formSummary).joined(separator: " or "))")
    }

    private func checkArguments(_ node: YAMLNode, _ name: String) {
        guard let items = node.items else {
            let words = (node.text ?? "program argument").split(separator: " ")
                .map { asYAML($0) }.joined(separator: ", ")
            log.error(
                .wrongType, at: node.place,
                "`\(name)` must be a list of arguments, not \(node.form)",
                help: "no shell is used; write `[\(quoted(words))]`")
            return
        }
        if items.isEmpty || items.count > Limits.arguments {
            log.error(
                .outOfRange, at: node.place, "`\(name)` has \(items.count) arguments",
                help: "allowed: 1 to \(Limits.arguments), the program first")
        }
        for (index, item) in items.enumerated() {
            guard let text = item.text(log, name, limit: Limits.argumentCharacters) else {
                continue
            }
            if text.unicodeScalars.contains("\0") || (index == 0 && text.isEmpty) {
                log.error(
                    .invalidArgument, at: item.place,
                    "an argument of `\(name)` is not valid",
                    help: "the program name must not be empty, and arguments must not contain NUL")
            }
        }
        checkShellWords(items, name)
    }

    /// Warns of arguments that only a shell would understand.
    private func checkShellWords(_ items: [YAMLNode], _ name: String) {
        let shells = ["sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "ssh"]
        let program = items.first?.text ?? ""
        // A shell that was named reads its own arguments.
        if shells.contains(String(program.split(separator: "/").last ?? "")) { return }
        let signs = [">", ">>", "<", "|", "||", "&", "&&", "2>", "2>&1", "&>"]
        let help =
            "no shell is used; for one, write `[sh, -c, \"…\"]`, or put the commands into a script"
        for (index, item) in items.enumerated() {
            guard let text = item.text else { continue }
            if signs.contains(text) {
                log.warning(
                    .shellWords, at: item.place, "`\(text)` is passed to the program as it is",
                    help: help)
            } else if text.hasPrefix("~/") || text == "~" {
                log.warning(
                    .shellWords, at: item.place,
                    "`\(quoted(text))` is a folder named `~`, not your own",
                    help: "write the whole path, such as `/usr/local/bin/…`")
            } else if index == 0, items.count == 1, text.contains(" "), !text.hasPrefix("/") {
                let words = text.split(separator: " ").map { asYAML($0) }.joined(separator: ", ")
                log.warning(
                    .shellWords, at: item.place,
                    "`\(quoted(text))` is the name of one program, with blanks",
                    help: "write `[\(quoted(words))]`")
            }
        }
    }

    /// A map of maps is a map of actions by value, unless its keys are those of an action.
    private func checkActions(_ node: YAMLNode, _ name: String) {
        guard let entries = node.entries, !entries.isEmpty, node.isActionPerValue(schema) else {
            return check(node, .action, name)
        }
        for entry in entries { check(entry.value, .action, entry.name) }
    }

    private func checkLines(_ node: YAMLNode, _ name: String) {
        guard let entries = node.entries else {
            return checkList(node, .line, 1...Limits.options, name)
        }
        for entry in entries { check(entry.value, Shape.line, entry.name) }
    }

    private func checkValues(_ node: YAMLNode, _ name: String) {
        guard let entries = node.entries else {
            log.error(
                .wrongType, at: node.place, "`\(name)` must be a map, not \(node.form)",
                help: "write each control's id and its value: `{pump: on}`")
            return
        }
        if entries.isEmpty || entries.count > Limits.steps {
            log.error(
                .outOfRange, at: node.place, "`\(name)` has \(entries.count) controls",
                help: "allowed: 1 to \(Limits.steps)")
        }
        for entry in entries {
            check(entry.value, .anyOf([.text, .section(.change)]), entry.name)
        }
    }

    private func checkControls(_ node: YAMLNode, _ name: String) {
        guard let entries = node.entries else {
            log.error(
                .wrongType, at: node.place, "`\(name)` must be a map, not \(node.form)",
                help: "write each control's id, a colon, and its keys indented below")
            return
        }
        guard !entries.isEmpty else {
            log.error(
                .noControls, at: node.place, "the panel has no controls",
                help: "write each control's id, a colon, and its keys indented below")
            return
        }
        for (index, entry) in entries.enumerated() {
            if index == Limits.controls {
                log.error(
                    .tooManyControls, at: entry.key.place,
                    "the panel has \(entries.count) controls, and the limit is \(Limits.controls)",
                    help: "split the panel")
                return
            }
            if isKeyOfControl(entry) {
                log.error(
                    .wrongType, at: entry.key.place,
                    "`\(entry.name)` is not the id of a control",
                    help: "indent it by two more spaces, below the id of its control")
            } else {
                checkID(entry.key)
            }
        }
    }

    /// Whether a control is the key of another one, at the wrong depth.
    private func isKeyOfControl(_ entry: YAMLEntry) -> Bool {
        entry.value.entries == nil && schema.key(entry.name, in: .control) != nil
    }

    /// Checks a control with its defaults; its id was checked with the file.
    func checkControl(_ entry: YAMLEntry) {
        if !isKeyOfControl(entry) { check(entry.value, .control, entry.name) }
    }

    /// Checks keys that controls of one kind, or the members of a group, have by default.
    private func checkDefaults(_ node: YAMLNode, _ word: String?, _ name: String) {
        let kind = schema.kind(named: word)
        let known = kind.map(schema.keys) ?? schema.keys(in: .control).map(\.name)
        guard let entries = node.entries else {
            log.error(
                .wrongType, at: node.place, "`\(quoted(name))` must be a map, not \(node.form)",
                help: "write keys of a control, such as `{debounce: 20ms}`")
            return
        }
        for entry in entries {
            if let kind, !known.contains(entry.name), schema.key(entry.name, in: .control) != nil {
                log.error(
                    .keyNotForKind, at: entry.key.place,
                    "`\(entry.name)` is not a valid key for `\(kind.word)`",
                    help: "remove it, or write it for another kind")
            } else {
                check(entry, in: .control, known, of: node, name)
            }
        }
    }

    private func checkNamed(
        _ node: YAMLNode, _ section: Section, _ range: ClosedRange<Int>, _ name: String
    ) {
        let help = "write a name, a colon, and the keys indented below"
        for entry in entries(of: node, range, name, help: help) {
            checkID(entry.key)
            check(entry.value, section, entry.name)
        }
    }

    /// The entries of a map, with a problem if there are too few or too many; none if it is no map.
    func entries(
        of node: YAMLNode, _ range: ClosedRange<Int>, _ name: String, help: String
    ) -> [YAMLEntry] {
        guard let entries = node.entries else {
            log.error(
                .wrongType, at: node.place, "`\(quoted(name))` must be a map, not \(node.form)",
                help: help)
            return []
        }
        if !range.contains(entries.count) {
            log.error(
                .outOfRange, at: node.place, "`\(quoted(name))` has \(entries.count) entries",
                help: "allowed: \(range.lowerBound) to \(range.upperBound)")
        }
        return entries
    }

    private func checkID(_ key: YAMLNode) {
        guard case .scalar(let name, _) = key.content else { return }
        let isValid = name.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
        }
        guard isValid, !name.isEmpty, name.utf8.count <= Limits.idCharacters else {
            log.error(
                .invalidID, at: key.place, "`\(quoted(name))` is not an id",
                help: "an id has 1 to \(Limits.idCharacters) lower-case letters, digits and '-'")
            return
        }
    }
}

/// A word as an item of a list in brackets.
func asYAML(_ word: Substring) -> String {
    let isPlain = word.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "/"),
            UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "="):
            true
        default: $0 == UInt8(ascii: "-") && word.utf8.count > 1
        }
    }
    // Without quotes, `null` is no text to YAML.
    if isPlain, word.lowercased() != "null" { return String(word) }
    let escaped = word.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
    return "\"\(escaped)\""
}

extension Shape {
    /// The sections that a value can be a map of.
    var sections: [Section] {
        switch self {
        case .section(let section): [section]
        case .line: [.line]
        case .actions: [.action]
        case .anyOf(let shapes): shapes.flatMap(\.sections)
        case .text, .words, .boolean, .integer, .decimal, .duration, .measure, .arguments,
            .address, .body, .raw, .expectation, .texts, .list, .linesByOption, .valuesByControl,
            .valuesByWord,
            .wordsByValue, .controls, .defaults, .named:
            []
        }
    }

    fileprivate var isLine: Bool {
        guard case .line = self else { return false }
        return true
    }

    fileprivate var isList: Bool {
        switch self {
        case .list, .arguments: true
        case .text, .address, .body, .raw, .expectation, .texts, .words, .boolean, .integer,
            .decimal, .duration,
            .measure, .line, .section, .actions, .linesByOption, .valuesByControl, .valuesByWord,
            .wordsByValue, .controls, .defaults, .named, .anyOf:
            false
        }
    }

    fileprivate var isMap: Bool {
        switch self {
        case .section, .actions, .linesByOption, .valuesByControl, .valuesByWord, .wordsByValue,
            .controls, .defaults, .named, .texts:
            true
        case .text, .address, .body, .raw, .expectation, .words, .boolean, .integer, .decimal,
            .duration, .measure,
            .line, .list, .arguments, .anyOf:
            false
        }
    }

    fileprivate func accepts(_ node: YAMLNode, _ schema: Schema) -> Bool {
        let trial = ProblemLog(SourceText(file: "", bytes: []))
        SchemaCheck(log: trial, schema: schema).check(node, self, "")
        return !trial.hasErrors
    }

    fileprivate var formSummary: String {
        if isList { return "a list" }
        if isMap { return "a map" }
        return summary
    }
}
