public import DetentCore
public import DetentPanel
import Synchronization

/// The interface of a running panel for other threads: its updates and requests to it.
///
/// Safe from any thread.
public protocol PanelPort: Sendable {
    /// The panel that the reader of the updates knows.
    var plan: PanelPlan { get }
    /// The updates of the panel, for one reader.
    var updates: UpdateChannel { get }
    /// Sends an event with the current time; false if too many requests are waiting.
    func send(_ event: Event) -> Bool
    /// The reader has taken the update `restarted`: `plan` is the panel that began there.
    func follow()
    /// The reader has lost updates: `plan` is the latest panel. Returns whether it is another one.
    @discardableResult
    func followLatest() -> Bool
}

extension PanelPort {
    /// The plan never changes.
    public func follow() {}
    /// The plan never changes.
    public func followLatest() -> Bool { false }
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
    public func follow() {
        state.withLock { state in
            guard !state.next.isEmpty else { return }
            state.plan = state.next.removeFirst()
            state.number += 1
        }
    }

    /// Takes the latest panel that began.
    @discardableResult
    public func followLatest() -> Bool {
        state.withLock { state in
            guard let latest = state.next.last else { return false }
            state.plan = latest
            state.number += UInt32(state.next.count)
            state.next = []
            return true
        }
    }
}
