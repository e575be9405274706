import DetentCore
import DetentTypes

extension ControlKindSettings {
    /// Whether the release of its button turns it off, also while it is disabled.
    var endsWithItsPress: Bool { latch.map { $0 != .toggle } ?? false }

    /// Whether a control of this kind can have the value, or fire it, by the panel file alone.
    func has(_ value: Value) -> Bool {
        switch self {
        case .switch, .toggleButton, .form, .mirror: value == .on || value == .off
        case .group: value == .on || value == .off || value == .mixed
        case .button: value == .on
        case .radioGroup(let options): value.raw >= 0 && value.raw < Int32(options)
        case .threeWay: value.raw >= 0 && value.raw < 3
        case .commands(let count): value.raw >= 0 && value.raw < Int32(count)
        case .dial(let range): range.contains(value)
        case .selection(let options, let minimum, let maximum):
            value.raw >= 0 && value.raw >> Int32(options) == 0
                && value.raw.nonzeroBitCount >= Int(minimum)
                && value.raw.nonzeroBitCount <= Int(maximum)
        }
    }
}
