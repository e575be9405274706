import DetentTypes

/// What a decoder made of a contact's change; empty most of the time.
struct DecoderOutput: Equatable, BitwiseCopyable {
    /// The things that can have happened at one instant, told in the order of their bits.
    struct Gestures: OptionSet, Equatable, BitwiseCopyable {
        var rawValue: UInt16
        static var pressed: Gestures { Gestures(rawValue: 1) }
        static var released: Gestures { Gestures(rawValue: 2) }
        static var clicked: Gestures { Gestures(rawValue: 4) }
        static var multiClicked: Gestures { Gestures(rawValue: 8) }
        static var held: Gestures { Gestures(rawValue: 16) }
        static var repeated: Gestures { Gestures(rawValue: 32) }
        static var stepped: Gestures { Gestures(rawValue: 64) }
        static var moved: Gestures { Gestures(rawValue: 128) }
        static var invalid: Gestures { Gestures(rawValue: 256) }
        /// The level must be read before the gesture may count.
        static var verify: Gestures { Gestures(rawValue: 512) }
        static var lost: Gestures { Gestures(rawValue: 1024) }
        /// `singles` presses turned out to be nothing else.
        static var settled: Gestures { Gestures(rawValue: 2048) }
    }

    var gestures: Gestures = []
    /// The new position, for `moved`.
    var position = Value.unknown
    /// Detents, clockwise positive, for `stepped`.
    var delta: Int16 = 0
    /// Steps that `delta` is worth after acceleration.
    var steps: Int16 = 0
    /// How many clicks, for `multiClicked`.
    var clicks: UInt8 = 0
    /// How many presses, for `settled`.
    var singles: UInt8 = 0
    /// The place of the button, for `pressed` and `released` of a part with several.
    var button = DecoderOutput.noButton

    static var noButton: UInt8 { 255 }

    static var nothing: DecoderOutput { DecoderOutput() }
    var isEmpty: Bool { gestures.isEmpty }

    /// Presses turned out to be nothing else, which only an exclusive button tells.
    mutating func settle(_ presses: UInt8, _ settings: ButtonSettings) {
        guard settings.isExclusive, presses > 0 else { return }
        gestures.insert(.settled)
        singles = presses
    }

    static func moved(to position: Value) -> DecoderOutput {
        DecoderOutput(gestures: .moved, position: position)
    }
}
