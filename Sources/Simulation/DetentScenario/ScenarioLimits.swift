/// Every bound of scenarios in virtual time, and what happens when it is reached.
///
/// `GPIOSimLimits` has those of scenarios on gpio-sim.
public enum ScenarioLimits {
    /// Reports, writes and steps of attempts in a record. A run in virtual time ends there.
    public static let records = 10_000_000
    /// Entries of a record before an endless run passes on the completed part. Entries that are not
    /// complete stay, up to `records`.
    public static let recordPart = 4_096
    /// Steps of a scenario. Further ones are an error in the file.
    public static let steps = 10_000
    /// Reports of a device in one step. A larger number is an error in the file.
    public static let reports = 100_000
    /// Failures that a scenario collects. It ends at the last.
    public static let failures = 20
}
