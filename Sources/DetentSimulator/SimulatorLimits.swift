/// Every bound of a panel on the desk, and what happens when it is reached.
public enum SimulatorLimits {
    /// Steps that a session records. The recording ends there, and says so.
    public static var steps: Int { 10_000 }
}
