import DetentPanel

/// What a process beside a panel does for it, beyond what a page can ask for.
///
/// The keeper of that process carries the messages, at most `WallLimits.messageBytes` each, and
/// calls everything except `wakes` on its own thread. A message that must not wait for that thread
/// can go past it, through `begun`.
package protocol ChildTask: Sendable {
    /// The process takes messages from now on, until `ended`.
    ///
    /// - Parameter send: sends a message past those of `next`, from any thread, if the process has
    ///   room for it; never waits. Returns whether it was sent.
    func begun(_ send: @escaping @Sendable (PanelMessage) -> Bool)

    /// The next message to the process; nil if there is none.
    func next() -> PanelMessage?

    /// Takes what the process tells; it is not trusted.
    ///
    /// - Parameter plan: the panel that the process knows.
    /// - Returns: false if the process may not tell it; the process is then ended.
    func receive(_ note: MQTTNote, of plan: PanelPlan) -> Bool

    /// The process has ended, and has no message any more.
    ///
    /// - Parameters:
    ///   - plan: the panel that runs.
    ///   - isRestarted: whether only because another panel runs, for which the next one starts.
    func ended(_ plan: PanelPlan, isRestarted: Bool)

    /// Why the process may end itself by SIGABRT, for the log: begins with a colon; nil if that is
    /// not known.
    var abortCause: String? { get }

    /// `ring` makes the keeper ask for messages; call it from any thread.
    func wakes(with ring: @escaping @Sendable () -> Void)
}

extension ChildTask {
    /// Every message goes through the keeper.
    package func begun(_ send: @escaping @Sendable (PanelMessage) -> Bool) {}

    /// It is not known.
    package var abortCause: String? { nil }
}
