import DetentTypes

/// Press and release of a row of momentary contacts, each for itself.
struct ButtonRowDecoder: Equatable, BitwiseCopyable {
    /// Buttons whose press was told, a bit for each; one that is held at start is no press.
    private var pressed: UInt32 = 0

    /// A press was told whose release has not come.
    var isAnyDown: Bool { pressed != 0 }

    mutating func start() {
        pressed = 0
    }

    /// A contact is back after a fault: no press is made up, but one that was told is released.
    mutating func restart(_ button: UInt8, _ level: Level) -> DecoderOutput {
        level == .active ? .nothing : contact(button, .inactive)
    }

    mutating func contact(_ button: UInt8, _ level: Level) -> DecoderOutput {
        guard button < 32 else { return .nothing }
        let bit = UInt32(1) << UInt32(button)
        switch level {
        case .active:
            guard pressed & bit == 0 else { return .nothing }
            pressed |= bit
            return DecoderOutput(gestures: .pressed, button: button)
        case .inactive:
            guard pressed & bit != 0 else { return .nothing }
            pressed &= ~bit
            return DecoderOutput(gestures: .released, button: button)
        }
    }
}
