import DetentCore
import DetentTypes

/// The values of other controls in the texts of actions.
extension ControlDraft {
    /// Finds what actions with the same texts need of other controls, when all controls are known.
    func needValues(of texts: ActionTexts, for actions: [ActionID]) {
        later { relations in
            var found: [(name: String, value: OtherValue)] = []
            for text in texts.all(schema) {
                if text.node.text?.contains("{group}") == true, self["group"] == nil {
                    log.error(
                        .missingKey, at: text.node.place,
                        "`{group}` has no meaning here: the control is in no group",
                        help: "add `group:` to the control, or move it into `groups`")
                }
                for name in TextTemplate.names(in: text.node.text ?? "") {
                    guard !found.contains(where: { $0.name == name }),
                        let value = otherValue(name, at: text.node.place, relations)
                    else { continue }
                    found.append((name, value))
                }
            }
            guard !found.isEmpty else { return }
            guard found.count <= ActionValues.limit else {
                return log.error(
                    .outOfRange, at: texts.place,
                    "this action needs \(found.count) values of other controls",
                    help: "allowed: up to \(ActionValues.limit)")
            }
            relations.need(found.map(\.value), for: actions, by: Int(control.index))
            for text in texts.all(schema) { tryWords(of: found, in: text, relations) }
        }
    }

    /// The value that a name in braces means; nil where it means none, with a problem in the log.
    private func otherValue(
        _ name: String, at place: SourcePlace, _ relations: PanelRelations
    ) -> OtherValue? {
        if let value = relations.otherValue(named: name) {
            let other = relations.controls[Int(value.control.index)]
            switch other.valueNames {
            case .none, .commands:
                return log.refuse(
                    .wrongMember, at: place,
                    "`\(quoted(other.id))` keeps no state, so it has no value",
                    help: "name another control")
            case .onOff, .threeWay, .options, .several, .number:
                log.mention(other.id, at: place)
                return value
            }
        }
        if let dot = name.firstIndex(of: "."),
            let value = relations.otherValue(named: String(name[..<dot]))
        {
            let id = relations.controls[Int(value.control.index)].id
            return log.refuse(
                .unknownControl, at: place, "`{\(quoted(name))}` is not a value of `\(id)`",
                help: "write `{\(id)}`, or `{\(id).shown}` for the value that is shown")
        }
        if let near = relations.nearControl(to: name) {
            return log.refuse(
                .unknownControl, at: place, "there is no control `\(quoted(name))`",
                help: "did you mean `{\(near)}`? Its value is put in")
        }
        let isTurned = self["turn"] != nil
        let known = OtherNames.meant(
            by: name, among: TextTemplate.fixedNames.filter { $0 != "steps" || isTurned })
        log.warning(
            .unknownPlaceholder, at: place,
            "`{\(quoted(name))}` is not a placeholder, and no control has this name",
            help: (known.map { "did you mean `{\($0)}`? Otherwise it" } ?? "it")
                + " is passed unchanged")
        return nil
    }

    /// Tries each word of other controls where an address or JSON would suffer from it.
    private func tryWords(
        of found: [(name: String, value: OtherValue)], in text: ActionTexts.Text,
        _ relations: PanelRelations
    ) {
        let names = found.map(\.name)
        let used = TextTemplate.names(in: text.node.text ?? "")
        let template = TextTemplate(
            text.node.text ?? "", in: text.shape.language, others: names)
        func filled(_ word: String?, at place: Int) -> String {
            var words = names.map { _ in "0" }
            if let word { words[place] = word }
            return template.filled(with: ownWords("0", others: words))
        }
        for (place, it) in found.enumerated() where used.contains(it.name) {
            guard text.shape.isAddress || isJSON(filled(nil, at: place)) else { continue }
            let other = relations.controls[Int(it.value.control.index)].valueNames
            check(other.words.map { ($0, filled($0, at: place)) }, in: text)
        }
    }
}

extension ActionTexts {
    /// A text with placeholders, and what it is.
    struct Text {
        /// Its key.
        let name: String
        let node: YAMLNode
        let shape: Shape
    }

    /// The texts in which placeholders are replaced, in the order of the keys.
    func all(_ schema: Schema) -> [Text] {
        guard case .section(let section) = kind.shape else {
            return Self.texts(of: node, kind.word, kind.shape)
        }
        return schema.keys(in: section).flatMap { key -> [Text] in
            // What confirms an action is read from the device, and not said to it.
            guard let field = node[key.name], key.name != "confirm" else { return [] }
            return Self.texts(of: field, key.name, key.shape)
        }
    }

    private static func texts(of node: YAMLNode, _ name: String, _ shape: Shape) -> [Text] {
        if node.text != nil { return [Text(name: name, node: node, shape: shape)] }
        return (node.items ?? node.entries?.map(\.value) ?? []).compactMap {
            $0.text == nil ? nil : Text(name: name, node: $0, shape: .text)
        }
    }
}
