public import DetentCore
public import DetentPanel

/// A running panel as somebody sees it who is not at it: what it does, and what can be asked of it.
///
/// Safe from any thread.
public protocol PanelPort: Sendable {
    /// The panel.
    var plan: PanelPlan { get }
    /// What it does; for one watcher.
    var watch: PanelWatch { get }
    /// Asks for an event, stamped now; false where too many wait already.
    func send(_ event: Event) -> Bool
}

/// The port of a panel that runs in the real-time loop.
public struct LoopPort: PanelPort {
    /// The panel.
    public let plan: PanelPlan
    /// What it does, for one watcher.
    public let watch: PanelWatch
    private let inbox: Inbox

    /// Joins a panel's loop, by its inbox, to a watch that this loop feeds.
    public init(plan: PanelPlan, watch: PanelWatch, inbox: Inbox) {
        self.plan = plan
        self.watch = watch
        self.inbox = inbox
    }

    /// Asks for an event, as `Inbox.send` does.
    public func send(_ event: Event) -> Bool { inbox.send(event) }
}
