extension Shape {
    /// Whether a call can carry the value of a key with this shape.
    var canBeCarried: Bool {
        switch self {
        case .text, .words, .decimal, .current, .percent, .length, .boolean, .integer, .duration,
            .arguments, .list:
            true
        case .line, .section, .actions, .linesByOption, .valuesByControl, .controls, .named,
            .anyOf:
            false
        }
    }

    /// The value of a runner's key, in the form that a call carries; nil if none can carry it.
    func content(of node: YAMLNode) -> ActionCall.Content? {
        switch self {
        case .text, .words, .decimal, .current, .percent, .length: node.text.map { .text($0) }
        case .boolean: node.booleanValue.map { .boolean($0) }
        case .integer: node.integerValue.map { .integer($0) }
        case .duration: node.durationValue.map { .duration($0) }
        case .arguments, .list: node.items.map { .texts($0.map { $0.text ?? "" }) }
        case .line, .section, .actions, .linesByOption, .valuesByControl, .controls, .named,
            .anyOf:
            nil
        }
    }
}
