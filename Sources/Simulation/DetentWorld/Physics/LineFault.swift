public import DetentTypes

/// A fault of a contact line.
public enum LineFault: Equatable, Sendable {
    /// Its wire is broken: the pull resistor determines the level.
    case cut
    /// It keeps a level regardless of its contact.
    case stuck(Level)
}
