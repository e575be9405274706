public import DetentTypes

/// Every bound of the client, and what happens when it is reached.
public enum ClientLimits {
    /// How long a daemon may take to accept a connection. It counts as unreachable after that.
    public static var connecting: TimeSpan { .seconds(3) }
    /// How long a daemon may take to answer. The command fails after that.
    public static var answering: TimeSpan { .seconds(10) }
    /// Bytes of an answer or a message: the snapshot of 4096 controls with long names. A larger one
    /// ends the connection.
    public static var message: Int { 16 << 20 }
    /// Pause before a lost connection is tried again; it doubles each time.
    public static var firstRetry: TimeSpan { .milliseconds(250) }
    /// The longest that this pause grows to.
    public static var longestRetry: TimeSpan { .seconds(5) }
}
