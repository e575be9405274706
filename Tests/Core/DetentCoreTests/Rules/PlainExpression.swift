import DetentTypes

@testable import DetentCore

/// A condition as a tree, worked out recursively; nil stands for unknown.
indirect enum PlainExpression {
    case compare(Int, Comparison, Int32)
    case not(PlainExpression)
    case both(PlainExpression, PlainExpression)
    case either(PlainExpression, PlainExpression)

    static func drawn(
        _ random: inout SplitMix, sources: Int, values: Int, depth: Int
    ) -> PlainExpression {
        if depth == 0 || random.chance(30) {
            let comparison = Comparison.allCases[random.below(7)]
            return .compare(
                random.below(sources), comparison, Int32(random.below(values)))
        }
        func next() -> PlainExpression {
            Self.drawn(&random, sources: sources, values: values, depth: depth - 1)
        }
        switch random.below(3) {
        case 0: return .not(next())
        case 1: return .both(next(), next())
        case _: return .either(next(), next())
        }
    }

    func holds(_ actual: (Int) -> Int32?) -> Bool {
        switch self {
        case .not(let inner): return !inner.holds(actual)
        case .both(let one, let other): return one.holds(actual) && other.holds(actual)
        case .either(let one, let other): return one.holds(actual) || other.holds(actual)
        case .compare(let source, .different, let wanted): return actual(source) != wanted
        case .compare(let source, let comparison, let wanted):
            guard let value = actual(source) else { return false }
            switch comparison {
            case .equal: return value == wanted
            case .different: return value != wanted
            case .less: return value < wanted
            case .lessOrEqual: return value <= wanted
            case .greater: return value > wanted
            case .greaterOrEqual: return value >= wanted
            case .contains: return Set((0..<31).filter { value >> $0 & 1 == 1 }).contains(wanted)
            }
        }
    }

    var steps: [ConditionStep] {
        switch self {
        case .compare(let source, let comparison, let wanted):
            [.compare(ControlID(UInt16(source)), comparison, Value(wanted))]
        case .not(let inner): inner.steps + [.not]
        case .both(let one, let other): one.steps + other.steps + [.and]
        case .either(let one, let other): one.steps + other.steps + [.or]
        }
    }
}
