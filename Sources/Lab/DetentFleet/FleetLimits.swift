public import DetentTypes

/// Every bound of a fleet, and what happens when it is reached.
public enum FleetLimits {
    /// Panels of one fleet. A larger count is refused: start several fleets with `--first`.
    public static let panels = 10_000
    /// The highest number of a panel. A higher one is refused.
    public static let highestNumber = 1_000_000
    /// Operations of one panel in a second. Another rate is refused.
    public static let rates: ClosedRange<Double> = 0.001...50
    /// How long users operate the panels. Another time is refused.
    public static let durations: ClosedRange<TimeSpan> = .milliseconds(100)...(.seconds(86_400))
    /// Connections that wait for the broker's first answer. Further ones begin later: a broker
    /// keeps about a hundred that it has not accepted yet, and drops more.
    public static let connecting = 48
    /// How long the panels may take until all are connected. After that the users begin, and the
    /// report says how many panels are missing.
    public static let gathering = TimeSpan.seconds(60)
    /// How long the listener tries to reach the broker at the start. After that the fleet ends.
    public static let reach = TimeSpan.seconds(10)
    /// How long the last messages may take at the end. What is still missing then is lost.
    public static let settling = TimeSpan.seconds(3)
    /// How long the panels may take to disconnect. After that the connections are closed.
    public static let goodbye = TimeSpan.seconds(5)
    /// Panels that do what is due before the sockets are looked at again. Else messages that have
    /// arrived would wait for all panels that are due.
    static let turn = 4
    /// The pause between two attempts of the listener to connect.
    public static let listenerPause = TimeSpan.milliseconds(100)
    /// How often a connection is looked after while its socket is quiet: it sends its pings.
    public static let care = TimeSpan.seconds(1)
    /// How long before the fleet the oldest panel started.
    public static let startSpread = TimeSpan.seconds(1)
    /// How often TLS is carried on while the broker has not answered.
    public static let haste = TimeSpan.milliseconds(10)
    /// How often the progress is told.
    public static let progress = TimeSpan.seconds(1)
    /// How long a simulated action takes.
    public static let action = TimeSpan.milliseconds(100)
    /// Problems of connections that are kept for the report. Further ones are only counted.
    public static let problems = 8
    /// Descriptors of one connection: its socket, and two with which libmosquitto wakes itself.
    public static let descriptorsOfPanel = 3
    /// Descriptors of the rest of the program.
    public static let otherDescriptors = 64
    /// Messages of a topic that wait for the listener. The oldest is lost.
    public static let waitingOfTopic = 1_024
}
