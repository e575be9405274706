extension YAMLNode {
    /// Whether an unknown key of this map was probably meant to be one of those that are missing:
    /// the problem of that key names it already.
    func misspells(
        _ missing: [String], among known: [String], in section: Section, of schema: Schema
    ) -> Bool {
        (entries ?? []).contains { entry in
            schema.key(entry.name, in: section) == nil
                && nearestWord(to: entry.name, among: known).map(missing.contains) == true
        }
    }

    /// Whether a value of `action:` is a map of actions by value.
    func isActionPerValue(_ schema: Schema) -> Bool {
        guard let entries, !entries.isEmpty else { return false }
        return entries.allSatisfy {
            $0.value.entries != nil && schema.key($0.name, in: .action) == nil
        }
    }
}
