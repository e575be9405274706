/// A number with a unit: `5mA`, `40%`, `2.5mm`.
struct Measure: Sendable {
    /// The unit as it is written after the number.
    let unit: String
    /// What is measured, for the documents.
    let quantity: String
    /// Whether the number can have one decimal, else none.
    var hasDecimal = false
    /// What a bare number lacks, for a message.
    var name = "unit"
    /// What a text must be, for a message.
    let summary: String
    /// Valid texts, for a message.
    let examples: String

    /// A current in whole milliamperes.
    static let current = Measure(
        unit: "mA", quantity: "current", summary: "a current in whole milliamperes",
        examples: "`5mA`")
    /// A share in whole hundredths.
    static let percent = Measure(
        unit: "%", quantity: "share", name: "`%`", summary: "a whole percentage", examples: "`40%`")
    /// A length in millimetres.
    static let length = Measure(
        unit: "mm", quantity: "length", hasDecimal: true, summary: "a length in millimetres",
        examples: "`40mm` or `2.5mm`")

    /// The number of a text with this unit; nil if the text is another one.
    func number(_ text: String) -> Double? {
        text.hasSuffix(unit) ? bareNumber(String(text.dropLast(unit.utf8.count))) : nil
    }

    /// The number of a text with this unit, without its decimal.
    func whole(_ text: String) -> Int? { number(text).map { Int($0) } }

    /// The number of a text without a unit.
    fileprivate func bareNumber(_ text: String) -> Double? {
        hasDecimal
            ? DecimalNumber(text)?.units(decimals: 1).map { Double($0) / 10 }
            : YAMLNode.integer(text).map { Double($0) }
    }
}

extension YAMLNode {
    /// Checks a number with its unit; what is wrong with it is a problem in the log.
    func check(
        _ measure: Measure, in range: ClosedRange<Int>, _ log: ProblemLog, _ name: String
    ) {
        guard let text = text(log, name) else { return }
        guard let number = measure.number(text) else {
            let isBare = measure.bareNumber(text) != nil
            return log.error(
                .invalidNumber, at: place,
                "`\(quoted(name))`: `\(quoted(text))` "
                    + (isBare ? "has no \(measure.name)" : "is not \(measure.summary)"),
                help: isBare
                    ? "write `\(quoted(text))\(measure.unit)`"
                    : "write for example \(measure.examples)")
        }
        let bounds = Double(range.lowerBound)...Double(range.upperBound)
        _ = inRange(number, bounds, log, name, found: quoted(text)) {
            "\(Int($0))\(measure.unit)"
        }
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
