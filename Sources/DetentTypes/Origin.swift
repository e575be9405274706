/// Who asked for a change.
public enum Origin: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    case panel, web, api, mqtt, control, startup, device

    /// Whether a caller from outside asked, and no hand at the panel.
    public var isRemote: Bool {
        switch self {
        case .web, .api, .mqtt: true
        case .panel, .control, .startup, .device: false
        }
    }
}
