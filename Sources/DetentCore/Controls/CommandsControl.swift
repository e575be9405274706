import DetentTypes

/// Momentary segments and the items of a menu: each runs its action, and no state is kept.
struct CommandsControl: Equatable, BitwiseCopyable {
    let count: UInt8

    func accepts(_ value: Value) -> Bool {
        value.raw >= 0 && value.raw < Int32(count)
    }

    func respond(to decoded: DecoderOutput) -> Response {
        let value = Value(Int32(decoded.button))
        return decoded.gestures.contains(.pressed) && accepts(value) ? .fire(value) : .nothing
    }
}
