import DetentTypes

/// Segments of which several may be chosen: each press turns one the other way.
struct SelectionControl: Equatable, BitwiseCopyable {
    let options: UInt8
    let minimum: UInt8
    let maximum: UInt8

    func accepts(_ value: Value) -> Bool {
        guard value.raw >= 0, options <= EngineLimits.selectionOptions,
            value.raw < 1 << Int32(options)
        else { return false }
        let count = value.raw.nonzeroBitCount
        return count >= Int(minimum) && count <= Int(maximum)
    }

    func respond(to decoded: DecoderOutput, _ view: ResponseContext) -> Response {
        guard decoded.gestures.contains(.pressed) else { return .nothing }
        return toggled(decoded.button, view.desired)
    }

    /// One option the other way; refused where too few or too many would be left.
    func toggled(_ option: UInt8, _ desired: Value) -> Response {
        guard option < options, options <= EngineLimits.selectionOptions else { return .nothing }
        let value = Value(desired.raw ^ (1 << Int32(option)))
        return accepts(value) ? .set(value) : .refuse(.outOfRange)
    }
}
