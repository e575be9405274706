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
    /// a second, unless its lines have levels.
    public var brightness: UInt8
    /// Whether every line can be as bright as it is told to be.
    public var hasLevels: Bool

    /// Makes the settings.
    public init(
        style: Style = .single, lines: PlanRange = .none, patterns: PatternChoice = PatternChoice(),
        colors: ColorChoice = ColorChoice(), brightness: UInt8 = 100, hasLevels: Bool = false
    ) {
        self.style = style
        self.lines = lines
        self.patterns = patterns
        self.colors = colors
        self.brightness = brightness
        self.hasLevels = hasLevels
    }
}
