public import DetentTypes

/// Every bound of the simulated world, and what happens when it is reached.
public enum WorldLimits {
    /// The failure codes of a simulated action: an exit code, or an HTTP status; -1 for a program
    /// that could not be started. Others are refused.
    public static let failureCodes: ClosedRange<Int32> = -1...599
    /// Rates of a simulation's clock, in thousandths of real speed. Others are refused.
    public static let clockRates = 100...100_000
    /// The longest time of a press, a glitch and an action. More is refused.
    public static let longest = TimeSpan.seconds(86_400)
    /// Planned changes. A gesture that would need more is refused as `tooMuch`.
    public static let plannedChanges = 65_536
    /// Detents of one turn, in either direction. More is refused as `tooMuch`.
    public static let detents = 1_000
    /// Pulses of one bounce. The bounce then ends at its new level.
    public static let pulses = 100
    /// Classes of bounces in one direction of a measured profile. More are refused.
    public static let bounceClasses = 12
    /// Simulated attempts that run at the same time; a further one fails at once. Also waiting
    /// failures of one control, or of any control; further ones are ignored.
    public static let attempts = 1_024
}
