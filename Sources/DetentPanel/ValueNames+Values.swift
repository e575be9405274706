public import DetentTypes

extension ValueNames {
    /// The value that a word stands for; nil where the control has no such value.
    ///
    /// For a number any spelling of it is taken, such as `2` for `2.00`; its range is not checked.
    public func value(named word: String) -> Value? {
        switch self {
        case .none:
            return nil
        case .onOff:
            return word == "on" ? .on : word == "off" ? .off : nil
        case .threeWay:
            return words.firstIndex(of: word).map { Value(Int32($0)) }
        case .options(let names):
            return names.firstIndex(of: word).map { Value(Int32($0)) }
        case .number(let decimals):
            guard let units = DecimalNumber(word)?.units(decimals: decimals) else { return nil }
            return Int32(exactly: units).flatMap { $0 == .min ? nil : Value($0) }
        }
    }

    /// The words for the values in their order; empty for buttons and numbers.
    public var words: [String] {
        switch self {
        case .none, .number: []
        case .onOff: ["off", "on"]
        case .threeWay: ["down", "center", "up"]
        case .options(let names): names
        }
    }

    /// The word for a value; `unknown` for the unknown value and for any that the control lacks.
    public func name(of value: Value) -> String {
        if value == .unknown { return "unknown" }
        switch self {
        case .number(let decimals):
            return DecimalNumber.text(units: Int64(value.raw), decimals: decimals)
        case .onOff where value == .mixed:
            return "mixed"
        case .none, .onOff, .threeWay, .options:
            let index = Int(value.raw)
            return words.indices.contains(index) ? words[index] : "unknown"
        }
    }
}
