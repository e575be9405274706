public import DetentTypes

/// What the real-time loop wants of an action; plain bits, so that sending one allocates nothing.
public struct ActionCommand: Equatable, Sendable, BitwiseCopyable {
    /// What to do.
    public enum Verb: UInt8, Equatable, Sendable, BitwiseCopyable {
        case start, cancel
    }

    /// What is asked for.
    public var verb: Verb
    /// Who asked for the value.
    public var origin: Origin
    /// The action's place in the plan.
    public var action: UInt16
    /// The attempt.
    public var run: RunID
    /// The control that it is for.
    public var control: ControlID
    /// The value that the action is to bring about.
    public var value: Value
    /// The value before it.
    public var previous: Value

    /// Makes a command; a `cancel` is known by its action and run alone.
    public init(
        _ verb: Verb, action: UInt16, run: RunID, control: ControlID = ControlID(0),
        value: Value = .unknown, previous: Value = .unknown, origin: Origin = .panel
    ) {
        self.verb = verb
        self.origin = origin
        self.action = action
        self.run = run
        self.control = control
        self.value = value
        self.previous = previous
    }
}
