/// Reads currents with their unit: `5mA`.
enum CurrentText {
    /// Whole milliamperes; nil if the text is not such a current.
    static func milliamperes(_ text: String) -> Int? {
        guard text.hasSuffix("mA") else { return nil }
        return YAMLNode.integer(String(text.dropLast(2)))
    }
}

extension YAMLNode {
    /// The current in milliamperes; nil with a problem in the log.
    func milliamperes(in range: ClosedRange<Int>, _ log: ProblemLog, _ name: String) -> Int? {
        guard let text = text(log, name) else { return nil }
        guard let current = CurrentText.milliamperes(text) else {
            let isBare = YAMLNode.integer(text) != nil
            log.error(
                .invalidNumber, at: place,
                "`\(quoted(name))`: `\(quoted(text))` "
                    + (isBare ? "has no unit" : "is not a current in whole milliamperes"),
                help: isBare ? "write `\(quoted(text))mA`" : "write for example `5mA`")
            return nil
        }
        guard range.contains(current) else {
            log.error(
                .outOfRange, at: place, "`\(quoted(name))` is \(quoted(text))",
                help: "allowed: \(range.lowerBound)mA to \(range.upperBound)mA")
            return nil
        }
        return current
    }
}
