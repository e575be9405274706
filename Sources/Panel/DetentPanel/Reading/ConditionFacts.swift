import DetentCore
import DetentTypes

extension Comparison {
    /// The result if it is the same for every known value of a range; nil if it can be both.
    func constant(over range: ClosedRange<Int32>, against wanted: Int32) -> Bool? {
        let isBelow = wanted < range.lowerBound
        let isAbove = wanted > range.upperBound
        switch self {
        case .equal: return isBelow || isAbove ? false : nil
        case .different: return isBelow || isAbove ? true : nil
        case .less: return isAbove ? true : wanted <= range.lowerBound ? false : nil
        case .lessOrEqual: return wanted >= range.upperBound ? true : isBelow ? false : nil
        case .greater: return isBelow ? true : wanted >= range.upperBound ? false : nil
        case .greaterOrEqual: return wanted <= range.lowerBound ? true : isAbove ? false : nil
        case .contains: return nil
        }
    }
}

extension [ConditionStep] {
    /// Whether the condition is false whenever a control is on, whatever the others are.
    func isFalse(whileOn control: ControlID) -> Bool {
        // Nil where other controls decide.
        var truths: [Bool?] = []
        for step in self {
            switch step {
            case .compare(control, .equal, let value) where value == .on || value == .off:
                truths.append(value == .on)
            case .compare(control, .different, let value) where value == .on || value == .off:
                truths.append(value == .off)
            case .compare, .any, .brokerIsOffline:
                truths.append(nil)
            case .not:
                guard let last = truths.popLast() else { return false }
                truths.append(last.map { !$0 })
            case .and, .or:
                guard let right = truths.popLast(), let left = truths.popLast() else {
                    return false
                }
                let deciding = step == .or
                let isDecided = left == deciding || right == deciding
                truths.append(isDecided ? deciding : left == nil || right == nil ? nil : !deciding)
            }
        }
        return truths == [false]
    }
}
