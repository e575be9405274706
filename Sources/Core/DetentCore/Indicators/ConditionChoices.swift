/// Four bits for each lamp condition.
///
/// The choices are two plain types and not one that is generic: the metadata of that would be
/// allocated at its first use.
private struct ConditionBits: Equatable, Sendable, BitwiseCopyable {
    private var bits: UInt64 = 0

    /// Asks for the bits of each condition.
    init(_ choice: (LampCondition) -> UInt8) {
        // A list of all conditions would be allocated, too.
        for place in 0...LampCondition.off.rawValue {
            guard let condition = LampCondition(rawValue: place) else { return }
            self[condition] = choice(condition)
        }
    }

    /// Less than 16.
    subscript(condition: LampCondition) -> UInt8 {
        @inline(__always)
        get { UInt8(truncatingIfNeeded: bits &>> (UInt64(condition.rawValue) &* 4)) & 15 }
        set {
            let place = UInt64(condition.rawValue) &* 4
            bits = bits & ~(15 &<< place) | UInt64(newValue & 15) &<< place
        }
    }
}

/// The pattern for each condition; a panel may change any of them. The value alone is steady or
/// off.
public struct PatternChoice: Equatable, Sendable, BitwiseCopyable {
    private var bits = ConditionBits { Pattern.default(in: $0).rawValue }

    /// Makes the choice of the guidelines.
    public init() {}

    /// The pattern of a condition.
    public subscript(condition: LampCondition) -> Pattern {
        @inline(__always)
        get { Pattern(rawValue: bits[condition]) ?? .off }
        set { bits[condition] = newValue.rawValue }
    }

    /// The flags of a control that its lamps tell.
    @inline(__always)
    public func told(of flags: Flag) -> Flag {
        guard flags.contains(.unconfirmed), self[.unconfirmed] == .off else { return flags }
        return flags.subtracting(.unconfirmed)
    }
}

/// The colour for each condition, for lamps that have several; lamps of one colour ignore it.
public struct ColorChoice: Equatable, Sendable, BitwiseCopyable {
    private var bits = ConditionBits { LampColor.default(in: $0).rawValue }

    /// Makes the choice that red and green suffice for.
    public init() {}

    /// The colour of a condition.
    public subscript(condition: LampCondition) -> LampColor {
        @inline(__always)
        get { LampColor(rawValue: bits[condition]) ?? .off }
        set { bits[condition] = newValue.rawValue }
    }
}

extension Pattern {
    /// Every condition but `unconfirmed` has a pattern of its own, so none needs a colour.
    fileprivate static func `default`(in condition: LampCondition) -> Pattern {
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

extension LampColor {
    /// Another colour than `off` makes a lamp shine also while its value is off.
    fileprivate static func `default`(in condition: LampCondition) -> LampColor {
        switch condition {
        case .fault, .failed: .red
        case .loading, .confirm, .mismatch, .stale, .unconfirmed: .amber
        case .mixed, .disabled, .on: .green
        case .off: .off
        }
    }
}
