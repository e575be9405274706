import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// The port of a panel over a reload: what was asked of one panel is never done by the next.
@Suite struct LoopPortTests {
    private let inbox: Inbox
    private let port: LoopPort
    private let plans: [PanelPlan]
    private let event = Event.intent(ControlID(0), .on, .web)

    init() throws {
        inbox = try Inbox()
        plans = try (1...4).map { try LoopRig.switches($0) }
        port = LoopPort(plan: plans[0], updates: try UpdateChannel {}, inbox: inbox)
    }

    /// How many requests reach the panel with a number.
    private func arrived(at panel: UInt32) -> Int {
        var count = 0
        inbox.drain(for: panel) { _ in count += 1 }
        return count
    }

    @Test func thePlanFollowsOneByOne() {
        port.begin(plans[1])
        port.begin(plans[2])
        expectEqual(port.plan, plans[0], "until the reader has taken the update")
        port.adoptNextPlan()
        expectEqual(port.plan, plans[1])
        port.adoptNextPlan()
        expectEqual(port.plan, plans[2])
        port.adoptNextPlan()
        expectEqual(port.plan, plans[2], "no other has begun")
    }

    @Test func whatWasAskedOfTheFormerPanelIsDropped() {
        port.begin(plans[1])
        #expect(port.send(event))
        expectEqual(arrived(at: 1), 0)
        port.adoptNextPlan()
        #expect(port.send(event))
        expectEqual(arrived(at: 1), 1)
    }

    @Test func theLatestIsTakenAtOnce() {
        #expect(!port.adoptLatestPlan(), "no other has begun")
        for plan in plans.dropFirst() { port.begin(plan) }
        #expect(port.adoptLatestPlan())
        expectEqual(port.plan, plans[3])
        #expect(port.send(event))
        expectEqual(arrived(at: 3), 1, "it is the third that began")
        port.adoptNextPlan()
        expectEqual(port.plan, plans[3])
    }

    @Test func tokensEndWhenAnotherPanelIsFollowedAndNotBefore() throws {
        let tokens = try #require(port.tokens)
        func issue() -> ConfirmTokens.Token { tokens.issue(ControlID(0), .on, at: .zero) }
        func isGood(_ token: ConfirmTokens.Token) -> Bool {
            tokens.redeem(token, for: ControlID(0), .on, at: .zero)
        }
        let kept = issue()
        port.adoptNextPlan()
        port.adoptLatestPlan()
        #expect(isGood(kept), "no other panel has begun")
        for adopt in [port.adoptNextPlan, { _ = port.adoptLatestPlan() }] {
            let token = issue()
            port.begin(plans[1])
            adopt()
            #expect(!isGood(token))
        }
    }

    @Test func panelsThatNobodyFollowsAreBounded() {
        for _ in 0..<RuntimeLimits.waitingPanels {
            #expect(port.hasRoom)
            port.begin(plans[1])
        }
        #expect(!port.hasRoom)
        port.adoptNextPlan()
        #expect(port.hasRoom)
    }
}
