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

    /// What is destructive is asked for twice, the second time with the token of the first.
    @Test func whatIsDestructiveNeedsItsToken() throws {
        let text = """
            {panel: P, board: none, controls: {
            off: {label: Off, kind: button, input: A, role: destructive, confirm: {hold: 2s},
            action: {run: [x], timeout: 1s}},
            cut: {label: Cut, kind: button, input: B, role: destructive, confirm: {guard: LID},
            action: {run: [x], timeout: 1s}},
            go: {label: Go, kind: button, input: C, action: {run: [x], timeout: 1s}}}}
            """
        let plan = try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
        let port = LoopPort(plan: plan, updates: try UpdateChannel {}, inbox: inbox)
        func send(
            _ control: UInt16, _ token: ConfirmTokens.Token? = nil, at now: Instant = .zero
        ) -> Sending {
            let event = Event.fire(ControlID(control), .on, .web, isConfirmed: false)
            return port.send(event, confirming: token, at: now)
        }
        expectEqual(send(2), .taken)
        expectEqual(arrived(at: 0), 1)
        // A lid cannot be opened from afar: the core refuses it.
        expectEqual(send(1), .taken)
        expectEqual(arrived(at: 0), 1)
        guard case .unconfirmed(let token) = send(0) else {
            Issue.record("it is destructive")
            return
        }
        expectEqual(arrived(at: 0), 0, "nothing is done yet")
        guard case .unconfirmed(let other) = send(0, "wrong") else {
            Issue.record("that is no token of it")
            return
        }
        #expect(other != token)
        expectEqual(send(0, token, at: .zero + .seconds(1)), .taken)
        expectEqual(arrived(at: 0), 1)
        guard case .unconfirmed = send(0, token, at: .zero + .seconds(1)) else {
            Issue.record("a token is good once")
            return
        }
        // What asks for nothing that fires needs none.
        expectEqual(port.send(.resync(), confirming: nil, at: .zero), .taken)
        expectEqual(
            port.send(.intent(ControlID(2), .on, .web), confirming: nil, at: .zero), .taken)
        for _ in 0..<RuntimeLimits.inbox - 2 { #expect(port.send(event)) }
        expectEqual(send(2), .full)
    }

    /// A panel whose plan never changes follows none.
    @Test func aPortOfOnePanelFollowsNone() throws {
        struct Fixed: PanelPort {
            let plan: PanelPlan
            let updates: UpdateChannel
            var tokens: ConfirmTokens? { nil }
            func send(_ event: Event) -> Bool { true }
        }
        let fixed = Fixed(plan: plans[0], updates: try UpdateChannel {})
        fixed.adoptNextPlan()
        #expect(!fixed.adoptLatestPlan())
        expectEqual(fixed.send(event, confirming: nil, at: .zero), .taken)
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
