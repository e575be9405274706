import DetentCore
import DetentPanel
import DetentTypes
import DetentWorld
import Testing

/// A checker that sees nothing proves nothing: for each invariant a true history is doctored, and
/// exactly that invariant must notice.
@Suite("The checker sees")
struct CanaryTests {
    @Test(arguments: Invariant.allCases)
    func doctored(invariant: Invariant) throws {
        let plan = try #require(
            invariant == .attempts ? SimulatedPanel.wild : SimulatedPanel.quick)
        var user = try PanelUser(seed: 1, plan: plan)
        try user.round(60)
        let rest = plan.restValues
        #expect(InvariantChecker.violations(user.history, rest: rest) == [])
        var history = user.history
        try #require(doctor(&history, invariant))
        let found = InvariantChecker.violations(history, rest: rest).map(\.invariant)
        #expect(found.contains(invariant), "found \(found)")
    }

    /// Makes a history say what must never be; false where it has no place for that.
    private func doctor(_ history: inout [HistoryStep], _ invariant: Invariant) -> Bool {
        switch invariant {
        case .time:
            return insert(&history, { _ in true }) { step in
                guard case .report(let report, _) = step else { return step }
                return .report(report, at: .zero)
            }
        case .presses:
            return insert(&history) { $0.kind == .pressed || $0.kind == .released }
        case .changes:
            return insert(&history) { if case .changed = $0.kind { true } else { false } }
        case .attempts:
            guard
                let place = history.firstIndex(where: {
                    if case .attempt(let attempt) = $0 { attempt.step == .started } else { false }
                }), case .attempt(var attempt) = history[place]
            else { return false }
            attempt.run = RunID(.max)
            history.insert(.attempt(attempt), at: place + 1)
            return true
        case .contacts:
            return change(&history, { !$0.contacts.isEmpty }) {
                $0.contacts[0].engine = $0.contacts[0].world.opposite
            }
        case .positions:
            return change(&history, { $0.position != nil }) {
                $0.position = $0.position.map { $0 + 1 }
            }
        case .follows:
            return change(&history, { $0.mustFollow }) {
                $0.snapshot.desired = Value($0.snapshot.position.raw + 1)
            }
        case .dials:
            return change(&history, { $0.dial != nil }) { $0.dial = $0.dial.map { $0 + 1 } }
        }
    }

    /// Tells the last fitting report once more, changed by `edit`.
    private func insert(
        _ history: inout [HistoryStep], _ fits: (Report) -> Bool,
        edit: (HistoryStep) -> HistoryStep = { $0 }
    ) -> Bool {
        let place = history.lastIndex { step in
            if case .report(let report, _) = step { fits(report) } else { false }
        }
        guard let place else { return false }
        history.insert(edit(history[place]), at: place + 1)
        return true
    }

    private func change(
        _ history: inout [HistoryStep], _ fits: (ControlState) -> Bool,
        edit: (inout ControlState) -> Void
    ) -> Bool {
        guard let last = history.indices.last, case .quiet(let moment, var states) = history[last],
            let place = states.firstIndex(where: fits)
        else { return false }
        edit(&states[place])
        history[last] = .quiet(at: moment, states)
        return true
    }
}
