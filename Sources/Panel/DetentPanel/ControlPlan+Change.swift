import DetentCore
import DetentTypes

/// Values that count from the shown one: `toggle`, `next`, `previous` and `{by: 5}`.
extension ControlPlan {
    /// The words of changes. An option with such a name is meant instead.
    static let changeWords = ["toggle", "next", "previous"]

    /// How far the value that a word means is from the shown one; nil where it means none.
    package func distance(named word: String) -> Int32? {
        let nature = settings.nature
        guard nature.canBeChanged else { return nil }
        if word == "toggle" { return nature.domain == .onOff ? 1 : nil }
        guard word == "next" || word == "previous" else { return nil }
        let step = nature.range?.step ?? (nature.hasOneOfOptions ? 1 : 0)
        return step == 0 ? nil : word == "next" ? step : -step
    }

    /// How far a number moves; nil where the control has none, or the text is no number that fits.
    package func distance(by text: String) -> Int32? {
        guard case .number(let decimals) = valueNames, settings.nature.canBeChanged else {
            return nil
        }
        let units = DecimalNumber(text)?.units(decimals: decimals)
        return units.flatMap { Int32(exactly: $0) }.flatMap { $0 == 0 ? nil : $0 }
    }

    /// What a request says that leads this far from the shown value, as `set` takes it; nil where
    /// nothing does.
    package func change(by distance: Int32) -> JSONValue? {
        let nature = settings.nature
        guard nature.canBeChanged, distance != 0 else { return nil }
        if nature.domain == .onOff { return .string("toggle") }
        if nature.range != nil {
            return .object([("by", .number(valueNames.name(of: Value(distance))))])
        }
        return nature.hasOneOfOptions ? .string(distance > 0 ? "next" : "previous") : nil
    }
}

extension ControlNature {
    /// Whether a request can ask for a value.
    fileprivate var canBeChanged: Bool { role == .device || role == .group }

    /// Whether each value is one option.
    fileprivate var hasOneOfOptions: Bool {
        if case .options = domain { true } else { false }
    }
}
