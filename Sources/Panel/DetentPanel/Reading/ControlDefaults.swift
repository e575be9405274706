/// Gives the controls of a panel file the keys that they have by default: those of their group,
/// then those of their kind, and the action of the panel.
///
/// A default has its own place also in the controls that it reaches, so that a fault in it is told
/// there.
struct ControlDefaults {
    private let schema: Schema
    private let log: ProblemLog
    /// The `defaults` of the panel.
    private let panel: YAMLNode?
    /// The places of the defaults that the kind of a control allows.
    private var allowed: Set<SourcePlace> = []
    /// The places of the keys for other actions that an action takes, or has itself.
    private var taken: Set<SourcePlace> = []

    /// The file without `defaults`, and with complete controls; the log then tells a fault of a
    /// default once.
    static func filled(_ root: YAMLNode, _ schema: Schema, _ log: ProblemLog) -> YAMLNode {
        let groups = root["groups"]?.items ?? []
        let given = [root["defaults"]] + groups.map { $0["defaults"] }
        guard given.contains(where: { $0 != nil }), let entries = root.entries else { return root }
        for node in given { node?.visit { log.share($0.place) } }
        var reader = ControlDefaults(schema: schema, log: log, panel: root["defaults"])
        let filled = entries.filter { $0.name != "defaults" }.map { entry in
            var entry = entry
            if entry.name == "controls" { reader.fill(&entry.value, nil) }
            guard entry.name == "groups", let items = entry.value.items else { return entry }
            entry.value.content = .sequence(items.map { reader.group($0) })
            return entry
        }
        reader.reportUnused(groups.compactMap { $0["defaults"] })
        return YAMLNode(.mapping(filled), at: root.place)
    }

    private mutating func group(_ node: YAMLNode) -> YAMLNode {
        guard let entries = node.entries else { return node }
        let filled = entries.filter { $0.name != "defaults" }.map { entry in
            var entry = entry
            if entry.name == "controls" { fill(&entry.value, node["defaults"]) }
            return entry
        }
        return YAMLNode(.mapping(filled), at: node.place)
    }

    private mutating func fill(_ controls: inout YAMLNode, _ group: YAMLNode?) {
        guard let entries = controls.entries else { return }
        controls.content = .mapping(
            entries.map { YAMLEntry(key: $0.key, value: control($0.value, group)) })
    }

    private mutating func control(_ node: YAMLNode, _ group: YAMLNode?) -> YAMLNode {
        guard var entries = node.entries else { return node }
        let kind = schema.kind(named: (node["kind"] ?? group?["kind"])?.text)
        let keys = kind.map(schema.keys)
        var partial: [YAMLEntry] = []
        for entry in layers(group, kind) where keys?.contains(entry.name) != false {
            allowed.insert(entry.key.place)
            if entry.name == "action", !isAction(entry.value) {
                partial += entry.value.entries ?? []
            } else if entry.name == "kind" || kind.map({ lacks(entry.name, entries, $0) }) == true {
                if !entries.contains(where: { $0.name == entry.name }) { entries.append(entry) }
            }
        }
        let whole = YAMLNode(.mapping(entries), at: node.place)
        return partial.isEmpty ? whole : completed(whole, .section(.control), partial)
    }

    /// The defaults of a control, the nearest first.
    private func layers(_ group: YAMLNode?, _ kind: Kind?) -> [YAMLEntry] {
        let ofKind = kind.flatMap { panel?[$0.word] }
        let ofPanel = panel?.entries?.filter { $0.name == "action" }
        return (group?.entries ?? []) + (ofKind?.entries ?? []) + (ofPanel ?? [])
    }

    /// Whether a control has neither the key nor another in its place.
    private func lacks(_ name: String, _ entries: [YAMLEntry], _ kind: Kind) -> Bool {
        var others = kind.requires.first { $0.contains(name) } ?? []
        if name == "action" {
            others = ["members", "turn"]
            let own = entries.first { $0.name == "options" || $0.name == "items" }?.value
            if own?.items?.contains(where: { $0["action"] != nil }) == true { return false }
            let role = entries.first { $0.name == "role" }?.value.text
            if ButtonRole(word: role)?.isOfThePage == true { return false }
        }
        let isBare = entries.contains { $0.name == "part" && $0.value.text == FacePart.noPart }
        if isBare, kind.canLackPart, Kind.ofParts.contains(name) { return false }
        return !entries.contains { others.contains($0.name) }
    }

