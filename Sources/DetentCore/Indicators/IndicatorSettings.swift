/// Which lamps show a control, and with which patterns.
public struct IndicatorSettings: Equatable, Sendable, BitwiseCopyable {
    /// How the lamps share the work.
    public enum Style: Equatable, Sendable, BitwiseCopyable {
        /// One lamp tells value and condition.
        case single
        /// A lamp for each option: that of the shown option tells the condition, the others are
        /// off.
        case perOption
    }

    /// How lamps stand for values.
    public var style: Style
    /// The lamps' lines; none where the control has no lamp.
    public var lines: LineRange
    /// What each condition looks like.
    public var patterns: PatternChoice

    /// Makes the settings.
    public init(
        style: Style = .single, lines: LineRange = .none, patterns: PatternChoice = PatternChoice()
    ) {
        self.style = style
        self.lines = lines
        self.patterns = patterns
    }
}

/// The pattern for each condition; a panel may change any of them.
public struct PatternChoice: Equatable, Sendable, BitwiseCopyable {
    /// A line cannot be used.
    public var fault: Pattern = .tripleWink
    /// The last attempt failed.
    public var failed: Pattern = .flashBurst
    /// An attempt takes its time.
    public var loading: Pattern = .blink
    /// A confirmation is under way.
    public var confirm: Pattern = .blink
    /// The part stands elsewhere than its state.
    public var mismatch: Pattern = .wink
    /// The device has been silent for too long.
    public var stale: Pattern = .doubleWink
    /// Members differ.
    public var mixed: Pattern = .breathe
    /// Intents are refused for now.
    public var disabled: Pattern = .slowWink

    /// Makes the choice of the guidelines.
    public init() {}
}
