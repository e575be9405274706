import DetentTypes

/// The position of a part that a converter samples: a potentiometer, or a selector on a ladder of
/// resistors.
///
///     unknown ──sample──▶ settled(p) ──a sample beyond the band says q──▶ settling(q, until)
///                             ▲                                             │ until: moved
///                             └──────────────a sample says p────────────────┘
///
/// Without a time to settle, a sample beyond the band moves at once. Between two positions is a
/// band in which neither follows the other. So once the noise of a part at rest has shown its
/// highest and its lowest sample, nothing moves any more, unless the noise is wider than the band.
struct AnalogDecoder: Equatable, BitwiseCopyable {
    private enum State: Equatable, BitwiseCopyable {
        /// There was no sample yet.
        case unknown
        case settled
        case settling(UInt32, until: Instant)
    }

    private var state = State.unknown
    private var place: UInt32 = 0
    private var value = Value.unknown

    /// The value of the position; nil before the first sample.
    var position: Value? { state == .unknown ? nil : value }

    var deadline: Instant {
        switch state {
        case .unknown, .settled: .never
        case .settling(_, let until): until
        }
    }

    /// Takes the part as it is, at the start or after a fault; nothing is told.
    mutating func start(_ sample: Int32, _ settings: AnalogSettings) {
        state = .settled
        place = settings.position(at: settings.scale.fraction(of: sample))
        value = settings.value(at: place)
    }

    mutating func sample(
        _ sample: Int32, at now: Instant, _ settings: AnalogSettings
    ) -> DecoderOutput {
        let fraction = settings.scale.fraction(of: sample)
        let found = settings.position(at: fraction, after: place)
        guard found != place else {
            state = .settled
            return .nothing
        }
        guard settings.settle != .zero else { return move(to: found, settings) }
        switch state {
        case .unknown, .settled:
            state = .settling(found, until: now + settings.settle)
        case .settling(let former, let until):
            let isAnew = settings.settlesEach && former != found
            state = .settling(found, until: isAnew ? now + settings.settle : until)
        }
        return .nothing
    }

    mutating func deadlineReached(_ settings: AnalogSettings) -> DecoderOutput {
        switch state {
        case .unknown, .settled: .nothing
        case .settling(let found, _): move(to: found, settings)
        }
    }

    private mutating func move(to found: UInt32, _ settings: AnalogSettings) -> DecoderOutput {
        state = .settled
        place = found
        value = settings.value(at: found)
        return .moved(to: value)
    }
}
