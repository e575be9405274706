import DetentTypes

/// What to write in place of a key or a value that is not known.
extension SchemaCheck {
    /// Where a key belongs that is known a level deeper; otherwise the nearest word.
    func suggestion(
        for entry: YAMLEntry, in section: Section, _ known: [String], of node: YAMLNode,
        _ holder: String
    ) -> String {
        let name = entry.name
        if section == .panel, entry.value["kind"] != nil {
            return "indent `\(quoted(name))` below `controls`; "
        }
        if let help = helpForDefault(entry, in: section) { return help }
        if let help = helpForContactKey(entry, in: section, of: node) { return help }
        let holders = holders(of: name, in: section, known)
        // Displays and queries have programs too; who writes `run` means the action.
        if holders.contains("action") { return "`\(quoted(name))` belongs in `action`; " }
        // Such as `led`: a key of `indicator`, and another word for it.
        let isHolder = OtherNames.meant(by: name, among: holders) != nil
        guard (1...2).contains(holders.count), !isHolder else {
            if let help = helpForContact(entry, in: section, of: node, holder) { return help }
            guard let word = OtherNames.meant(by: name, among: known) else { return "" }
            guard node[word] == nil else { return "remove it, as `\(word)` is there already; " }
            let isThreeWay = node["kind"]?.text == "three-way"
            if let map = Self.map(word, of: entry.value, isThreeWay: isThreeWay) {
                return "write `\(map)`; "
            }
            return "did you mean `\(word)`? "
        }
        let places = holders.map { "`\($0)`" }.joined(separator: " or ")
        if holders.count == 1, node[holders[0]] == nil,
            let map = example(of: holders[0], with: entry, in: section)
        {
            return "write `\(map)` and remove `\(quoted(name))`; "
        }
        return "`\(quoted(name))` belongs in \(places); "
    }

    /// The keys of a section whose values have a key.
    private func holders(of name: String, in section: Section, _ known: [String]) -> [String] {
        known.filter { holder in
            guard let shape = schema.key(holder, in: section)?.shape else { return false }
            return shape.sections.contains { schema.key(name, in: $0) != nil }
        }
    }

    /// Values for the keys that a map needs, in examples.
    private static let examples = ["min": "0", "max": "100"]

    /// A key whose value is a map with what it needs and one more key: `range: {min: 0, max: 100,
    /// wrap: true}`; nil if it needs nothing, or what has no example.
    private func example(of key: String, with entry: YAMLEntry?, in section: Section) -> String? {
        let needed = (schema.key(key, in: section)?.shape.sections ?? []).flatMap {
            schema.keys(in: $0).filter(\.isAlwaysRequired).map(\.name)
        }
        guard !needed.isEmpty, needed.allSatisfy({ Self.examples[$0] != nil }) else { return nil }
        var pairs = needed.map { "\($0): \(Self.examples[$0] ?? "")" }
        if let entry {
            let own = "\(entry.name): \(written(entry.value))"
            if let place = needed.firstIndex(of: entry.name) {
                pairs[place] = own
            } else {
                pairs.append(own)
            }
        }
        return "\(key): {\(pairs.joined(separator: ", "))}"
    }

    private func written(_ node: YAMLNode) -> String { node.text.map { asYAML($0[...]) } ?? "…" }

    /// Where a key of a control is written that all controls of a kind have.
    private func helpForDefault(_ entry: YAMLEntry, in section: Section) -> String? {
        guard section == .defaults else { return nil }
        let all = schema.keys(in: .control).map(\.name)
        var key = entry.name
        var text = "\(key): \(written(entry.value))"
        if !all.contains(key) {
            let holders = holders(of: key, in: .control, all)
            guard holders.count == 1, let map = example(of: holders[0], with: entry, in: .control)
            else { return nil }
            (key, text) = (holders[0], map)
        }
        let kinds = schema.kinds.filter { schema.keys(of: $0).contains(key) }.map(\.word)
        guard let kind = kinds.first, key != "kind" else { return nil }
        return kinds.count == 1
            ? "write `\(kind): {\(text)}` and remove `\(quoted(entry.name))`; "
            : "write it for each kind that it is meant for, such as `\(kind): {\(text)}`; "
    }

