/// Every bound of scenarios in virtual time, and what happens when it is reached.
///
/// Those of scenarios on gpio-sim's lines are `GPIOSimLimits`.
public enum ScenarioLimits {
    /// Reports, writes and steps of attempts that a record holds. A run in virtual time ends there.
    public static let records = 10_000_000
    /// Entries of a record before a run without end gives away what is settled. What cannot be
    /// given away yet stays, up to `records`.
    public static let recordPart = 4_096
    /// Steps of a scenario. Further ones are an error in the file.
    public static let steps = 10_000
    /// Failures that a scenario collects. It ends at the last of them.
    public static let failures = 20
}
