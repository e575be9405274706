import DetentCore
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentScenario
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentSimulator

/// The port of a panel on the desk over a reload.
@Suite struct SimulatedFollowingTests {
    private let plans: [PanelPlan]
    private let panel: SimulatedPanel
    private let event = Event.intent(ControlID(0), .on, .web)

    init() throws {
        plans = try ["A", "B", "C"].map { try Self.plan($0) }
        panel = try SimulatedPanel(
            SimulationOptions(plan: plans[0], takes: .milliseconds(10)), dispatcher: nil,
            reports: try ReportStream(), isWatched: true, say: { _ in },
            clock: { MonotonicClock.now })
    }

    private static func plan(_ label: String) throws -> PanelPlan {
        let text = """
            panel: Desk
            board: none
            controls:
              lamp: {kind: toggle-button, label: \(label), input: I}
            """
        return try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
    }

    private func change(from former: Int, to next: Int) {
        let difference = PanelDifference(from: plans[former], to: plans[next])
        let answer = panel.change(to: plans[next], difference, keys: nil, willStart: {})
        guard case .changed = answer else {
            Issue.record("\(answer)")
            return
        }
    }

    @Test func nothingIsSentUntilTheReaderFollows() {
        #expect(panel.send(event))
        change(from: 0, to: 1)
        #expect(!panel.send(event))
        #expect(panel.perform(.clock(.pause), by: InputSourceID(1)) != nil)
        expectEqual(panel.plan, plans[0])
        panel.adoptNextPlan()
        expectEqual(panel.plan, plans[1])
        #expect(panel.send(event))
    }

    @Test func theLatestIsTakenAtOnce() {
        #expect(!panel.adoptLatestPlan(), "no other has begun")
        change(from: 0, to: 1)
        change(from: 1, to: 2)
        #expect(panel.adoptLatestPlan())
        expectEqual(panel.plan, plans[2])
        #expect(panel.send(event))
    }

    @Test func tokensEndWhenAnotherPanelIsFollowedAndNotBefore() throws {
        let tokens = try #require(panel.tokens)
        let token = tokens.issue(ControlID(0), .on, at: .zero)
        panel.adoptNextPlan()
        panel.adoptLatestPlan()
        #expect(tokens.redeem(token, for: ControlID(0), .on, at: .zero), "no other has begun")
        let late = tokens.issue(ControlID(0), .on, at: .zero)
        change(from: 0, to: 1)
        panel.adoptNextPlan()
        #expect(!tokens.redeem(late, for: ControlID(0), .on, at: .zero))
    }
}
