import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// What is known of a condition before the panel runs.
@Suite struct ConditionFactTests {
    /// Every comparison of numbers, against a count of the numbers for which it holds.
    @Test(arguments: [Comparison.equal, .different, .less, .lessOrEqual, .greater, .greaterOrEqual])
    func constantsAgreeWithCounting(comparison: Comparison) {
        for low in Int32(-2)...2 {
            for high in low...2 {
                for wanted in Int32(-4)...4 {
                    let held = (low...high).map { holds(comparison, $0, wanted) }
                    // A dial of one number aside, equality inside the range is never constant.
                    let expected: Bool? = Set(held).count == 1 ? held[0] : nil
                    let found = comparison.constant(over: low...high, against: wanted)
                    if low < high { expectEqual(found, expected, "\(low)...\(high) and \(wanted)") }
                }
            }
        }
    }

    private func holds(_ comparison: Comparison, _ left: Int32, _ right: Int32) -> Bool {
        switch comparison {
        case .equal: left == right
        case .different: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        case .contains: false
        }
    }

    private let own = ControlID(0)
    private let other = ControlID(1)

    @Test func conditionsThatAnotherSwitchMakesFalse() {
        let isOn = ConditionStep.compare(own, .equal, .on)
        let isOff = ConditionStep.compare(own, .equal, .off)
        let further = ConditionStep.compare(other, .equal, .on)
        for steps in [
            [isOff], [isOn, .not], [.compare(own, .different, .on)], [further, isOff, .and],
            [isOff, further, .and], [isOn, further, .or, .not], [isOff, isOff, .or],
        ] {
            #expect(steps.isFalse(whileOn: own), "\(steps)")
        }
        for steps in [
            [], [isOn], [isOff, .not], [further], [isOff, further, .or],
            [isOn, further, .and, .not],
            [.compare(own, .different, .off)], [.compare(own, .equal, .unknown)],
        ] {
            #expect(!steps.isFalse(whileOn: own), "\(steps)")
        }
    }
}
