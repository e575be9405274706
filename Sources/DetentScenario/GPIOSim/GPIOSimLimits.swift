public import DetentTypes

/// Every bound of scenarios on real lines, and what happens when it is reached.
public enum GPIOSimLimits {
    /// How much earlier or later than the file says something may happen. What comes later fails.
    ///
    /// A process that is woken late on a busy machine needs some of it; a person sees 100 ms.
    public static var tolerance: TimeSpan { .milliseconds(50) }
    /// How long the panel may take to show what a line does. What it showed in this time after the
    /// end of a step is not looked at, if the program is awake again later than that.
    public static var reaction: TimeSpan { .milliseconds(10) }
    /// The narrowest pulse that a program can make with two writes. A narrower one is refused.
    public static var narrowestGlitch: TimeSpan { .milliseconds(1) }
    /// How long edges that were made before the start may take to reach the program.
    public static var settling: TimeSpan { .milliseconds(20) }
    /// Reports that a run keeps. It ends there.
    public static var reports: Int { 100_000 }
    /// States of a control that an expectation looks back on; older ones are forgotten.
    public static var states: Int { 256 }
    /// Differences from the expected trace that are shown.
    public static var differences: Int { 5 }
}
