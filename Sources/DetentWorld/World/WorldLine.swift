import DetentPanel
import DetentTypes

/// A contact line between the mechanics and the chip: bounce, accidents, and the pull resistor.
struct WorldLine: Equatable, Sendable {
    enum Fault: Equatable, Sendable {
        case none
        case stuck(Level)
        case cut
    }

    let isActiveLow: Bool
    /// The logical level of the line when nothing but its pull holds it.
    let pulled: Level
    var random: SplitMix64
    /// What the contact conducts at this moment of its bounce.
    var contact = Level.inactive
    var fault = Fault.none
    var isGlitched = false
    /// The level that was last told.
    var told = Level.inactive
    /// Grows with each change of the mechanics: bounces of former ones are void.
    var generation: UInt32 = 0

    init(_ plan: LinePlan, seed: UInt64, place: Int) {
        isActiveLow = plan.isActiveLow
        random = SplitMix64(seed: seed, stream: UInt64(place))
        if case .contact(let contact) = plan.use {
            switch contact.bias {
            case .pullUp: pulled = Level(!plan.isActiveLow)
            case .pullDown: pulled = Level(plan.isActiveLow)
            case .asIs, .disabled: pulled = .inactive
            }
        } else {
            pulled = .inactive
        }
    }

    /// What the chip sees, after polarity.
    var level: Level {
        let level: Level =
            switch fault {
            case .none: contact
            case .stuck(let stuck): stuck
            case .cut: pulled
            }
        return isGlitched ? level.opposite : level
    }
}
