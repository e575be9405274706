import DetentTypes

/// What a lamp has to tell, highest priority first; `on` and `off` are the value alone.
public enum LampCondition: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    /// A line cannot be used.
    case fault
    /// The last attempt failed.
    case failed
    /// An attempt takes longer than `loadingAfter`.
    case loading
    /// A confirmation is under way.
    case confirm
    /// The position of the part or the value of the device differs from the state.
    case mismatch
    /// The device has been silent for too long.
    case stale
    /// The device was not asked yet, or the outcome of the last attempt is unknown.
    case unconfirmed
    /// Members differ.
    case mixed
    /// Intents are refused for now.
    case disabled
    /// Nothing else is to be told of a value that is on.
    case on
    /// Nothing else is to be told of a value that is off.
    case off
}

extension LampCondition {
    /// The highest condition of a control; `progress` is that of a confirmation, 0 without one.
    ///
    /// `flags` are those that a lamp tells: see `PatternChoice.told(of:)`.
    public init(flags: Flag, phase: Phase, progress: UInt8, isLit: Bool) {
        let value: LampCondition = isLit ? .on : .off
        let isPlain = flags.isDisjoint(with: [
            .fault, .mismatch, .stale, .unconfirmed, .mixed, .disabled,
        ])
        switch phase {
        case .idle, .pending:
            // Nearly always so.
            if isPlain, progress == 0 { self = value; return }
            self =
                flags.contains(.fault) ? .fault : Self.lower(flags, progress) ?? value
        case .failed:
            self = flags.contains(.fault) ? .fault : .failed
        case .loading:
            self = flags.contains(.fault) ? .fault : .loading
        }
    }

    /// The highest condition beneath the phases; nil where there is none.
    private static func lower(_ flags: Flag, _ progress: UInt8) -> LampCondition? {
        if progress != 0 { return .confirm }
        if flags.contains(.mismatch) { return .mismatch }
        if flags.contains(.stale) { return .stale }
        if flags.contains(.unconfirmed) { return .unconfirmed }
        if flags.contains(.mixed) { return .mixed }
        return flags.contains(.disabled) ? .disabled : nil
    }
}
