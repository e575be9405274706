public import DetentTypes

/// One step of an action that the core does by itself.
public enum SequenceStep: Equatable, Sendable, BitwiseCopyable {
    /// Ask another control for a value, and wait until it is confirmed; the step fails where that
    /// control refuses or fails.
    case set(ControlID, Value)
    /// Ask another control for a value that is this far from the one it shows, and wait as `set`
    /// does: a number by this much, an option by one place in this direction, on and off the other
    /// way.
    case change(ControlID, by: Int32)
    /// Ask another control for the number that a third one has, multiplied; then as `set`. The two
    /// count units of their last decimals.
    case copy(ControlID, from: OtherValue, times: Int32)
    /// Of this many steps that follow, do the one whose place is the value of another control.
    case choose(OtherValue, of: UInt8)
    /// Fire another control, and wait until its action has ended.
    case fire(ControlID, Value)
    /// Drive an output, and wait until that was really written.
    case drive(LineID, Level)
    /// Drive an output active for so long, counted from the write, then inactive.
    case pulse(LineID, TimeSpan)
    /// Let time pass.
    case wait(TimeSpan)
    /// Begin an attempt of an action that leaves the core, and wait for its outcome.
    case run(ActionID)
}