    /// Whether an action says what it does; otherwise it only has keys for other actions.
    private func isAction(_ node: YAMLNode) -> Bool {
        if node.isActionPerValue(schema) { return true }
        return schema.actionKinds.contains { node[$0.word] != nil }
    }

    // MARK: Keys of actions

    /// A value of the file, whose actions have these keys where they lack them.
    private mutating func completed(
        _ node: YAMLNode, _ shape: Shape, _ keys: [YAMLEntry]
    ) -> YAMLNode {
        var node = node
        switch shape {
        case .section(.action): complete(&node, keys)
        case .actions where !node.isActionPerValue(schema): complete(&node, keys)
        case .actions:
            node.changeValues { _ in
                .section(.action)
            } by: {
                completed($0, $1, keys)
            }
        case .section(let section):
            node.changeValues {
                schema.key($0, in: section)?.shape
            } by: {
                completed($0, $1, keys)
            }
        case .list(let item, _):
            guard let items = node.items else { return node }
            node.content = .sequence(items.map { completed($0, item, keys) })
        case .anyOf(let shapes):
            for shape in shapes { node = completed(node, shape, keys) }
        default: break
        }
        return node
    }

    private mutating func complete(_ node: inout YAMLNode, _ keys: [YAMLEntry]) {
        guard var entries = node.entries, isAction(node) else { return }
        for key in keys {
            if key.name == "timeout", !needsTimeout(node) { continue }
            taken.insert(key.key.place)
            if !entries.contains(where: { $0.name == key.name }) { entries.append(key) }
        }
        node.content = .mapping(entries)
    }

    /// Whether an action can last forever. A timeout for programs must not end what waits for its
    /// own time.
    private func needsTimeout(_ node: YAMLNode) -> Bool {
        let steps = (node["sequence"]?.items ?? []).filter { $0["timeout"] == nil }
        let works = ([node] + steps).flatMap { step in
            schema.actionKinds.filter { step[$0.word] != nil }.map(\.work)
        }
        return works.contains(where: \.leavesCore)
            || works.contains(.output) && works.contains(.set)
    }

    // MARK: Defaults without controls

    private func reportUnused(_ groups: [YAMLNode]) {
        for entry in panel?.entries ?? [] where entry.name != "action" {
            report(entry.value.entries ?? [], "no `\(entry.name)` of the panel takes")
        }
        report(panel?.entries?.filter { $0.name == "action" } ?? [], "no control takes")
        for group in groups { report(group.entries ?? [], "no control of the group takes") }
        let ofKinds = (panel?.entries ?? []).filter { $0.name != "action" }.map(\.value)
        let layers = [panel].compactMap(\.self) + ofKinds + groups
        for entry in layers.flatMap({ $0.entries ?? [] })
        where entry.name == "action" && allowed.contains(entry.key.place) {
            if !isAction(entry.value) { reportUntaken(entry.value) }
        }
    }

    /// Keys for other actions, of which none needs them.
    private func reportUntaken(_ action: YAMLNode) {
        for entry in action.entries ?? [] where !taken.contains(entry.key.place) {
            guard schema.key(entry.name, in: .action) != nil else { continue }
            log.error(
                .keyNotForKind, at: entry.key.place, "no action takes `\(entry.name)`",
                help: "remove it, or give an action to a control that it reaches")
        }
    }

    private func report(_ entries: [YAMLEntry], _ cause: String) {
        for entry in entries where !allowed.contains(entry.key.place) {
            guard schema.key(entry.name, in: .control) != nil else { continue }
            let kinds = schema.kinds.filter { schema.keys(of: $0).contains(entry.name) }
            log.error(
                .keyNotForKind, at: entry.key.place, "\(cause) `\(entry.name)`",
                help: "remove it; valid for: \(kinds.map(\.word).joined(separator: ", "))")
        }
    }
}

extension YAMLNode {
    /// Visits the node, its keys and everything below.
    fileprivate func visit(_ look: (YAMLNode) -> Void) {
        look(self)
        for item in items ?? [] { item.visit(look) }
        for entry in entries ?? [] {
            look(entry.key)
            entry.value.visit(look)
        }
    }

    /// Changes the values of a map that have a shape.
    fileprivate mutating func changeValues(
        _ shape: (String) -> Shape?, by change: (YAMLNode, Shape) -> YAMLNode
    ) {
        guard let entries else { return }
        content = .mapping(
            entries.map { entry in
                let value = shape(entry.name).map { change(entry.value, $0) }
                return YAMLEntry(key: entry.key, value: value ?? entry.value)
            })
    }
}
