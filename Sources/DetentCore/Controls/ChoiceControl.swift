import DetentTypes

/// Exactly one of several, by a part that holds its position or by a button for each.
struct ChoiceControl: Equatable, BitwiseCopyable {
    let options: UInt8
    /// The value at which one lamp for the whole control is dark.
    let rest: Value

    func accepts(_ value: Value) -> Bool {
        value.raw >= 0 && value.raw < Int32(options)
    }

    func respond(to decoded: DecoderOutput, _ view: ResponseContext) -> Response {
        if decoded.gestures.contains(.pressed), decoded.button != DecoderOutput.noButton {
            let value = Value(Int32(decoded.button))
            return accepts(value) ? .set(value) : .nothing
        }
        guard decoded.gestures.contains(.moved), accepts(decoded.position) else {
            return .nothing
        }
        return view.mismatch.response(
            to: decoded.position, from: view.positionBefore, desired: view.desired,
            toggled: decoded.position)
    }
}
