import DetentCore
import DetentPanel
import DetentScenario
import DetentSoak
import DetentTypes
import DetentWorld
import TestSupport
import Testing

/// A user that does nothing breaks nothing: together the runs must reach whatever can be told.
@Suite("The random users reach")
struct CoverageTests {
    private static let expected = [
        "armed", "attempt cancelled", "attempt failed", "attempt lost", "attempt succeeded",
        "buttonPressed", "buttonReleased", "changed", "chosen", "clicked", "closed", "confirmed",
        "doubleClicked", "fault", "flag", "focused", "held", "indicator", "invalid", "lost",
        "moved", "multiClicked", "opened", "output", "phase failed", "phase loading", "pressed",
        "progress", "refused", "released", "reload", "repeated", "restart", "staged", "stepped",
        "timed out",
    ]

    @Test("every event that there is")
    func everything() throws {
        var seen: Set<String> = []
        for plan in [try #require(SimulatedPanel.wild), try #require(RelatedPanel.plan)] {
            for seed in UInt64(1)...3 {
                SimulationSeeds.announce(seed)
                let trouble = PanelUser.Trouble(
                    losesEdges: seed == 1, restarts: true, reloads: true, breaksActions: true,
                    breaksWires: seed == 2)
                var user = try PanelUser(seed: seed, plan: plan, trouble: trouble)
                for _ in 0..<6 { try user.round(60) }
                for step in user.history { seen.insert(word(step)) }
            }
        }
        expectEqual(Self.expected.filter { !seen.contains($0) }, [])
    }

    @Test("every flag and every refusal")
    func words() throws {
        var flags: Flag = []
        var refusals: Set<Refusal> = []
        let plan = try #require(RelatedPanel.plan)
        for seed in UInt64(1)...2 {
            let trouble = PanelUser.Trouble(breaksActions: true, breaksWires: true)
            var user = try PanelUser(seed: seed, plan: plan, trouble: trouble)
            for _ in 0..<6 { try user.round(60) }
            for case .report(let report, _) in user.history {
                if case .flag(let flag, _) = report.kind { flags.insert(flag) }
                if case .refused(let refusal, _) = report.kind { refusals.insert(refusal) }
            }
        }
        // A fault has an event of its own.
        expectEqual(flags.word, "disabled+mixed+mismatch+stale+unconfirmed")
        // An action that says `supersede: ignore` is on the other panel, and no button has a
        // `lockout`.
        expectEqual(Set(Refusal.allCases).subtracting(refusals), [.busy, .lockedOut])
    }

    @Test("outputs with levels at work and away")
    func levels() throws {
        let plan = try #require(
            PanelReader.read(file: Repository.path("Tests/Soak/levels.yaml")).plan)
        var strengths: Set<UInt16> = []
        var refused: Set<LineID> = []
        for seed in UInt64(1)...3 {
            SimulationSeeds.announce(seed)
            let trouble = PanelUser.Trouble(restarts: true, reloads: true, breaksWires: true)
            var user = try PanelUser(seed: seed, plan: plan, trouble: trouble)
            for _ in 0..<8 { try user.round(60) }
            expectEqual(InvariantChecker.violations(user.history, of: plan), [])
            for step in user.history {
                if case .refused(_, let line, _, _) = step { refused.insert(line) }
                guard case .quiet(_, let states) = step else { continue }
                strengths.formUnion(states.flatMap(\.outputs).map(\.told.tenThousandths))
            }
        }
        #expect(refused.count > 2, "\(refused)")
        #expect(strengths.count > 8, "\(strengths)")
    }

    private func word(_ step: HistoryStep) -> String {
        switch step {
        case .asked: "asked"
        case .answered: "answered"
        case .restart: "restart"
        case .reload: "reload"
        case .quiet: "quiet"
        case .output: "driven"
        case .refused: "level refused"
        case .attempt(let attempt):
            switch attempt.step {
            case .started: "attempt started"
            case .ended(.succeeded): "attempt succeeded"
            case .ended(.failed): "attempt failed"
            case .ended(.lost), .ended(.killed): "attempt lost"
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
            .focused, .chosen, .staged, .lampTest, .reload:
            String("\(kind)".prefix { $0 != "(" })
        }
    }
}
