import DetentActions
import DetentPlatform
import DetentTypes
import DetentWorld
import Synchronization
import TestSupport
import Testing

@testable import DetentScenario

/// What simulated actions do in real time.
@Suite struct ScriptedActionsTests {
    private static let control = ControlID(0)

    /// The outcomes of attempts, in order.
    private final class Told: Sendable {
        private let results = Mutex<[ActionResult]>([])

        func note(_ event: AttemptEvent) {
            if case .ended(let result) = event { results.withLock { $0.append(result) } }
        }

        var outcomes: [ActionOutcome] { results.withLock { $0.map(\.outcome) } }
    }

    private func query(_ number: UInt32) -> ActionRequest {
        ActionRequest(
            run: RunID(number), .simulated(Self.control, .unknown), keepsAnswer: true)
    }

    @Test func theFirstStepsSetUpTheDeviceThatTheStartAsks() throws {
        let (actions, told) = (try ScriptedActions(ActionModel()), Told())
        let (begun, ended) = (try WakeUp(), try WakeUp())
        actions.start(query(1)) { event in
            told.note(event)
            if case .began = event { begun.ring() } else { ended.ring() }
        }
        // The thread has seen the query, and without the hold it would have answered.
        begun.wait(until: MonotonicClock.now + .seconds(30))
        actions.set(Self.control, to: .on)
        actions.release()
        ended.wait(until: MonotonicClock.now + .seconds(30))
        expectEqual(told.outcomes, [.succeeded])
        expectEqual(actions.stop(within: .zero), 0)
    }

    @Test func anAttemptThatHangsIsFinished() throws {
        let hanging = ActionScript(then: .hang)
        let (actions, told) = (
            try ScriptedActions(ActionModel(scripts: [Self.control: hanging])), Told()
        )
        let ended = try WakeUp()
        actions.release()
        actions.start(ActionRequest(run: RunID(1), .simulated(Self.control, .on))) { event in
            told.note(event)
            if case .ended = event { ended.ring() }
        }
        actions.finish(Self.control)
        ended.wait(until: MonotonicClock.now + .seconds(30))
        expectEqual(told.outcomes, [.succeeded])
        expectEqual(actions.stop(within: .zero), 0)
    }

    @Test func aPanelThatEndsBeforeItsFirstTurnIsToldOfEachEnd() throws {
        let slow = ActionScript(takes: .seconds(60))
        let (actions, told) = (
            try ScriptedActions(ActionModel(scripts: [Self.control: slow])), Told()
        )
        actions.set(Self.control, to: .on)
        actions.start(query(1)) { told.note($0) }
        expectEqual(actions.stop(within: .zero), 0)
        expectEqual(told.outcomes, [.cancelled])
    }
}
