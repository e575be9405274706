/// Which lamps show a control, and what each condition looks like.
public struct IndicatorSettings: Equatable, Sendable, BitwiseCopyable {
    /// How the lamps share the work.
    public enum Style: Equatable, Sendable, BitwiseCopyable {
        /// One lamp tells value and condition.
        case single
        /// A lamp for each option: that of the shown option tells the condition, the others are
        /// off.
        case perOption
        /// One lamp of two colours, its lines red and green; both at once are amber.
        case twoColor
        /// One lamp of three colours, its lines red, green and blue.
        case rgb
    }

    /// How lamps stand for values.
    public var style: Style
    /// The lamps' lines; none where the control has no lamp.
    public var lines: PlanRange
    /// What each condition looks like.
    public var patterns: PatternChoice
    /// Which colour each condition has, on lamps of several colours.
    public var colors: ColorChoice
    /// How bright a lit lamp is, in hundredths, 1 to 100; below 100 it is switched a hundred times
    /// a second.
    public var brightness: UInt8

    /// Makes the settings.
    public init(
        style: Style = .single, lines: PlanRange = .none, patterns: PatternChoice = PatternChoice(),
        colors: ColorChoice = ColorChoice(), brightness: UInt8 = 100
    ) {
        self.style = style
        self.lines = lines
        self.patterns = patterns
        self.colors = colors
        self.brightness = brightness
    }
}

/// The pattern for each condition; a panel may change any of them.
public struct PatternChoice: Equatable, Sendable, BitwiseCopyable {
    /// A line cannot be used.
    public var fault: Pattern = .tripleWink
    /// The last attempt failed.
    public var failed: Pattern = .flashBurst
    /// An attempt takes longer than `loadingAfter`.
    public var loading: Pattern = .blink
    /// A confirmation is under way.
    public var confirm: Pattern = .fill
    /// The position of the part differs from the state.
    public var mismatch: Pattern = .wink
    /// The device has been silent for too long.
    public var stale: Pattern = .doubleWink
    /// The value is not confirmed; `off`, the default: lamps do not tell this condition.
    public var unconfirmed: Pattern = .off
    /// Members differ.
    public var mixed: Pattern = .breathe
    /// Intents are refused for now.
    public var disabled: Pattern = .slowWink

    /// Makes the choice of the guidelines.
    public init() {}

    /// The pattern of a condition; that of a value is steady or off.
    public subscript(condition: LampCondition) -> Pattern {
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
        case .on: .steady
        case .off: .off
        }
    }

    /// The flags of a control that its lamps tell.
    @inline(__always)
    public func told(of flags: Flag) -> Flag {
        guard flags.contains(.unconfirmed), unconfirmed == .off else { return flags }
        return flags.subtracting(.unconfirmed)
    }
}
