public import DetentTypes

/// What is wrong with a contact line.
public enum LineFault: Equatable, Sendable {
    /// Its wire is broken: the pull resistor wins.
    case cut
    /// It keeps a level whatever its contact does.
    case stuck(Level)
}
