import DetentScenario
public import DetentTypes
import DetentWorld

/// Every bound of a panel on the desk, and what happens when it is reached.
public enum SimulatorLimits {
    /// Steps that a session records. The recording ends there, and says so in its file.
    ///
    /// One more stands at the end of the file, for what the panel must have come to.
    public static var steps: Int { ScenarioLimits.steps - 1 }
    /// Events that a session keeps for its expected trace. The recording ends there, and says so.
    public static var events: Int { 200_000 }
    /// Changes that a trace shows. It ends there.
    public static var traceChanges: Int { 1_000_000 }
    /// Gestures that wait until earlier ones on the same contact have been played. More are refused
    /// as too much, and counted.
    public static var waitingGestures: Int { 64 }
    /// Moments at which something happens that one turn does, so that nobody waits long for the
    /// panel. The next turn goes on at once.
    public static var momentsPerTurn: Int { 100 }
    /// Moments that a panel catches up with. Where it is still behind then, its clock is set back
    /// to where it is: at a speed that the machine cannot keep up with, it goes as fast as it can.
    public static var momentsBehind: Int { 1_000 }
    /// The longest bounce that can be asked for. More is refused.
    public static var longestBounce: TimeSpan { .seconds(1) }
}
