/// A pattern or a colour: something that a panel can choose for each lamp condition.
///
/// Its raw values are below 16.
public protocol ConditionChoice: RawRepresentable, Sendable, BitwiseCopyable
where RawValue == UInt8 {
    /// What lamps show in a condition unless a panel says otherwise.
    static func usual(in condition: LampCondition) -> Self
}

/// A choice for each lamp condition; a panel may change any of them.
public struct PerCondition<Choice: ConditionChoice>: Equatable, Sendable, BitwiseCopyable {
    /// Four bits for each condition.
    private var bits: UInt64 = 0

    /// Makes the choice of the guidelines.
    public init() {
        for condition in LampCondition.allCases { self[condition] = .usual(in: condition) }
    }

    /// The choice for a condition.
    public subscript(condition: LampCondition) -> Choice {
        @inline(__always)
        get {
            let place = UInt64(condition.rawValue) &* 4
            guard let choice = Choice(rawValue: UInt8(truncatingIfNeeded: bits &>> place) & 15)
            else { return Self.usual(in: condition) }
            return choice
        }
        set {
            let place = UInt64(condition.rawValue) &* 4
            bits = bits & ~(15 &<< place) | UInt64(newValue.rawValue & 15) &<< place
        }
    }
}

extension PerCondition {
    /// Out of the way of each edge, which never comes here: `set` takes choices alone.
    @inline(never)
    private static func usual(in condition: LampCondition) -> Choice { .usual(in: condition) }
}

/// The pattern for each condition; the value alone is steady or off.
public typealias PatternChoice = PerCondition<Pattern>

/// The colour for each condition, for lamps that have several; lamps of one colour ignore it.
public typealias ColorChoice = PerCondition<LampColor>

extension Pattern: ConditionChoice {
    /// Every condition but `unconfirmed` has a pattern of its own, so none needs a colour.
    public static func usual(in condition: LampCondition) -> Pattern {
        switch condition {
        case .fault: .tripleWink
        case .failed: .flashBurst
        case .loading: .blink
        case .confirm: .fill
        case .mismatch: .wink
        case .stale: .doubleWink
        // Lamps do not tell this condition.
        case .unconfirmed: .off
        case .mixed: .breathe
        case .disabled: .slowWink
        case .on: .steady
        case .off: .off
        }
    }
}

extension LampColor: ConditionChoice {
    /// Red and green suffice. Another colour than `off` makes a lamp shine also while its value is
    /// off.
    public static func usual(in condition: LampCondition) -> LampColor {
        switch condition {
        case .fault, .failed: .red
        case .loading, .confirm, .mismatch, .stale, .unconfirmed: .amber
        case .mixed, .disabled, .on: .green
        case .off: .off
        }
    }
}

extension PerCondition<Pattern> {
    /// The flags of a control that its lamps tell.
    @inline(__always)
    public func told(of flags: Flag) -> Flag {
        guard flags.contains(.unconfirmed), self[.unconfirmed] == .off else { return flags }
        return flags.subtracting(.unconfirmed)
    }
}
