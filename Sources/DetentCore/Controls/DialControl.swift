import DetentTypes

/// `dial`: a number that the encoder moves within its range.
struct DialControl: Equatable, BitwiseCopyable {
    let range: DialSettings

    func isLit(at value: Value) -> Bool {
        value.raw > range.minimum
    }

    func respond(to decoded: DecoderOutput, _ view: ResponseContext) -> Response {
        guard decoded.gestures.contains(.stepped) else { return .nothing }
        return .set(moved(view.desired, by: decoded.steps))
    }

    /// The value after a number of steps: wrapped within the range, or held at its end.
    func moved(_ value: Value, by steps: Int16) -> Value {
        let low = Int64(range.minimum)
        let high = Int64(range.maximum)
        let sum = Int64(value.raw) &+ Int64(steps) &* Int64(range.step)
        var result = min(max(sum, low), high)
        if range.wraps, sum != result {
            // Past an end comes the other end; a step of more than the range stops there as well.
            result = sum > high ? low : high
        }
        return Value(Int32(truncatingIfNeeded: result))
    }
}
