public import DetentTypes

extension ValueNames {
    /// The value that a word names; nil if the control has no such value.
    ///
    /// A number can be written in any form, such as `2` for `2.00`; its range is not checked.
    public func value(named word: String) -> Value? {
        switch self {
        case .none, .commands:
            return nil
        case .several(let names):
            return several(word, names)
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

    /// The event that a word names, for a control without state: `press` for a button, or the name
    /// of a command.
    public func event(named word: String) -> Value? {
        switch self {
        case .none: word == "press" ? .on : nil
        case .commands(let names): names.firstIndex(of: word).map { Value(Int32($0)) }
        case .onOff, .threeWay, .options, .several, .number: nil
        }
    }

    /// Names joined by '+'; `none` for no option.
    private func several(_ word: String, _ names: [String]) -> Value? {
        if word == "none", !names.contains(word) { return Value(0) }
        var bits: Int32 = 0
        // A name may contain '+'.
        let parts = word.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        for name in names.contains(word) ? [word] : parts {
            guard let index = names.firstIndex(of: name), index < 31 else { return nil }
            bits |= 1 << Int32(index)
        }
        return Value(bits)
    }

    /// The words for the values or the options, in their order; empty for buttons and numbers.
    public var words: [String] {
        switch self {
        case .none, .number: []
        case .onOff: ["off", "on"]
        case .threeWay: ["down", "center", "up"]
        case .options(let names), .several(let names), .commands(let names): names
        }
    }

    /// The word for a value; `unknown` for the unknown value and for any other value that the
    /// control does not have.
    public func name(of value: Value) -> String {
        if value == .unknown { return "unknown" }
        switch self {
        case .number(let decimals):
            return DecimalNumber.text(units: Int64(value.raw), decimals: decimals)
        case .onOff where value == .off: return "off"
        case .onOff where value == .on: return "on"
        case .onOff: return value == .mixed ? "mixed" : "unknown"
        case .several(let names):
            let chosen = Self.chosen(value, of: names)
            return chosen.isEmpty ? "none" : chosen.joined(separator: "+")
        case .none, .threeWay, .options, .commands:
            let index = Int(value.raw)
            return words.indices.contains(index) ? words[index] : "unknown"
        }
    }

    /// The names that a value of `several` chooses, in their order.
    package static func chosen(_ value: Value, of names: [String]) -> [String] {
        names.indices.filter { $0 < 31 && value.raw & (1 << Int32($0)) != 0 }.map { names[$0] }
    }
}

extension ValueNames {
    /// A value as a word, a number or several words; null if the control has no value.
    package func json(_ value: Value) -> JSONValue {
        switch self {
        case .none, .commands: return .null
        case .several(let words):
            if value == .unknown { return .string("unknown") }
            return .array(Self.chosen(value, of: words).map(JSONValue.string))
        case .onOff, .threeWay, .options, .number:
            return EventLine.json(value, names: self)
        }
    }
}
