public import DetentTypes

/// Every bound of the history, and what happens when it is reached.
public enum HistoryLimits {
    /// Events that wait to be written. The newest are dropped and counted; the log reports how
    /// many.
    public static let waitingRows = 8_192
    /// Events that are written together; fewer are written after `rowPause`.
    public static let rowsPerWrite = 64
    /// The longest time that an event without a value waits to be written.
    public static let rowPause = TimeSpan.seconds(5)
    /// Time from one write to the next, while values are confirmed. A confirmed value is written at
    /// once if nothing was written in this time.
    public static let confirmedPause = TimeSpan.milliseconds(100)
    /// Time from a failed write to the next attempt.
    public static let pauseAfterFailure = TimeSpan.seconds(60)
    /// The oldest events that are deleted together when there are more than the panel file allows.
    public static let rowsPerDeletion = 1_000
    /// How long a write waits for another program that has locked the database. After that it has
    /// failed.
    static let lockMilliseconds: Int32 = 1_000
}
