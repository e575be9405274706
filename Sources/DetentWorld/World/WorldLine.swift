import DetentHAL
import DetentPanel
import DetentTypes

/// A contact line between the mechanics and the chip: bounce, accidents, and the pull resistor.
struct WorldLine: Equatable, Sendable {
    enum Fault: Equatable, Sendable {
        case none
        /// Something stronger than the contact holds the line.
        case stuck(isHigh: Bool)
        case cut
    }

    /// How the contact is wired: whether the line is low while the contact conducts.
    let isActiveLow: Bool
    /// A part of the panel moves the line; else nothing does.
    var hasPart = false
    /// The resistor in the chip, as it was last asked for.
    var bias: Bias
    var random: SplitMix64
    /// What the contact conducts at this moment of its bounce.
    var contact = Level.inactive
    var fault = Fault.none
    var isGlitched = false
    /// What was last told.
    var wasHigh = false
    /// Grows with each change of the mechanics: bounces of former ones are void.
    var generation: UInt32 = 0

    init(_ plan: LinePlan, seed: UInt64, place: Int) {
        isActiveLow = plan.isActiveLow
        random = SplitMix64(seed: seed, stream: UInt64(place))
        bias = .asIs
        if case .contact(let contact) = plan.use {
            switch contact.bias {
            case .pullUp: bias = .pullUp
            case .pullDown: bias = .pullDown
            case .asIs: bias = .asIs
            case .disabled: bias = .disabled
            }
        }
    }

    /// What a voltmeter says.
    var isHigh: Bool {
        let isHigh: Bool =
            switch fault {
            case .none: hasPart ? (contact == .active) != isActiveLow : isPulledHigh
            case .stuck(let isHigh): isHigh
            case .cut: isPulledHigh
            }
        return isHigh != isGlitched
    }

    /// What the chip sees, after the polarity of the wiring.
    var level: Level { Level(isHigh != isActiveLow) }

    /// Without a resistor in the chip, one outside holds a part's line inactive, and any other low.
    private var isPulledHigh: Bool {
        switch bias {
        case .pullUp: true
        case .pullDown: false
        case .asIs, .disabled: hasPart && isActiveLow
        }
    }
}
