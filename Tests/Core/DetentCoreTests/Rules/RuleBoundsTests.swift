import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// What rules could do for ever within one late call ends at a named bound, and is counted.
@Suite struct RuleBoundsTests {
    static let year = Instant.zero + .seconds(365 * 86_400)

    /// A value that is to return, and whose action always fails.
    static func returning(after span: TimeSpan, from start: ReturnSettings.Start) -> Bench {
        var relations = Relations()
        let rules = relations.rules {
            $0.returning = ReturnSettings(to: .off, after: span, from: start)
        }
        // Nobody is there to be fired.
        let steps = relations.sequence(.fire(ControlID(.max), .on))
        return Bench(
            actions: [ActionSettings(onFailure: .revert, steps: steps)],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle),
                    startup: StartupSettings(rule: .value(.on), runsAction: false),
                    actions: .perValue(first: ActionID(0), present: 0b1), relation: rules)
            ],
            relations: relations)
    }

    @Test(arguments: [TimeSpan.nanoseconds(1), .milliseconds(1)])
    func aReturnThatFailsDoesNotCatchUpWithAYear(span: TimeSpan) {
        for start in [ReturnSettings.Start.leaving, .lastIntent] {
            let bench = Self.returning(after: span, from: start)
            _ = bench.send(.start, 0)
            _ = bench.send(.intent(ControlID(0), .on, .api), 0)
            let effects = bench.raw(.tick, at: Self.year)
            #expect(effects.count <= Int(EngineLimits.returnsBehind) * 8)
            expectEqual(bench.counters.cutReturns, 1)
            // It is not given up: its time counts from the late call.
            expectEqual(bench.nextDeadline, Self.year + span)
            #expect(!bench.raw(.tick, at: Self.year + span).isEmpty)
            expectEqual(bench.counters.cutReturns, 1, "the next call has its own bound")
        }
    }

    @Test func aReturnWithinTheBoundIsNotPutOff() {
        let bench = Self.returning(after: .milliseconds(1), from: .leaving)
        _ = bench.send(.start, 0)
        _ = bench.send(.tick, Int(EngineLimits.returnsBehind))
        expectEqual(bench.counters.cutReturns, 0)
    }

    /// Buttons whose steps fire each other in a circle, and whose timeouts begin it anew.
    static func circle(_ count: UInt16, wait: TimeSpan, timeout: TimeSpan) -> Bench {
        var relations = Relations()
        var actions: [ActionSettings] = []
        var controls: [ControlSettings] = []
        for place in 0..<count {
            let next = ControlID((place + 1) % count)
            let steps = relations.sequence(.wait(wait), .fire(next, .on))
            actions.append(
                ActionSettings(timeout: timeout, onFailure: .keep, supersede: .wait, steps: steps))
            controls.append(
                ControlSettings(
                    nature: .button, actions: .any(ActionID(place)),
                    relation: relations.rules { _ in }))
        }
        return Bench(actions: actions, controls: controls, relations: relations)
    }

    @Test(arguments: [TimeSpan.zero, .nanoseconds(1), .milliseconds(1)])
    func aCircleOfStepsEndsInOneCall(wait: TimeSpan) {
        for count in 2..<5 as Range<UInt16> {
            let bench = Self.circle(count, wait: wait, timeout: wait + wait + .nanoseconds(1))
            _ = bench.send(.start, 0)
            _ = bench.raw(.fire(ControlID(0), .on, .api, isConfirmed: false), at: .zero)
            let effects = bench.raw(.tick, at: Self.year)
            #expect(effects.count <= Int(EngineLimits.chainLength) * 8, "\(count) buttons")
            #expect(bench.counters.cutRequests > 0, "\(count) buttons")
            #expect(bench.nextDeadline > Self.year, "\(count) buttons")
        }
    }

    /// Each button of a row fires the next one twice, and the last runs a program that takes time.
    /// One press would start it 2¹⁵ times.
    @Test func pressesThatMultiplyAreBounded() {
        let count = 16
        var relations = Relations()
        var actions: [ActionSettings] = []
        var controls: [ControlSettings] = []
        for place in 0..<count {
            let next = ControlID(UInt16(place + 1))
            let isLast = place == count - 1
            let steps =
                isLast
                ? relations.sequence(.run(ActionID(UInt16(count))))
                : relations.sequence(.fire(next, .on), .fire(next, .on))
            actions.append(ActionSettings(steps: steps))
            let listeners = place == 0 ? PlanRange.none : relations.link(UInt16(place - 1))
            let rules = relations.rules { $0.listeners = listeners }
            controls.append(
                ControlSettings(
                    nature: .button, actions: .any(ActionID(UInt16(place))), relation: rules))
        }
        actions.append(ActionSettings(timeout: .seconds(5)))
        let bench = Bench(actions: actions, controls: controls, relations: relations)
        _ = bench.send(.start, 0)
        for press in 1...2 {
            var starts = 0
            var now = 1_000_000 * press
            var log = bench.send(.fire(ControlID(0), .on, .api, isConfirmed: false), now)
            while let start = log.first(where: { $0.contains("start") }), starts < 100_000 {
                starts += 1
                now += 1
                let run = UInt32(start.split(separator: " ")[3].dropFirst()) ?? 0
                log = bench.finish(run, .succeeded, now, control: UInt16(count - 1))
            }
            #expect(starts > 100 && starts <= Int(EngineLimits.requestsPerPress), "\(starts)")
            expectEqual(bench.counters.cutRequests, UInt32(press))
            expectEqual(bench.snapshot(0).phase, .failed, "who asked for it is told")
            #expect(log.contains { $0.hasSuffix("refused busy by control") })
        }
    }

    /// Two indicators, each of which is lit while the other is dark.
    @Test func aCircleOfLooksIsCutAndCounted() {
        var relations = Relations()
        for other in [1, 0] as [UInt16] {
            let listeners = relations.link(other)
            let condition = relations.condition(.compare(ControlID(other), .different, .on))
            _ = relations.rules {
                $0.listeners = listeners
                $0.condition = condition
            }
        }
        let third = relations.link(2)
        let itself = relations.condition(.compare(ControlID(2), .different, .on))
        _ = relations.rules {
            $0.listeners = third
            $0.condition = itself
        }
        let bench = Bench(
            controls: [0, 1, 2].map { ControlSettings(nature: .mirror, relation: RelationID($0)) },
            relations: relations)
        let effects = bench.raw(.start, at: .zero)
        #expect(bench.counters.cutChains > 0)
        #expect(effects.count <= Int(EngineLimits.chainLength) * 8)
        expectEqual(bench.nextDeadline, .never)
        let cut = bench.counters.cutChains
        _ = bench.raw(.tick, at: Self.year)
        expectEqual(bench.counters.cutChains, cut, "nothing goes on by itself")
    }
}
