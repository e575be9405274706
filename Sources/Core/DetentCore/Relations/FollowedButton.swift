import DetentTypes

/// The button of a row whose gestures are looked for: the one that was pressed last. Another one
/// that is pressed while it is down has none.
struct FollowedButton: Equatable, BitwiseCopyable {
    /// Its place in the row.
    private(set) var place = DecoderOutput.noButton
    private var decoder = ButtonDecoder()

    var deadline: Instant { decoder.deadline }

    /// Whether a press of this button is to be followed.
    func canFollow(_ button: UInt8) -> Bool { !decoder.isDown || button == place }

    /// Whether clicks of another button wait for more, which cannot come now.
    func mustEnd(for button: UInt8) -> Bool { button != place && decoder.deadline != .never }

    /// Its clicks are over, as another button is pressed.
    mutating func end(at now: Instant, _ times: ButtonSettings) -> DecoderOutput {
        decoded(decoder.deadlineReached(at: now, times))
    }

    /// It is pressed or released.
    mutating func contact(
        _ button: UInt8, _ level: Level, at now: Instant, _ times: ButtonSettings
    ) -> DecoderOutput {
        place = button
        return decoded(decoder.contact(level, at: now, times))
    }

    /// The level of its contact was read.
    mutating func levelRead(_ level: Level, _ times: ButtonSettings) -> DecoderOutput {
        decoded(decoder.levelRead(level, times))
    }

    mutating func deadlineReached(
        at now: Instant, clock: Instant, _ times: ButtonSettings
    ) -> DecoderOutput {
        let output = decoder.deadlineReached(at: now, times)
        if output.gestures.contains(.repeated) {
            decoder.boundRepetitions(at: now, clock: clock, times)
        }
        return decoded(output)
    }

    private func decoded(_ output: DecoderOutput) -> DecoderOutput {
        var output = output
        output.button = place
        return output
    }
}
