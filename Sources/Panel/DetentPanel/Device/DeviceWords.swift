import DetentCore
public import DetentTypes

/// What the device of a control calls its values: the one translation, in both directions.
///
/// Actions say these words, and reports, answers and confirmations are read as these words. Files,
/// events and topics of Detent have the words of the control: see `ValueNames`.
public enum DeviceWords: Equatable, Sendable {
    /// The device has the words of the control.
    case own
    /// A word for each word of the control, in their order.
    case named([String])
    /// Other numbers, for a dial.
    case scaled(DeviceScale)
}

extension DeviceWords {
    /// What the device calls a value; `unknown` for a value that the control does not have.
    func word(of value: Value, as names: ValueNames) -> String {
        switch self {
        case .own: names.name(of: value)
        case .named(let words): names.renamed(words).name(of: value)
        case .scaled(let scale):
            value == .unknown ? names.name(of: value) : scale.text(of: value.raw)
        }
    }

    /// The value that a device means; nil if it means none. The words of the control are understood
    /// too, where the device does not use them for something else. Ranges are not checked.
    func value(of word: String, as names: ValueNames) -> Value? {
        switch self {
        case .own: return names.value(nearest: word)
        case .named(let words):
            let own = names.renamed(words)
            if let value = own.value(named: word) { return value }
            if case .options = own, let place = Self.index(of: word, in: words) {
                return Value(Int32(place))
            }
            return names.value(named: word)
        case .scaled(let scale): return scale.raw(of: word).map { Value($0) }
        }
    }

    /// The words that a device says for the values of a control; empty for numbers.
    func words(as names: ValueNames) -> [String] {
        if case .named(let words) = self { words } else { names.words }
    }

    /// Whether a device means the same by two words: `1.0` is the word `1` too.
    static func areEqual(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        guard let units = units(one) else { return false }
        return units == self.units(other)
    }

    /// The place of a word among others, a number in any of its forms; nil if it is not there.
    static func index(of word: String, in words: [String]) -> Int? {
        words.firstIndex(of: word) ?? words.firstIndex { areEqual($0, word) }
    }

    private static func units(_ word: String) -> Int64? {
        NearestDecimal.units(word.utf8, decimals: Limits.decimals)
    }
}

extension ValueNames {
    /// These names with other words, in their order.
    fileprivate func renamed(_ words: [String]) -> ValueNames {
        switch self {
        case .none, .number: self
        case .onOff, .threeWay, .options: .options(words)
        case .several: .several(words)
        case .commands: .commands(words)
        }
    }
}

extension ControlPlan {
    /// What the device calls a value, as actions say it.
    public func deviceWord(of value: Value) -> String {
        deviceWords.word(of: value, as: valueNames)
    }

    /// The value that the device means, and the nearest number that a dial can show; nil if the
    /// control has no such value.
    public func value(ofDevice word: String) -> Value? {
        deviceWords.value(of: word, as: valueNames).flatMap { isInRange($0) ? $0 : nil }
    }

    /// What the device of the control can say, for people: its words, or the ends of its numbers.
    public var deviceChoices: String {
        guard let range = settings.nature.range else {
            return "one of: " + deviceWords.words(as: valueNames).joined(separator: ", ")
        }
        let ends = [range.minimum, range.maximum].map { deviceWord(of: Value($0)) }
        var isFalling = false
        if case .scaled(let scale) = deviceWords { isFalling = scale.isFalling }
        return "a number from " + (isFalling ? ends.reversed() : ends).joined(separator: " to ")
    }
}
