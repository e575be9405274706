public import DetentTypes

/// Every bound of the simulated world, and what happens when it is reached.
public enum WorldLimits {
    /// The codes of simulated failures: an exit status up to 255, an HTTP status above, and -1 for
    /// an action that was not started. Others are refused.
    public static let failureCodes: ClosedRange<Int32> = -1...599
    /// Speeds of the clock of a simulation, in thousandths of real speed. Others are refused.
    public static let clockRates = 100...100_000
    /// The longest that a finger holds, a glitch lasts, and an action takes. More is refused.
    public static let longest = TimeSpan.seconds(86_400)
    /// Changes that wait for their time. A gesture that would need more is refused as `tooMuch`.
    public static let plannedChanges = 65_536
    /// Detents of one turn, either way. More is refused as `tooMuch`.
    public static let detents = 1_000
    /// Pulses of one bounce. The bounce ends there, at the level that it was going to.
    public static let pulses = 100
    /// Simulated attempts in flight. A further one fails at once. Also failures that wait for their
    /// attempts, of one control or of any; further ones are forgotten.
    public static let attempts = 1_024
}
