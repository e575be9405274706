/// Every bound of the server, and what happens when it is reached.
public enum ServerLimits {
    /// Connections at once. A further one is answered 503 and closed.
    public static var connections: Int { 16 }
}
