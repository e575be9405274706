import DetentCore
import DetentTypes

extension ControlNature {
    /// Whether the release of its button turns it off, also while it is disabled.
    var endsWithItsPress: Bool { latch.map { $0 != .toggle } ?? false }

    /// Whether a control of this kind can have the value, or fire it, by the panel file alone.
    func has(_ value: Value) -> Bool {
        // Not as the engine computes it: this checks the engine.
        switch domain {
        case .none: value == .on
        case .onOff: value == .on || value == .off || (role == .group && value == .mixed)
        case .options(let count, _): (0..<Int32(count)).contains(value.raw)
        case .number(let range): (range.minimum...range.maximum).contains(value.raw)
        case .subset(let options, let minimum, let maximum):
            value.raw >= 0 && value.raw >> Int32(options) == 0
                && value.raw.nonzeroBitCount >= Int(minimum)
                && value.raw.nonzeroBitCount <= Int(maximum)
        }
    }
}
