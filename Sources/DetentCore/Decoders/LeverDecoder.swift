import DetentTypes

/// The position of an ON-OFF lever: one contact, or the two of a changeover.
///
/// A changeover holds its last position while both contacts or none are closed: it is on its way.
struct LeverDecoder: Equatable, BitwiseCopyable {
    private(set) var position = Value.off

    /// The position that the contacts say, or nil while they say none.
    private static func position(_ closed: UInt32, contacts: UInt16) -> Value? {
        if contacts <= 1 { return closed & 1 != 0 ? .on : .off }
        switch closed & 3 {
        case 1: return .on
        case 2: return .off
        case _: return nil
        }
    }

    mutating func start(_ closed: UInt32, contacts: UInt16) {
        position = Self.position(closed, contacts: contacts) ?? .off
    }

    mutating func contacts(_ closed: UInt32, contacts: UInt16) -> DecoderOutput {
        guard let now = Self.position(closed, contacts: contacts), now != position else {
            return .nothing
        }
        position = now
        return .moved(to: now)
    }
}
