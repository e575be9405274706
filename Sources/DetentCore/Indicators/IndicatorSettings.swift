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

    public var style: Style
    /// The lamps' lines; none where the control has no lamp.
    public var lines: LineRange
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
    public var fault: Pattern = .tripleWink
    public var failed: Pattern = .flashBurst
    public var loading: Pattern = .blink
    public var confirm: Pattern = .blink
    public var mismatch: Pattern = .wink
    public var stale: Pattern = .doubleWink
    public var mixed: Pattern = .breathe
    public var disabled: Pattern = .slowWink

    /// Makes the choice of the guidelines.
    public init() {}
}
