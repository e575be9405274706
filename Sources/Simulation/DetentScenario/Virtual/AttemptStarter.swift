public import DetentCore
public import DetentTypes

/// Starts real programs for a panel in virtual time.
///
/// The outcome of an attempt arrives from outside, as `actionStarted` and then `actionFinished` or
/// `answered`.
public protocol AttemptStarter: AnyObject {
    /// Starts an attempt; false if it cannot start, which counts as a failure.
    func start(_ attempt: ActionAttempt) -> Bool
    /// Cancels an attempt.
    func cancel(_ action: ActionID, _ run: RunID)
}

/// An attempt that the engine starts.
public struct ActionAttempt: Equatable, Sendable {
    /// The action of the panel.
    public var action: ActionID
    /// The attempt.
    public var run: RunID
    /// The control of the attempt.
    public var control: ControlID
    /// The value for its device.
    public var value: Value
    /// The previous value of the control.
    public var previous: Value
    /// What it needs of other controls.
    public var values: ActionValues
    /// The origin of the request.
    public var origin: Origin
}
