public import DetentTypes

/// Every bound of a soak run, and what happens when it is reached.
public enum SoakLimits {
    /// Violations that a checker keeps. Further ones are not recorded; one is enough to fail.
    public static let violations = 100
    /// Runs that shrinking one failure may take. The shortest list found by then is the result.
    public static let shrinkRuns = 2_000
    /// Seeds of one call of `detent soak`. A longer range is refused.
    public static let seeds: UInt64 = 1_000_000_000
    /// The longest time that a panel gets to come to rest. What takes longer is still under way
    /// when the laws are checked, and counts as a violation of `phases` or `menus`.
    public static let rest = TimeSpan.seconds(3_600)
}
