public import DetentCore
public import DetentHAL

/// Why a panel could not follow another one; the former panel goes on.
public enum PanelChangeError: Error, Equatable, Sendable {
    /// The plan exceeds a limit that its reader should have reported.
    case engine(EngineError)
    /// Lines that could not be requested.
    case lines([HALError])
}
