public import DetentTypes

/// What a query's output means; this room knows no words, so its user says.
public enum ActionAnswer: Equatable, Sendable {
    case value(Value)
    /// No value; why, in one line for people.
    case unreadable(String)
}
