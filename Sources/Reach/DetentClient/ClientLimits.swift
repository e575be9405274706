public import DetentTypes

/// Every bound of the client, and what happens when it is reached.
public enum ClientLimits {
    /// How long a daemon may take to accept a connection. After that it counts as unreachable.
    public static var connecting: TimeSpan { .seconds(3) }
    /// How long a daemon may take to respond. After that the command fails.
    public static var answering: TimeSpan { .seconds(10) }
    /// How long a daemon that is followed may send nothing, not even a ping, of which it sends one
    /// every 15 s. After that the connection counts as lost.
    public static var silence: TimeSpan { .seconds(45) }
    /// Bytes of a response or a message: enough for the snapshot of 4096 controls with long names.
    /// A larger one ends the connection.
    public static var message: Int { 16 << 20 }
    /// The pause before a lost connection is retried; it doubles each time.
    public static var firstRetry: TimeSpan { .milliseconds(250) }
    /// The longest pause.
    public static var longestRetry: TimeSpan { .seconds(5) }
}

/// Time limits of a client; tests shorten them.
struct ClientTiming: Sendable {
    var answering = ClientLimits.answering
    var silence = ClientLimits.silence
}
