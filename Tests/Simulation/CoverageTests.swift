import DetentCore
import DetentPanel
import DetentTypes
import DetentWorld
import Testing

/// A user that does nothing breaks nothing: together the runs must reach whatever can be told.
@Suite("The random users reach")
struct CoverageTests {
    private static let expected = [
        "attempt cancelled", "attempt failed", "attempt lost", "attempt succeeded", "changed",
        "clicked", "confirmed", "doubleClicked", "held", "lost", "moved", "multiClicked",
        "phase failed", "phase loading", "pressed", "refused", "released", "repeated", "restart",
        "stepped", "timed out",
    ]

    @Test("every event that these panels have")
    func everything() throws {
        let plan = try #require(SimulatedPanel.wild)
        var seen: Set<String> = []
        for seed in UInt64(1)...3 {
            SimulationSeeds.announce(seed)
            let trouble = PanelUser.Trouble(
                losesEdges: seed == 1, restarts: true, breaksActions: true)
            var user = try PanelUser(seed: seed, plan: plan, trouble: trouble)
            for _ in 0..<6 { try user.round(60) }
            for step in user.history { seen.insert(word(step)) }
        }
        #expect(Self.expected.filter { !seen.contains($0) } == [])
    }

    private func word(_ step: HistoryStep) -> String {
        switch step {
        case .restart: "restart"
        case .quiet: "quiet"
        case .attempt(let attempt):
            switch attempt.step {
            case .started: "attempt started"
            case .ended(.succeeded): "attempt succeeded"
            case .ended(.failed): "attempt failed"
            case .ended(.lost): "attempt lost"
            case .ended(.timedOut), .ended(.cancelled): "attempt ended"
            case .cancelled: "attempt cancelled"
            }
        case .report(let report, _): word(report.kind)
        }
    }

    private func word(_ kind: Report.Kind) -> String {
        switch kind {
        case .phase(_, .timedOut): "timed out"
        case .phase(let phase, _): "phase \(phase)"
        case .pressed, .released, .clicked, .doubleClicked, .multiClicked, .held, .repeated,
            .stepped, .moved, .invalid, .changed, .confirmed, .flag, .refused, .armed, .progress,
            .indicator, .output, .lost, .fault, .buttonPressed, .buttonReleased, .opened, .closed,
            .focused, .chosen, .staged:
            String("\(kind)".prefix { $0 != "(" })
        }
    }
}
