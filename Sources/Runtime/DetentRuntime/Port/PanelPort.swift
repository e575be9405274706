public import DetentCore
public import DetentPanel
public import DetentTypes
import Synchronization

/// The interface of a running panel for other threads: its updates and requests to it.
///
/// Safe from any thread.
public protocol PanelPort: Sendable {
    /// The panel that the reader of the updates knows.
    var plan: PanelPlan { get }
    /// The updates of the panel, for one reader.
    var updates: UpdateChannel { get }
    /// The confirmation tokens of this panel; nil if it is in another process, which has its own.
    var tokens: ConfirmTokens? { get }
    /// Sends an event with the current time; false if too many requests are waiting.
    func send(_ event: Event) -> Bool
    /// Sends an event of a remote caller, who has to confirm what is destructive with a token.
    ///
    /// - Parameter token: what an earlier call returned; nil for the first one.
    func send(_ event: Event, confirming token: ConfirmTokens.Token?, at now: Instant) -> Sending
    /// The reader has taken the update `restarted`: `plan` is the panel that began there.
    func adoptNextPlan()
    /// The reader has lost updates: `plan` is the latest panel. Returns whether it is another one.
    @discardableResult
    func adoptLatestPlan() -> Bool
}

/// What came of sending an event.
public enum Sending: Equatable, Sendable {
    case taken
    /// Too many requests are waiting.
    case full
    /// The event is destructive: it has to be sent again, with this token.
    case unconfirmed(ConfirmTokens.Token)
}

extension PanelPort {
    /// Sends an event unless it lacks its confirmation. The panel alone issues and redeems tokens.
    public func send(
        _ event: Event, confirming token: ConfirmTokens.Token?, at now: Instant
    ) -> Sending {
        if let tokens, let (control, value) = event.requested,
            plan.confirmation(of: control, for: value)?.isPossibleRemotely == true
        {
            let isRedeemed =
                token.map { tokens.redeem($0, for: control, value, at: now) } ?? false
            if !isRedeemed { return .unconfirmed(tokens.issue(control, value, at: now)) }
        }
        return send(event) ? .taken : .full
    }

    /// The plan never changes.
    public func adoptNextPlan() {}
    /// The plan never changes.
    public func adoptLatestPlan() -> Bool { false }
}

/// The port of a panel that runs in the real-time loop.
public final class LoopPort: PanelPort {
    private struct State {
        var plan: PanelPlan
        var number: UInt32 = 0
        /// Panels whose `restarted` the reader has not taken.
        var next: [PanelPlan] = []
    }

    /// The updates of the panel, for one reader.
    public let updates: UpdateChannel
    /// Tokens for the callers of the reader. They end with the panel.
    public let tokens: ConfirmTokens? = ConfirmTokens()
    private let inbox: Inbox
    private let state: Mutex<State>

    /// Connects the inbox of a panel's loop with the channel that the loop publishes to.
    public init(plan: PanelPlan, updates: UpdateChannel, inbox: Inbox) {
        self.updates = updates
        self.inbox = inbox
        state = Mutex(State(plan: plan))
    }

    /// The panel that the reader of the updates knows.
    public var plan: PanelPlan { state.withLock { $0.plan } }

    /// Sends an event, as `Inbox.send` does; it is dropped if another panel follows meanwhile.
    public func send(_ event: Event) -> Bool {
        inbox.send(event, for: state.withLock { $0.number })
    }

    /// For the loop: whether another panel may begin; false while `RuntimeLimits.waitingPanels`
    /// wait for the reader.
    public var hasRoom: Bool { state.withLock { $0.next.count < RuntimeLimits.waitingPanels } }

    /// For the loop: another panel begins, and `restarted` is published next.
    public func begin(_ plan: PanelPlan) { state.withLock { $0.next.append(plan) } }

    /// Takes the next panel, if one began.
    public func adoptNextPlan() {
        state.withLock { state in
            guard !state.next.isEmpty else { return }
            state.plan = state.next.removeFirst()
            state.number += 1
            tokens?.end()
        }
    }

    /// Takes the latest panel that began.
    @discardableResult
    public func adoptLatestPlan() -> Bool {
        state.withLock { state in
            guard let latest = state.next.last else { return false }
            state.plan = latest
            state.number += UInt32(state.next.count)
            state.next = []
            tokens?.end()
            return true
        }
    }
}

extension Event {
    /// The request that it belongs to; `none` if no caller waits for an answer.
    package var request: RequestID {
        switch self {
        case .intent(_, _, _, let request), .change(_, _, _, let request),
            .fire(_, _, _, _, let request):
            request
        case .tick, .start, .edge, .reading, .sample, .overflow, .lineFault, .lineRestored,
            .actionStarted,
            .actionFinished, .outputWritten, .saved, .answered, .feedback, .feedbackLost, .resync,
            .lampTest, .reload, .broker, .close:
            .none
        }
    }

    /// The control and the value or event that a caller asks for; nil if it asks for none.
    fileprivate var requested: (ControlID, Value)? {
        switch self {
        case .intent(let control, let value, _, _), .fire(let control, let value, _, _, _):
            (control, value)
        // Only what fires can need a confirmation.
        case .change, .tick, .start, .edge, .reading, .sample, .overflow, .lineFault, .lineRestored,
            .actionStarted,
            .actionFinished, .outputWritten, .saved, .answered, .feedback, .feedbackLost, .resync,
            .lampTest, .reload, .broker, .close:
            nil
        }
    }
}
