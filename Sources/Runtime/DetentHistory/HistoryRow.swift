/// One event of the history.
public struct HistoryRow: Equatable, Sendable {
    /// Its number, from 1; 0 before it is written. Numbers have no gaps.
    public var number: Int64
    /// The time of day in milliseconds since 1970, UTC, by the clock of this machine.
    public var milliseconds: Int64
    /// The id of its control.
    public var control: String
    /// Its word, such as `changed`.
    public var event: String
    /// The event as one JSON object.
    public var line: String

    /// Makes an event.
    public init(
        number: Int64 = 0, milliseconds: Int64, control: String, event: String, line: String
    ) {
        self.number = number
        self.milliseconds = milliseconds
        self.control = control
        self.event = event
        self.line = line
    }
}
