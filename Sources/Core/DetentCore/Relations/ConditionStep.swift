public import DetentTypes

/// One step of a condition, in postfix order: comparisons push a truth, the others combine.
public enum ConditionStep: Equatable, Sendable, BitwiseCopyable {
    /// The confirmed value of a control against a value; unknown differs from every value, and is
    /// neither more nor less than one.
    case compare(ControlID, Comparison, Value)
    /// Whether any control but the one that asks has a trouble.
    case any(Trouble)
    /// Whether the panel has no connection to its broker.
    case brokerIsOffline
    /// Both of the last two truths.
    case and
    /// At least one of the last two truths.
    case or
    /// The opposite of the last truth.
    case not
}

extension ConditionStep {
    /// Whether it looks at more than a few named controls.
    var isOfPanel: Bool {
        switch self {
        case .any, .brokerIsOffline: true
        case .compare, .and, .or, .not: false
        }
    }
}

/// What can be wrong with a control, for conditions on all of them.
public enum Trouble: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    /// The last attempt failed.
    case failed
    /// A line cannot be used.
    case fault
    /// The position of the part or the value of the device differs from the state.
    case mismatch
}

/// How a condition compares.
public enum Comparison: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    case equal, different, less, lessOrEqual, greater, greaterOrEqual
    /// The value's option is among those chosen, for a control that takes several.
    case contains

    func holds(_ actual: Value, _ wanted: Value) -> Bool {
        switch self {
        case .equal: return actual == wanted
        case .different: return actual != wanted
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .contains: break
        }
        guard actual != .unknown else { return false }
        switch self {
        case .less: return actual.raw < wanted.raw
        case .lessOrEqual: return actual.raw <= wanted.raw
        case .greater: return actual.raw > wanted.raw
        case .greaterOrEqual: return actual.raw >= wanted.raw
        case .contains:
            guard wanted.raw >= 0, wanted.raw <= Int32(EngineLimits.selectionOptions)
            else { return false }
            return actual.raw & (1 << wanted.raw) != 0
        case .equal, .different: return false  // answered above
        }
    }
}

/// The truths of a condition while it is worked out, the latest in the lowest bit.
struct TruthStack: BitwiseCopyable {
    /// Truths that can wait; a condition that needs more is not taken into a plan.
    static var capacity: Int { 64 }

    private var bits: UInt64 = 0

    /// The truth of the whole; true for a condition without steps.
    var result: Bool { bits & 1 != 0 }

    mutating func push(_ truth: Bool) {
        bits = bits << 1 | (truth ? 1 : 0)
    }

    mutating func and() {
        let both = bits & (bits >> 1) & 1
        bits = (bits >> 2) << 1 | both
    }

    mutating func or() {
        let either = (bits | bits >> 1) & 1
        bits = (bits >> 2) << 1 | either
    }

    mutating func not() {
        bits ^= 1
    }
}
