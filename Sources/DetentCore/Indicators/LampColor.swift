/// What a lamp of several colours can show: a bit for red, one for green and one for blue.
public enum LampColor: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    /// Dark.
    case off = 0
    /// Red.
    case red = 1
    /// Green.
    case green = 2
    /// Red and green together; yellow to most eyes.
    case amber = 3
    /// Blue.
    case blue = 4
    /// Red and blue together.
    case magenta = 5
    /// Green and blue together.
    case cyan = 6
    /// All three together.
    case white = 7
}

/// The colour for each condition, for lamps that have several; lamps of one colour ignore it.
public struct ColorChoice: Equatable, Sendable, BitwiseCopyable {
    /// A line cannot be used.
    public var fault: LampColor = .red
    /// The last attempt failed.
    public var failed: LampColor = .red
    /// An attempt takes longer than `loadingAfter`.
    public var loading: LampColor = .amber
    /// A confirmation is under way.
    public var confirm: LampColor = .amber
    /// The position of the part differs from the state.
    public var mismatch: LampColor = .amber
    /// The device has been silent for too long.
    public var stale: LampColor = .amber
    /// The value is not confirmed.
    public var unconfirmed: LampColor = .amber
    /// Members differ.
    public var mixed: LampColor = .green
    /// Intents are refused for now.
    public var disabled: LampColor = .green
    /// The value is on.
    public var on: LampColor = .green
    /// The value is off; another colour than `off` makes the lamp shine then as well.
    public var off: LampColor = .off

    /// Makes the choice that red and green suffice for.
    public init() {}

    /// The colour of a condition.
    public subscript(condition: LampCondition) -> LampColor {
        get {
            switch condition {
            case .fault: fault
            case .failed: failed
            case .loading: loading
            case .confirm: confirm
            case .mismatch: mismatch
            case .stale: stale
            case .unconfirmed: unconfirmed
            case .mixed: mixed
            case .disabled: disabled
            case .on: on
            case .off: off
            }
        }
        set {
            switch condition {
            case .fault: fault = newValue
            case .failed: failed = newValue
            case .loading: loading = newValue
            case .confirm: confirm = newValue
            case .mismatch: mismatch = newValue
            case .stale: stale = newValue
            case .unconfirmed: unconfirmed = newValue
            case .mixed: mixed = newValue
            case .disabled: disabled = newValue
            case .on: on = newValue
            case .off: off = newValue
            }
        }
    }
}
