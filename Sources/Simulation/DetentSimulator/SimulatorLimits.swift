import DetentScenario
public import DetentTypes

/// Every bound of a simulated panel, and what happens when it is reached.
public enum SimulatorLimits {
    /// Steps that a session records. The recording ends there, with a comment in its file.
    ///
    /// The file has one more step, with the expected final state.
    public static var steps: Int { ScenarioLimits.steps - 1 }
    /// Events that a session stores for its expected trace. The recording ends there, with a
    /// comment in its file.
    public static var events: Int { 200_000 }
    /// Changes in a trace. It ends there.
    public static var traceChanges: Int { 1_000_000 }
    /// Gestures that wait for earlier ones on the same contact. Further ones are refused and
    /// counted.
    public static var waitingGestures: Int { 64 }
    /// Moments that one turn handles, so that callers do not wait long. The next turn follows at
    /// once.
    public static var momentsPerTurn: Int { 100 }
    /// Moments by which a panel may be behind. After that, its clock is set back to the panel's
    /// moment: at a rate that the machine cannot reach, it runs as fast as it can.
    public static var momentsBehind: Int { 1_000 }
    /// Bytes of what a simulated device says or answers. More is refused.
    public static var saidBytes: Int { 4_096 }
    /// The longest bounce that can be set. More is refused.
    public static var longestBounce: TimeSpan { .seconds(1) }
}
