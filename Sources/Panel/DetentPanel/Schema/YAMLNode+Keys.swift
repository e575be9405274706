import DetentTypes

extension YAMLNode {
    /// Reports each of these keys that the map has, with a text and a help for it.
    func refuse(
        _ keys: [String], _ log: ProblemLog, _ rule: Rule = .conflictingKeys,
        _ message: (String) -> (text: String, help: String)
    ) {
        for name in keys {
            guard let key = key(name) else { continue }
            let (text, help) = message(name)
            log.error(rule, at: key.place, text, help: help)
        }
    }

    /// Whether an unknown key of this map is probably a misspelt one of the missing keys. Then the
    /// problem of the unknown key suggests it already.
    func misspells(
        _ missing: [String], among known: [String], in section: Section, of schema: Schema
    ) -> Bool {
        (entries ?? []).contains { entry in
            schema.key(entry.name, in: section) == nil
                && OtherNames.meant(by: entry.name, among: known).map(missing.contains) == true
        }
    }

    /// Whether a value of `action:` is a map of actions by value.
    func isActionPerValue(_ schema: Schema) -> Bool {
        guard let entries, !entries.isEmpty else { return false }
        return entries.allSatisfy {
            $0.value.entries != nil && schema.key($0.name, in: .action) == nil
        }
    }

    /// Whether a text of this node or below has these words.
    func mentions(_ words: String) -> Bool {
        if let text { return text.contains(words) }
        return (items ?? entries?.map(\.value) ?? []).contains { $0.mentions(words) }
    }
}
