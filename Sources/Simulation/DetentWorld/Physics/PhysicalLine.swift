import DetentCore
import DetentHAL
import DetentPanel
import DetentTypes

/// A contact line between the mechanics and the chip: bounce, faults, and the pull resistor.
struct PhysicalLine: Equatable, Sendable {
    enum Fault: Equatable, Sendable {
        case none
        /// The line is held by something stronger than the contact.
        case stuck(isHigh: Bool)
        case cut
    }

    /// The wiring of the contact: whether the line is low while the contact conducts.
    let isActiveLow: Bool
    /// Whether a part of the panel moves the line.
    var hasPart = false
    /// The pull resistor in the chip, as last requested.
    var bias: Bias
    var random: SplitMix64
    /// The state of the contact at this moment of its bounce.
    var contact = Level.inactive
    var fault = Fault.none
    var isGlitched = false
    /// The last reported level.
    var wasHigh = false
    /// What a converter samples where the part stands; nil for a line with levels.
    var standing: Int32?
    /// The samples at both ends of the part.
    var scale = AnalogScale(first: 0, last: 1)
    /// The last reported sample.
    var wasSampled: Int32 = 0
    /// Grows with each change of the mechanics, which makes earlier bounces invalid.
    var generation: UInt32 = 0

    init(_ plan: LinePlan, seed: UInt64, place: Int) {
        isActiveLow = plan.isActiveLow
        random = SplitMix64(seed: seed, stream: UInt64(place))
        bias = .asIs
        if case .contact(let contact) = plan.use { bias = contact.bias.line }
    }

    /// The electrical level.
    var isHigh: Bool {
        let isHigh: Bool =
            switch fault {
            case .none: hasPart ? (contact == .active) != isActiveLow : isPulledHigh
            case .stuck(let isHigh): isHigh
            case .cut: isPulledHigh
            }
        return isHigh != isGlitched
    }

    /// What a converter samples; nil for a line with levels. A broken wire of the wiper is pulled
    /// to ground, and a line that is stuck or disturbed is at an end.
    var sample: Int32? {
        guard let standing else { return nil }
        let ends = (low: min(scale.first, scale.last), high: max(scale.first, scale.last))
        switch fault {
        case .none:
            guard isGlitched else { return standing }
            return scale.fraction(of: standing) < AnalogScale.full / 2 ? scale.last : scale.first
        case .stuck(let isHigh): return isHigh ? ends.high : ends.low
        case .cut: return ends.low
        }
    }

    /// The level after the polarity of the wiring.
    var level: Level { Level(isHigh != isActiveLow) }

    /// Without a resistor in the chip, an external one holds a part's line inactive, and any other
    /// line low.
    private var isPulledHigh: Bool {
        switch bias {
        case .pullUp: true
        case .pullDown: false
        case .asIs, .disabled: hasPart && isActiveLow
        }
    }
}
