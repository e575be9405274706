import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes

/// Replays a capture through a panel; every action succeeds at once.
enum CaptureRunner {
    /// - Parameter end: when to stop; nil: when only repeats and patterns remain.
    /// - Throws: `EngineError` if the plan exceeds a limit of the engine.
    static func run(
        _ plan: PanelPlan, edges: [CaptureEdge], until end: Instant? = nil
    ) throws(EngineError) -> VirtualRecord {
        let runner = try VirtualRunner(plan, backend: CaptureBackend(plan, edges: edges))
        if let end {
            runner.run(until: end)
        } else {
            runner.runUntilQuiet()
        }
        return runner.record
    }
}
