public import DetentTypes

/// A command of the real-time loop; plain bits, so that sending one allocates nothing.
public struct ActionCommand: Equatable, Sendable, BitwiseCopyable {
    /// What a command asks for.
    public enum Verb: UInt8, Equatable, Sendable, BitwiseCopyable {
        case start, cancel
    }

    /// What the command asks for.
    public var verb: Verb
    /// Who requested the value.
    public var origin: Origin
    /// The index of the action in the plan.
    public var action: UInt16
    /// The attempt.
    public var run: RunID
    /// The control of the attempt.
    public var control: ControlID
    /// The value that the device should get.
    public var value: Value
    /// The value before it.
    public var previous: Value
    /// What it needs of other controls.
    public var values: ActionValues

    /// Makes a command; a `cancel` needs only the action and the run.
    public init(
        _ verb: Verb, action: UInt16, run: RunID, control: ControlID = ControlID(0),
        value: Value = .unknown, previous: Value = .unknown, values: ActionValues = ActionValues(),
        origin: Origin = .panel
    ) {
        self.verb = verb
        self.origin = origin
        self.action = action
        self.run = run
        self.control = control
        self.value = value
        self.previous = previous
        self.values = values
    }
}
