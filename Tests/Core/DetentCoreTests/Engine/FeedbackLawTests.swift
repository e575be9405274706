import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// What was asked before an action and is answered after it says nothing about it: over random
/// requests, endings, reports and answers that come late.
@Suite struct FeedbackLawTests {
    private static func settings(_ random: inout SplitMix) -> ControlSettings {
        ControlSettings(
            nature: .choice(of: 3),
            startup: StartupSettings(
                rule: random.chance(50) ? .device : .value(Value(1)), runsAction: false),
            actions: .any(ActionID(0)), query: random.chance(50) ? ActionID(1) : nil)
    }

    private static let outcomes: [ActionOutcome] = [
        .succeeded, .succeeded, .failed(.exit(1)), .timedOut, .lost,
    ]

    @Test(arguments: TestLength.seeds(0..<200))
    func whatWasAskedBeforeAnActionChangesNothing(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let bench = Bench(
            actions: [
                ActionSettings(timeout: .milliseconds(300)),
                ActionSettings(timeout: .milliseconds(200)),
            ],
            controls: [Self.settings(&random)])
        var run: (id: RunID, isQuestion: Bool)?
        // When the last action began or ended.
        var changedAt = 0
        var now = 0
        var late = 0
        func send(_ event: Event) -> [Effect] {
            let effects = bench.raw(event, at: Instant(millisecond: now))
            for (effect, moment) in effects {
                switch effect {
                case .start(let action, let id, _, _, _, _):
                    run = (id, action == ActionID(1))
                    // What is due happens when it was due, also where a tick comes late.
                    if action == ActionID(0) { changedAt = Int(moment.nanoseconds / 1_000_000) }
                case .cancel: run = nil
                default: break
                }
            }
            return effects.map(\.0)
        }
        _ = send(.start)
        for _ in 0..<300 {
            now += random.below(60)
            while bench.nextDeadline <= Instant(millisecond: now) { _ = send(.tick) }
            let some = Value(Int32(random.below(3)))
            switch random.below(5) {
            case 0: _ = send(.intent(ControlID(0), some, .web))
            case 1: _ = send(.feedback(ControlID(0), some))
            case 2:
                guard let ended = run else { continue }
                run = nil
                let outcome = Self.outcomes[random.below(Self.outcomes.count)]
                if ended.isQuestion {
                    _ = send(.answered(ControlID(0), ended.id, some))
                } else {
                    changedAt = now
                    _ = send(.actionFinished(ControlID(0), ended.id, outcome))
                }
            case _:
                guard changedAt > 0 else { continue }
                late += 1
                let asked = Instant(millisecond: random.below(changedAt))
                let before = bench.snapshot()
                let effects = send(.feedback(ControlID(0), some, asked: asked))
                #expect(effects.isEmpty, "seed \(seed) at \(now): \(effects)")
                #expect(bench.snapshot() == before, "seed \(seed) at \(now)")
            }
        }
        #expect(late > 30, "seed \(seed)")
    }
}
