extension YAMLNode {
    /// Whether an unknown key of this map was probably meant to be one of those that are missing:
    /// the problem of that key names it already.
    func misspells(_ missing: [String], among known: [String], in section: Section) -> Bool {
        (entries ?? []).contains { entry in
            Schema.key(entry.name, in: section) == nil
                && nearestWord(to: entry.name, among: known).map(missing.contains) == true
        }
    }

    /// Whether a value of `action:` is a map of actions by value.
    var isActionPerValue: Bool {
        guard let entries, !entries.isEmpty else { return false }
        return entries.allSatisfy {
            $0.value.entries != nil && Schema.key($0.name, in: .action) == nil
        }
    }
}
