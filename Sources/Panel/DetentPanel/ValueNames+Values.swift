package import DetentCore
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

    /// The value that a device or a remote caller means: as `value(named:)`, and the nearest number
    /// that the control can show.
    public func value(nearest word: String) -> Value? {
        guard case .number(let decimals) = self else { return value(named: word) }
        guard let units = NearestDecimal.units(word.utf8, decimals: decimals) else { return nil }
        return Int32(exactly: units).flatMap { $0 == .min ? nil : Value($0) }
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

    /// Names joined by '+', or a list of names in JSON; `none` for no option.
    private func several(_ word: String, _ names: [String]) -> Value? {
        if word == "none", !names.contains(word) { return Value(0) }
        if let value = Self.joined(word, names) { return value }
        guard word.first == "[", case .array(let items)? = try? JSONReader.read(Array(word.utf8))
        else { return nil }
        return value(ofNames: items)
    }

    /// The value that a list of names chooses; nil if `several` does not have one of them.
    package func value(ofNames items: [JSONValue]) -> Value? {
        var bits: Int32 = 0
        for item in items {
            guard let place = item.text.flatMap(words.firstIndex), place < 31 else { return nil }
            bits |= 1 << Int32(place)
        }
        return Value(bits)
    }

    /// The options that a text of joined names chooses; nil if it is none. A name may contain '+',
    /// so the text is read from its end: at each place the longest name counts that leads to the
    /// end.
    private static func joined(_ text: String, _ names: [String]) -> Value? {
        let names = names.prefix(31).map { Array($0.utf8) }
        let text = Array(text.utf8)
        // Each name once; a longer text comes from outside and costs nothing.
        guard text.count <= names.reduce(0, { $0 + $1.count + 1 }) else { return nil }
        let plus = UInt8(ascii: "+")
        let order = names.indices.sorted { names[$0].count > names[$1].count }
        var chosen = [Int32?](repeating: nil, count: text.count + 1)
        for place in text.indices.reversed() where place == 0 || text[place - 1] == plus {
            for index in order where text[place...].starts(with: names[index]) {
                let end = place + names[index].count
                let isLast = end == text.count
                let rest: Int32? = isLast ? 0 : text[end] == plus ? chosen[end + 1] : nil
                guard let rest else { continue }
                chosen[place] = rest | 1 << Int32(index)
                break
            }
        }
        return chosen[0].map(Value.init)
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

    /// The ends of a range as words: `0 to 50`.
    package func ends(of range: NumberRange) -> String {
        name(of: Value(range.minimum)) + " to " + name(of: Value(range.maximum))
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
