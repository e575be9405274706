public import DetentCore
public import DetentHAL
public import DetentPlatform

/// Why a panel could not follow another one; the former panel goes on.
public enum PanelChangeError: Error, Equatable, Sendable {
    /// The plan exceeds a limit that its reader should have reported.
    case engine(EngineError)
    /// The system refused a descriptor.
    case system(PlatformError)
    /// Lines that could not be requested.
    case lines([HALError])
}
