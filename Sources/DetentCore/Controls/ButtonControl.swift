import DetentTypes

/// `button`: each press runs the action; there is no state.
struct ButtonControl: Equatable, BitwiseCopyable {
    func respond(to decoded: DecoderOutput) -> Response {
        decoded.gestures.contains(.pressed) ? .fire(.on) : .nothing
    }
}
