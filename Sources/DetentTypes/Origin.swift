/// Who asked for a change.
public enum Origin: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    case panel, web, api, mqtt, control, startup, device
}
