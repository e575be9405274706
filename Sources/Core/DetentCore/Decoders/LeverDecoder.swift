import DetentTypes

/// The position of an ON-OFF lever: one contact, or the two of a changeover.
///
/// A changeover holds its last position while both contacts or none are closed: it is on its way.
struct LeverDecoder: Equatable, BitwiseCopyable {
    private enum Contacts: Equatable, BitwiseCopyable {
        case one
        case changeover
    }

    private(set) var position = Value.off
    private let contacts: Contacts

    /// - Parameter contactCount: 1, or 2 for a changeover: closed on, closed off.
    init(contactCount: UInt16) {
        contacts = contactCount <= 1 ? .one : .changeover
    }

    /// The position that the contacts say, or nil while they say none.
    private func position(_ closed: UInt32) -> Value? {
        let isOn = closed & 1 != 0
        let isOff = closed & 2 != 0
        switch contacts {
        case .one: return isOn ? .on : .off
        case .changeover:
            switch (isOn, isOff) {
            case (true, false): return .on
            case (false, true): return .off
            case (false, false), (true, true): return nil
            }
        }
    }

    mutating func start(_ closed: UInt32) {
        position = position(closed) ?? .off
    }

    mutating func contacts(_ closed: UInt32) -> DecoderOutput {
        guard let now = position(closed), now != position else { return .nothing }
        position = now
        return .moved(to: now)
    }
}
