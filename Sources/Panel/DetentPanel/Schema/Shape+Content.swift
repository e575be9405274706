import DetentTypes

extension Shape {
    /// The language of a text of this shape, whose rules the words in it have to obey.
    var language: TextTemplate.Language {
        switch self {
        case .body: .json
        case .address(let form): form.language
        default: .plain
        }
    }

    /// Whether a call can carry the value of a key with this shape.
    func canBeCarried(_ schema: Schema) -> Bool {
        switch self {
        case .text, .words, .decimal, .measure, .boolean, .integer, .duration, .arguments, .list,
            .address, .body, .raw, .expectation, .texts, .valuesByWord, .wordsByValue:
            true
        case .section(let section):
            schema.keys(in: section).allSatisfy { $0.shape.canBeCarried(schema) }
        case .anyOf(let shapes): shapes.allSatisfy { $0.canBeCarried(schema) }
        case .line, .actions, .linesByOption, .valuesByControl, .controls, .defaults, .named:
            false
        }
    }

    /// The fields of a runner's key, in the form that a call carries: one, or one for each key of a
    /// map.
    func fields(of node: YAMLNode, named name: String, _ schema: Schema) -> [ActionField] {
        if case .section(let section) = self {
            return schema.keys(in: section).flatMap { key in
                node[key.name].map {
                    key.shape.fields(of: $0, named: "\(name).\(key.name)", schema)
                } ?? []
            }
        }
        return content(of: node).map { [ActionField(name, $0)] } ?? []
    }

    private func content(of node: YAMLNode) -> ActionField.Content? {
        switch self {
        case .expectation:
            node.text.map { text in
                guard let value = text.firstRange(of: "{value}") else { return .texts([text]) }
                return .texts([
                    String(text[..<value.lowerBound]), String(text[value.upperBound...]),
                ])
            }
        case .text, .words, .decimal, .measure, .address, .body, .raw:
            node.text.map { .text($0) }
        case .boolean: node.booleanValue.map { .boolean($0) }
        case .integer: node.integerValue.map { .integer($0) }
        case .duration: node.durationValue.map { .duration($0) }
        case .arguments, .list: node.items.map { .texts($0.map { $0.text ?? "" }) }
        case .texts, .valuesByWord, .wordsByValue:
            node.entries.map { .pairs($0.map { TextPair($0.name, $0.value.text ?? "") }) }
        case .anyOf(let shapes): shapes.lazy.compactMap { $0.content(of: node) }.first
        case .line, .section, .actions, .linesByOption, .valuesByControl, .controls, .defaults,
            .named:
            nil
        }
    }
}
