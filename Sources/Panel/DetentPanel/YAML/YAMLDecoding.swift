public import DetentTypes

// The value of a scalar, or nil with a problem in the log.
extension YAMLNode {
    /// The text; an error for a list, a map, nothing, or more characters than `limit`.
    public func text(
        _ log: ProblemLog, _ name: String, limit: Int = Limits.textCharacters
    ) -> String? {
        guard let text else {
            return log.refuse(
                .wrongType, at: place, "`\(quoted(name))` must be text, not \(form)",
                help: isNull
                    ? "write a value after the colon"
                    : bracedName.map { "write it in quotes: `\"{\(quoted($0))}\"`" }
                        ?? "write one word or a quoted text")
        }
        guard text.count <= limit else {
            return log.refuse(
                .textTooLong, at: place,
                "`\(quoted(name))` has \(text.count) characters, and the limit is \(limit)",
                help: "shorten it")
        }
        return text
    }

    /// `value` for `{value}` without quotes, which is a map to YAML.
    private var bracedName: String? {
        guard let entries, entries.count == 1, entries[0].value.isNull else { return nil }
        return entries[0].name
    }

    /// One of these words; any other text is an error that lists them.
    public func word(of known: [String], _ log: ProblemLog, _ name: String) -> String? {
        guard let text = text(log, name) else { return nil }
        if known.contains(text) { return text }
        return log.refuse(
            .unknownWord, at: place, "`\(quoted(text))` is not a value of `\(quoted(name))`",
            help: OtherNames.help(for: text, of: name, among: known)
                + "allowed: \(known.joined(separator: ", "))",
            known: known)
    }

    /// `true` or `false`; on, off, yes and no are not booleans.
    public func boolean(_ log: ProblemLog, _ name: String) -> Bool? {
        guard let text = text(log, name) else { return nil }
        if let boolean = Self.boolean(text) { return boolean }
        return log.refuse(
            .wrongType, at: place, "`\(quoted(name))` must be true or false, not `\(quoted(text))`",
            help: "write `true` or `false`; on, off, yes and no are words",
            known: ["true", "false"])
    }

    /// A whole number within bounds.
    public func integer(in range: ClosedRange<Int>, _ log: ProblemLog, _ name: String) -> Int? {
        guard let text = text(log, name) else { return nil }
        guard let number = Self.integer(text) else {
            return log.refuse(
                .invalidNumber, at: place,
                "`\(quoted(name))` must be a whole number, not `\(quoted(text))`",
                help: "write a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return inRange(number, range, log, name, found: "\(number)") { "\($0)" }
    }

    /// An exact number, with or without a point.
    public func decimal(_ log: ProblemLog, _ name: String) -> DecimalNumber? {
        guard let text = text(log, name) else { return nil }
        if let number = DecimalNumber(text), number.decimals <= Limits.decimals { return number }
        return log.refuse(
            .invalidNumber, at: place, "`\(quoted(name))` must be a number, not `\(quoted(text))`",
            help: "write a number such as 12 or 0.25, with at most \(Limits.decimals) decimals")
    }

    /// A duration with its unit, within bounds.
    public func duration(
        in range: ClosedRange<TimeSpan>, _ log: ProblemLog, _ name: String
    ) -> TimeSpan? {
        guard let text = text(log, name) else { return nil }
        do throws(DurationText.Failure) {
            let span = try DurationText.parse(text)
            return inRange(
                span, range, log, name, found: quoted(text), text: DurationText.text)
        } catch {
            let (cause, remedy) = Self.explain(error, text, in: range)
            return log.refuse(
                .invalidDuration, at: place, "`\(quoted(name))`: \(cause)", help: remedy)
        }
    }

    /// A number with the units that are likely, of those that lead into the range.
    private static func withUnits(_ number: String, in range: ClosedRange<TimeSpan>) -> [String] {
        let likely = ["ms", "s", "min", "h"].filter { unit in
            (try? DurationText.parse(number + unit)).map(range.contains) == true
        }
        return (likely.isEmpty ? ["ms", "s"] : likely).prefix(2).map { "`\(number)\($0)`" }
    }

    private static func explain(
        _ failure: DurationText.Failure, _ text: String, in range: ClosedRange<TimeSpan>
    ) -> (cause: String, remedy: String) {
        let text = quoted(text)
        let units = DurationText.units.map(\.name)
        switch failure {
        case .noUnit:
            return (
                "`\(text)` has no unit",
                "write \(withUnits(text, in: range).joined(separator: " or "))"
            )
        case .unknownUnit(let unit):
            return (
                "`\(text)` has the unknown unit `\(quoted(unit))`",
                "units: \(units.joined(separator: ", ")); write no space between number and unit"
            )
        case .malformed:
            return ("`\(text)` is not a duration", "write a number with its unit, such as `20ms`")
        case .negative:
            return ("`\(text)` is negative", "write a time of 0 or more")
        case .tooFine:
            return (
                "`\(text)` is not a whole number of nanoseconds",
                "round it; the resolution is 1ns"
            )
        case .tooLong:
            return ("`\(text)` is longer than 584 years", "write a shorter time")
        }
    }

    static func boolean(_ text: String) -> Bool? {
        switch text {
        case "true": true
        case "false": false
        default: nil
        }
    }

    static func integer(_ text: String) -> Int? {
        guard let number = DecimalNumber(text), number.decimals == 0 else { return nil }
        return Int(exactly: number.digits)
    }
}

// The same without problems, for values that have been checked already.
extension YAMLNode {
    /// The duration; nil if the text is not a duration.
    public var durationValue: TimeSpan? { text.flatMap { try? DurationText.parse($0) } }
    /// The whole number; nil if the text is not a whole number.
    public var integerValue: Int? { text.flatMap(Self.integer) }
    /// The boolean; nil if the text is not a boolean.
    public var booleanValue: Bool? { text.flatMap(Self.boolean) }
    /// The number; nil if the text is not a number.
    public var decimalValue: DecimalNumber? { text.flatMap(DecimalNumber.init) }
}