    /// What to write for `bias` and `poll`, which only contacts have: each at its line.
    private func helpForContactKey(
        _ entry: YAMLEntry, in section: Section, of node: YAMLNode
    ) -> String? {
        guard ["bias", "poll"].contains(entry.name) else { return nil }
        let own = "\(entry.name): \(written(entry.value))"
        let generic = "it is a key of each contact: `input: {line: LINE, \(own)}`; "
        if section == .chip || section == .defaults { return generic }
        guard section == .control else { return nil }
        guard let input = node["input"] else { return generic }
        let keys =
            input.entries?.map { "\($0.name): \(written($0.value))" } ?? [Self.lineKey(input)]
        guard input[entry.name] == nil else { return "remove it; " }
        return "write `input: {\((keys + [own]).joined(separator: ", "))}` and remove "
            + "`\(entry.name)`; "
    }

    /// A line as a key of its map: `line: GPIO5`, and `pin: 11` for `pin 11`.
    private static func lineKey(_ node: YAMLNode) -> String {
        let text = node.text ?? "LINE"
        return text.hasPrefix("pin ")
            ? "pin: \(text.dropFirst(4))" : "line: \(asYAML(text[...]))"
    }

    /// What to write for `pull: up` and `invert: true`, which are `bias` and `active` of a line.
    private func helpForContact(
        _ entry: YAMLEntry, in section: Section, of node: YAMLNode, _ holder: String
    ) -> String? {
        guard let key = OtherNames.key(for: entry.name, among: ["bias", "active"]) else {
            return nil
        }
        let isContact = !["indicator", "output", "red", "green", "blue"].contains(holder)
        let value = OtherNames.value(
            entry.value.text, of: entry.name, as: key, isContact: isContact)
        if section == .line || section == .indicator, node[key] == nil {
            guard schema.key(key, in: section) != nil else { return "remove it; " }
            let isOff = key == "active" && entry.value.text == "false"
            return value.map { "write `\(key): \($0)`; " } ?? (isOff ? "remove it; " : nil)
        }
        guard section == .control, let value else { return nil }
        guard let line = node["input"]?.text else {
            return "it is a key of a line: `input: {line: LINE, \(key): \(value)}`; "
        }
        return "write `input: {line: \(asYAML(line[...])), \(key): \(value)}` and remove "
            + "`\(quoted(entry.name))`; "
    }

    /// A key with the map that a list in its place means, such as `encoder: {a: GPIO5, b: GPIO6}`;
    /// nil if that is not known.
    private static func map(_ key: String, of node: YAMLNode, isThreeWay: Bool? = nil) -> String? {
        let names: [String]
        switch key {
        case "encoder": names = ["a", "b", "push"]
        case "range": names = ["min", "max", "step"]
        case "lever" where isThreeWay == true: names = ["up", "down"]
        case "lever" where isThreeWay == false: names = ["on", "off"]
        case _: return nil
        }
        let texts =
            key == "range" ? bounds(node) : (node.items ?? []).compactMap(\.text)
        guard (2...names.count).contains(texts.count), texts.count == node.items?.count ?? 2 else {
            return nil
        }
        let pairs = zip(names, texts).map { "\($0): \(asYAML($1[...]))" }
        return "\(key): {\(pairs.joined(separator: ", "))}"
    }

    /// The numbers of a list, or of a text such as `0..100`, `0-100` or `100`.
    private static func bounds(_ node: YAMLNode) -> [String] {
        if let items = node.items { return items.compactMap(\.text) }
        let text = node.text ?? ""
        let numbers = text.split { !($0.isNumber || $0 == "-" || $0 == ".") }
        for separator in ["...", "..", "to", "…", "–", ",", " ", "-"] {
            let from = text.index(text.startIndex, offsetBy: text.hasPrefix("-") ? 1 : 0)
            guard let found = text[from...].firstRange(of: separator) else { continue }
            let parts = [text[..<found.lowerBound], text[found.upperBound...]].map {
                String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            if parts.allSatisfy({ DecimalNumber($0) != nil }) { return parts }
        }
        return numbers.count == 1 && DecimalNumber(text) != nil ? ["0", text] : []
    }

    /// How to write a map where there is something else.
    func form(of section: Section, _ node: YAMLNode, _ name: String) -> String {
        if node.isNull { return "indent its keys below it; " }
        if let map = Self.map(name, of: node) { return "write `\(map)`; " }
        if let map = example(of: name, with: nil, in: .control) { return "write `\(map)`; " }
        guard section != .control, let first = schema.keys(in: section).first else { return "" }
        return "write `\(quoted(name)): {\(first.name): …}`; "
    }
}
