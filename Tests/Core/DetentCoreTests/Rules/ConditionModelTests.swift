import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Conditions as trees against the engine's postfix programs.
@Suite struct ConditionModelTests {
    /// Dials, some of them with devices that get lost, and an indicator for each expression.
    @Test(arguments: TestLength.seeds(0..<40))
    func theEngineAgreesWithTheTree(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var panel = RuledPanel()
        let sources = 5
        for source in 0..<sources {
            let map: ActionMap = source < 2 ? .none : .any(panel.action())
            _ = panel.add(
                ControlSettings(
                    nature: .dial(NumberRange(minimum: 0, maximum: 7)), actions: map))
        }
        let expressions = (0..<30).map { _ in
            PlainExpression.drawn(&random, sources: sources, values: 8, depth: 6)
        }
        for expression in expressions {
            _ = panel.add(ControlSettings(nature: .mirror), when: expression.steps)
        }
        let disabled = panel.add(
            ControlSettings(nature: .onOff(latch: .toggle)), when: expressions[0].steps)
        let bench = panel.bench()
        _ = bench.start()
        var truths = [0, 0]
        for turn in 1..<300 {
            let source = UInt16(random.below(sources))
            let value = Value(Int32(random.below(8)))
            if random.chance(70) {
                _ = bench.feedback(value, turn, control: source)
            } else {
                // A lost outcome leaves the value unknown.
                let log = bench.intent(value, turn, control: source)
                let run = log.compactMap { line in
                    line.split(separator: " ").first { $0.hasPrefix("r") && $0.count > 1 }
                        .flatMap { UInt32($0.dropFirst()) }
                }.first
                if let run { _ = bench.finish(run, .lost, turn, control: source) }
            }
            for (place, expression) in expressions.enumerated() {
                let truth = expression.holds {
                    let actual = bench.snapshot(UInt16($0)).actual
                    return actual == .unknown ? nil : actual.raw
                }
                truths[truth ? 1 : 0] += 1
                let lamp = bench.snapshot(UInt16(sources + place))
                guard lamp.desired == (truth ? .on : .off), lamp.actual == lamp.desired else {
                    Issue.record("seed \(seed) turn \(turn): \(expression) is \(truth)")
                    return
                }
            }
            let isDisabled = bench.snapshot(disabled).flags.contains(.disabled)
            let isTrue = bench.snapshot(UInt16(sources)).desired == .on
            #expect(isDisabled != isTrue, "seed \(seed) turn \(turn)")
        }
        #expect(truths.allSatisfy { $0 > 500 }, "seed \(seed): \(truths)")
    }

    /// Everything that a comparison can meet, one by one.
    @Test func comparisonsOfEveryPair() {
        let values = [Int32.min, -1, 0, 1, 2, 5, .max]
        for comparison in Comparison.allCases where comparison != .contains {
            for actual in values {
                for wanted in values.dropFirst() {
                    let plain = PlainExpression.compare(0, comparison, wanted)
                    let expected = plain.holds { _ in actual == .min ? nil : actual }
                    expectEqual(
                        comparison.holds(Value(actual), Value(wanted)), expected,
                        "\(actual) \(comparison) \(wanted)")
                }
            }
        }
        for option in Int32(-1)...32 {
            expectEqual(
                Comparison.contains.holds(Value(0b101), Value(option)), (option == 0 || option == 2)
            )
            #expect(!Comparison.contains.holds(.unknown, Value(option)))
        }
    }

    /// What does not end with one truth, or needs more than can wait, is no condition.
    @Test func conditionsThatDoNotComeOutAreNotTaken() {
        func error(_ steps: [ConditionStep]) -> EngineError? {
            let capacity = Capacity(
                lines: 0, controls: 1, actions: 0, relations: 1, conditionSteps: 200)
            let storage = UnsafeMutableRawBufferPointer.allocate(
                byteCount: Engine.byteCount(for: capacity), alignment: 16)
            defer { storage.deallocate() }
            var engine = Engine(capacity: capacity, storage: storage)
            do throws(EngineError) {
                for step in steps { try engine.addConditionStep(step) }
                var rules = RelationSettings()
                rules.condition = PlanRange(first: 0, count: UInt16(steps.count))
                _ = try engine.addRelations(rules)
            } catch {
                return error
            }
            return nil
        }
        let truth = ConditionStep.equal(0, .on)
        #expect(error([]) == nil)
        #expect(error([truth]) == nil)
        #expect(error([truth, truth, .or, .not]) == nil)
        for wrong in [[.not], [.and], [truth, .and], [truth, truth], [truth, .or, truth]]
            as [[ConditionStep]]
        {
            expectEqual(error(wrong), .outOfRange, "\(wrong)")
        }
        let ands = Array(repeating: ConditionStep.and, count: 63)
        #expect(error(Array(repeating: truth, count: 64) + ands) == nil)
        expectEqual(error(Array(repeating: truth, count: 65) + ands + [.and]), .outOfRange)
    }
}
