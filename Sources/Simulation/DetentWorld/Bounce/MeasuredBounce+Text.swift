import DetentPanel

extension MeasuredBounce {
    /// The classes as YAML, each on one line that begins with `indent`; `[]` without any.
    public func text(indent: String) -> String {
        if classes.isEmpty { return " []" }
        return classes.map { "\n" + indent + "- " + $0.text }.joined()
    }

    /// The classes as YAML on one line.
    public var line: String {
        "[" + classes.map(\.text).joined(separator: ", ") + "]"
    }
}

extension MeasuredBounce.Class {
    fileprivate var text: String {
        func list(_ words: [String]) -> String { "[" + words.joined(separator: ", ") + "]" }
        return "{share: \(share), lengths: \(list(lengths.map(DurationText.text))), "
            + "pulses: \(list(pulses.map { "\($0)" })), "
            + "widths: \(list(widths.map(DurationText.text)))}"
    }
}
