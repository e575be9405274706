public import DetentTypes

/// What the output of a query means. The caller of the dispatcher decides, because this module does
/// not know the names of values.
public enum ActionAnswer: Equatable, Sendable {
    /// The device has this value.
    case value(Value)
    /// The attempt made the device have this value.
    case confirmed(Value)
    /// The output is not a value; the text says why, in one line for people.
    case unreadable(String)
}
