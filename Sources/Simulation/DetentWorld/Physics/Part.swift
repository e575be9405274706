import DetentCore
import DetentTypes

/// The mechanics of a part: its position, and the contacts that it closes.
struct Part: Equatable, Sendable {
    let decoder: DecoderSettings
    private let isLever: Bool
    /// All contacts of the part; that of the cover is the last.
    let contacts: PlanRange
    /// Whether the part has a cover, which closes the last contact while it is shut.
    let hasCover: Bool
    /// How the contacts bounce from their next change on.
    var bounce: BounceProfile
    /// Position of a lever or selector from 0; quarter turns of an encoder, modulo 4.
    var position: Int
    /// The contacts that the mechanics close, one bit each.
    var closed: UInt32
    /// Transitions that will not reach the contacts.
    var droppedTransitions = 0

    init(_ settings: ControlSettings, _ choice: BounceChoice) {
        contacts = settings.contacts
        hasCover = settings.hasGuard && settings.contacts.count > 0
        decoder = settings.decoder
        // A lever with a centre position is decoded as a selector, and moves like a lever.
        isLever = settings.nature == .threeWay || decoder == .lever
        bounce = .none
        position = 0
        closed = 0
        if case .encoder(let encoder) = decoder {
            position = Self.quarters.firstIndex(of: encoder.rest & 3) ?? 0
        }
        // Where nothing is switched on: in no contact, or at the default.
        if case .selector(let selector) = decoder {
            let hasContacts = selector.nonePosition == SelectorSettings.everyPositionHasContact
            let last = Int(selector.positions) - 1
            let fallback = min(max(0, Int(settings.startup.fallback.raw)), last)
            position = hasContacts ? max(0, fallback) : Int(selector.nonePosition)
        }
        if case .analog(let analog) = decoder {
            position = Int(analog.position(of: settings.startup.fallback))
        }
        if settings.nature == .threeWay { position = 1 }
        closed = pattern(at: position) | coverBit
        bounce = profile(of: choice)
    }

    /// The profile for this kind of part.
    func profile(of choice: BounceChoice) -> BounceProfile {
        switch (choice, decoder) {
        case (_, .none), (_, .analog): .none
        case (.all(let one), _): one
        case (.perPart(_, let lever, _, _), _) where isLever: lever
        case (.perPart(let button, _, _, _), .button), (.perPart(let button, _, _, _), .buttonRow):
            button
        case (.perPart(_, let lever, _, _), .lever): lever
        case (.perPart(_, _, let selector, _), .selector): selector
        case (.perPart(_, _, _, let encoder), .encoder): encoder
        }
    }

    /// The number of contacts without that of the cover.
    var ownContacts: Int { Int(contacts.count) - (hasCover ? 1 : 0) }

    /// The contact of the cover; 0 if there is none.
    var coverBit: UInt32 { hasCover ? 1 << UInt32(contacts.count - 1) : 0 }

    /// The contacts that the position determines; those of buttons and the cover are independent.
    var positionMask: UInt32 {
        switch decoder {
        case .none, .button, .buttonRow, .analog: 0
        case .lever, .selector: ~coverBit
        case .encoder: 3
        }
    }

    /// The number of buttons, including the push of an encoder.
    var buttons: Int { decoder.buttons(contacts: ownContacts) }

    /// The contact of a button, by its index from 0.
    func bit(ofButton button: Int) -> UInt32 {
        if case .encoder = decoder { return 4 }
        return 1 << UInt32(button)
    }

    /// Levels of A (bit 1) and B (bit 0) through a clockwise turn: A changes first from rest.
    static let quarters: [UInt8] = [0b00, 0b10, 0b11, 0b01]

    /// The contacts that a position closes; for an encoder without that of its push.
    func pattern(at position: Int) -> UInt32 {
        switch decoder {
        case .none, .button, .buttonRow, .analog:
            return 0
        case .lever:
            if ownContacts < 2 { return position == 0 ? 0 : 1 }
            return position == 0 ? 2 : 1
        case .selector(let settings):
            return Self.pattern(of: settings, at: position)
        case .encoder:
            let levels = Self.quarters[position & 3]
            return UInt32(levels >> 1 | (levels & 1) << 1)
        }
    }

    private static func pattern(of settings: SelectorSettings, at position: Int) -> UInt32 {
        switch settings.coding {
        case .binary: return UInt32(position)
        case .gray: return UInt32(position ^ position >> 1)
        case .contacts:
            let without = Int(settings.nonePosition)
            if position == without { return 0 }
            return 1 << UInt32(position > without ? position - 1 : position)
        }
    }
}
