import DetentTypes

/// The position of a part with several contacts: rotary selector, coded selector, three-way lever.
///
///     settled(p) ──contacts say q──▶ settling(q, until) ──until──▶ settled(q): moved
///        ▲                               │ contacts say p or nothing
///        └───────────────────────────────┘
///
/// No contact at all holds the last position (break-before-make), unless a position is defined as
/// that. Several contacts are on the way (make-before-break), and invalid only if that lasts for
/// `settle`.
struct SelectorDecoder: Equatable, BitwiseCopyable {
    /// What the contacts say.
    private enum Reading: Equatable, BitwiseCopyable {
        case between
        case position(UInt8)
        case invalid
    }

    private enum State: Equatable, BitwiseCopyable {
        case settled
        case settling(Reading, until: Instant)
        /// Contacts that no position explains have been told once.
        case invalid
    }

    private let settings: SelectorSettings
    private var state = State.settled
    private(set) var position: UInt8 = 0
    /// No contact has ever named a position.
    private(set) var isUnknown = true

    init(_ settings: SelectorSettings) { self.settings = settings }

    var deadline: Instant {
        switch state {
        case .settled, .invalid: .never
        case .settling(_, let until): until
        }
    }

    /// Takes the contacts at start as they are; nothing is settled then, nothing is told.
    mutating func start(_ closed: UInt32) {
        state = .settled
        switch read(closed) {
        case .position(let found):
            position = found
            isUnknown = false
        case .between, .invalid:
            isUnknown = true
        }
    }

    /// Takes the contacts as they are after a fault; between two of them the last position holds.
    mutating func restart(_ closed: UInt32) {
        state = .settled
        if case .position(let found) = read(closed) {
            position = found
            isUnknown = false
        }
    }

    mutating func contacts(_ closed: UInt32, at now: Instant) {
        let reading = read(closed)
        switch (state, reading) {
        case (.settling(let pending, _), _) where pending == reading:
            break
        case (_, .between):
            state = .settled
        case (.settled, .position(let found)) where found == position && !isUnknown,
            (.settling, .position(let found)) where found == position && !isUnknown:
            state = .settled
        case (.invalid, .invalid):
            break
        case (.settled, _), (.settling, _), (.invalid, .position):
            state = .settling(reading, until: now + settings.settle)
        }
    }

    mutating func deadlineReached() -> DecoderOutput {
        guard case .settling(let reading, _) = state else { return .nothing }
        switch reading {
        case .between:
            state = .settled
            return .nothing
        case .invalid:
            state = .invalid
            return DecoderOutput(gestures: .invalid)
        case .position(let found):
            state = .settled
            let isSame = found == position && !isUnknown
            position = found
            isUnknown = false
            return isSame ? .nothing : .moved(to: Value(Int32(found)))
        }
    }

    private func read(_ closed: UInt32) -> Reading {
        var code = closed
        switch settings.coding {
        case .contacts:
            if closed == 0 {
                return settings.nonePosition == SelectorSettings.everyPositionHasContact
                    ? .between : .position(settings.nonePosition)
            }
            guard closed & (closed &- 1) == 0 else { return .invalid }
            let contact = UInt8(truncatingIfNeeded: closed.trailingZeroBitCount)
            // Positions behind the one without a contact stand one further on.
            return .position(contact < settings.nonePosition ? contact : contact &+ 1)
        case .gray:
            code ^= code >> 16
            code ^= code >> 8
            code ^= code >> 4
            code ^= code >> 2
            code ^= code >> 1
        case .binary:
            break
        }
        return code < UInt32(settings.positions)
            ? .position(UInt8(truncatingIfNeeded: code)) : .invalid
    }
}
