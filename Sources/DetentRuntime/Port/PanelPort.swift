public import DetentCore
public import DetentPanel

/// The interface of a running panel for other threads: its updates and requests to it.
///
/// Safe from any thread.
public protocol PanelPort: Sendable {
    /// The panel.
    var plan: PanelPlan { get }
    /// The updates of the panel, for one reader.
    var updates: UpdateChannel { get }
    /// Sends an event with the current time; false if too many requests are waiting.
    func send(_ event: Event) -> Bool
}

/// The port of a panel that runs in the real-time loop.
public struct LoopPort: PanelPort {
    /// The panel.
    public let plan: PanelPlan
    /// The updates of the panel, for one reader.
    public let updates: UpdateChannel
    private let inbox: Inbox

    /// Connects the inbox of a panel's loop with the channel that the loop publishes to.
    public init(plan: PanelPlan, updates: UpdateChannel, inbox: Inbox) {
        self.plan = plan
        self.updates = updates
        self.inbox = inbox
    }

    /// Sends an event, as `Inbox.send` does.
    public func send(_ event: Event) -> Bool { inbox.send(event) }
}
