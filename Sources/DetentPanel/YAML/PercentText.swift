/// Reads percentages with their sign: `40%`.
enum PercentText {
    /// Whole percent; nil if the text is not a whole percentage.
    static func hundredths(_ text: String) -> Int? {
        guard text.hasSuffix("%") else { return nil }
        return YAMLNode.integer(String(text.dropLast()))
    }
}

extension YAMLNode {
    /// The percentage; nil with a problem in the log.
    func hundredths(in range: ClosedRange<Int>, _ log: ProblemLog, _ name: String) -> Int? {
        guard let text = text(log, name) else { return nil }
        guard let share = PercentText.hundredths(text) else {
            let isBare = YAMLNode.integer(text) != nil
            log.error(
                .invalidNumber, at: place,
                "`\(quoted(name))`: `\(quoted(text))` "
                    + (isBare ? "has no `%`" : "is not a whole percentage"),
                help: isBare ? "write `\(quoted(text))%`" : "write for example `40%`")
            return nil
        }
        guard range.contains(share) else {
            log.error(
                .outOfRange, at: place, "`\(quoted(name))` is \(quoted(text))",
                help: "allowed: \(range.lowerBound)% to \(range.upperBound)%")
            return nil
        }
        return share
    }
}
