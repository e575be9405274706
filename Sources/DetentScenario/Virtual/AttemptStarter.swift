public import DetentCore
public import DetentTypes

/// Begins attempts of actions that are really run, for a panel in virtual time.
///
/// What becomes of an attempt comes back from outside, as `actionStarted` and then
/// `actionFinished` or `answered`.
public protocol AttemptStarter: AnyObject {
    /// Begins an attempt; false where none can begin, which ends it as failed.
    func start(_ attempt: ActionAttempt) -> Bool
    /// The engine gives an attempt up.
    func cancel(_ action: ActionID, _ run: RunID)
}

/// An attempt that the engine wants.
public struct ActionAttempt: Equatable, Sendable {
    /// Which of the panel's actions.
    public var action: ActionID
    /// The attempt.
    public var run: RunID
    /// The control that it is for.
    public var control: ControlID
    /// What its device shall have.
    public var value: Value
    /// What the control showed before.
    public var previous: Value
    /// Who asked.
    public var origin: Origin
}
