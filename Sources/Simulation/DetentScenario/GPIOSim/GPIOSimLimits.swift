public import DetentTypes

/// Every bound of scenarios on real lines, and what happens when it is reached.
public enum GPIOSimLimits {
    /// How much earlier or later than in the file something may happen. Later events fail.
    ///
    /// A process that wakes late on a busy machine needs a part of it; people notice 100 ms.
    public static var tolerance: TimeSpan { .milliseconds(50) }
    /// How long the panel may take to react to a line. States that it reached within this time
    /// after the end of a step are ignored if the program wakes later than that.
    public static var reaction: TimeSpan { .milliseconds(10) }
    /// The narrowest pulse that two writes can produce. A narrower one is refused.
    public static var narrowestGlitch: TimeSpan { .milliseconds(1) }
    /// How long edges from before the start may take to arrive.
    public static var settling: TimeSpan { .milliseconds(20) }
    /// Reports of one run. The run ends when there are more.
    public static var reports: Int { 100_000 }
    /// Earlier states of a control that an expectation checks; older ones are removed.
    public static var states: Int { 256 }
    /// Differences from the expected trace that are shown.
    public static var differences: Int { 5 }
}
