import DetentTypes

/// Puts the controls of all groups into one map, in the order of the file.
enum ControlGroups {
    /// The file with every control in `controls`; those of `groups` have the name of their group as
    /// `group`. `{control}`, `{CONTROL}` and `{group}` are replaced where the value of a device is
    /// read.
    static func joined(_ root: YAMLNode, _ log: ProblemLog) -> YAMLNode {
        guard let entries = root.entries else { return root }
        var controls: [YAMLEntry] = []
        var first: [String: (place: SourcePlace, map: Int)] = [:]
        var map = 0
        func add(_ entries: [YAMLEntry]) {
            map += 1
            for entry in entries {
                let other = first[entry.name] ?? (entry.key.place, map)
                first[entry.name] = other
                var entry = entry
                entry.value.removeAbsentAction()
                let group = entry.value["group"]?.text
                for (placeholder, word) in [
                    ("{control}", entry.name), ("{CONTROL}", ActionWords.inCapitals(entry.name)),
                    ("{group}", group ?? "{group}"),
                ] where entry.value.mentions(placeholder) {
                    entry.value = entry.value.replacingInReports(placeholder, word)
                }
                // Two of one map were reported when it was read.
                if other.map == map {
                    controls.append(entry)
                } else {
                    log.error(
                        .duplicateKey, at: entry.key.place,
                        "duplicate control `\(quoted(entry.name))`; first at line "
                            + "\(other.place.line), column \(other.place.column)",
                        help: "give one of the two another id")
                }
            }
        }
        var key: YAMLNode?
        for entry in entries where ["controls", "groups"].contains(entry.name) {
            key = key ?? entry.key
            if entry.name == "controls" {
                add(entry.value.entries ?? [])
            } else {
                for group in entry.value.items ?? [] { add(members(of: group, log)) }
            }
        }
        guard var key else { return root }
        key.content = .scalar("controls", isPlain: true)
        let value = YAMLNode(.mapping(controls), at: key.place)
        return YAMLNode(
            .mapping(
                entries.filter { $0.name != "controls" } + [YAMLEntry(key: key, value: value)]),
            at: root.place)
    }

    /// The controls of one group, with its name.
    private static func members(of group: YAMLNode, _ log: ProblemLog) -> [YAMLEntry] {
        defer { log.control = nil }
        return (group["controls"]?.entries ?? []).map { entry in
            log.control = entry.name
            guard let name = group["name"], let keys = entry.value.entries else { return entry }
            entry.value.refuse(["group"], log) {
                (
                    "`\($0)` has no place here: the control is in the group "
                        + "`\(quoted(name.text ?? ""))` already", "remove `\($0)`"
                )
            }
            let key = YAMLNode(.scalar("group", isPlain: true), at: name.place)
            var entry = entry
            entry.value.content = .mapping(
                keys.filter { $0.name != "group" } + [YAMLEntry(key: key, value: name)])
            return entry
        }
    }
}

extension YAMLNode {
    /// The keys of a control below which a report of its device is described.
    private static let ofReports: Set<String> = ["feedback", "query", "confirm"]

    /// Removes `action: none`, which only says that the action of `defaults` is not wanted.
    fileprivate mutating func removeAbsentAction() {
        guard let entries, self["action"]?.text == "none" else { return }
        content = .mapping(entries.filter { $0.name != "action" })
    }

    /// A control whose reports have a word in place of a placeholder. The texts of its actions are
    /// filled in when they run.
    fileprivate func replacingInReports(
        _ placeholder: String, _ word: String, isReport: Bool = false
    ) -> YAMLNode {
        var node = self
        switch content {
        case .scalar(let text, let isPlain):
            guard isReport, text.contains(placeholder) else { return self }
            node.content = .scalar(text.replacing(placeholder, with: word), isPlain: isPlain)
        case .sequence(let items):
            node.content = .sequence(
                items.map { $0.replacingInReports(placeholder, word, isReport: isReport) })
        case .mapping(let entries):
            node.content = .mapping(
                entries.map { entry in
                    let isReport = isReport || Self.ofReports.contains(entry.name)
                    return YAMLEntry(
                        key: entry.key,
                        value: entry.value.replacingInReports(
                            placeholder, word, isReport: isReport))
                })
        }
        return node
    }
}
