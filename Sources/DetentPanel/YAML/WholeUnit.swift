/// A unit of whole numbers: `5mA`, `40%`.
struct WholeUnit {
    /// The unit as it is written after the number.
    let suffix: String
    /// What a bare number lacks, for a message.
    let name: String
    /// What a text must be, for a message.
    let summary: String
    /// A valid text, for a message.
    let example: String

    /// Currents in milliamperes.
    static let milliamperes = WholeUnit(
        suffix: "mA", name: "unit", summary: "a current in whole milliamperes", example: "5mA")
    /// Percentages.
    static let percent = WholeUnit(
        suffix: "%", name: "`%`", summary: "a whole percentage", example: "40%")

    /// The number; nil if the text is not a whole number with this unit.
    func number(_ text: String) -> Int? {
        guard text.hasSuffix(suffix) else { return nil }
        return YAMLNode.integer(String(text.dropLast(suffix.count)))
    }
}

extension YAMLNode {
    /// The number with its unit; nil with a problem in the log.
    func whole(
        _ unit: WholeUnit, in range: ClosedRange<Int>, _ log: ProblemLog, _ name: String
    ) -> Int? {
        guard let text = text(log, name) else { return nil }
        guard let number = unit.number(text) else {
            let isBare = YAMLNode.integer(text) != nil
            return log.refuse(
                .invalidNumber, at: place,
                "`\(quoted(name))`: `\(quoted(text))` "
                    + (isBare ? "has no \(unit.name)" : "is not \(unit.summary)"),
                help: isBare
                    ? "write `\(quoted(text))\(unit.suffix)`"
                    : "write for example `\(unit.example)`")
        }
        return inRange(number, range, log, name, found: quoted(text)) { "\($0)\(unit.suffix)" }
    }

    /// The value, if it is in the range; otherwise nil with a problem in the log.
    func inRange<Number>(
        _ value: Number, _ range: ClosedRange<Number>, _ log: ProblemLog, _ name: String,
        found: String, text: (Number) -> String
    ) -> Number? {
        if range.contains(value) { return value }
        return log.refuse(
            .outOfRange, at: place, "`\(quoted(name))` is \(found)",
            help: "allowed: \(text(range.lowerBound)) to \(text(range.upperBound))")
    }
}
