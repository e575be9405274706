package import DetentCore
package import DetentWorld

/// A panel that stimuli are applied to, at its current moment: in virtual time, or on the lines of
/// gpio-sim.
package protocol ScenarioStage: AnyObject {
    /// Begins gestures without waiting for them.
    func begin(_ gestures: [PartGesture]) throws(GestureError)
    /// Passes an event from outside to the engine.
    func send(_ event: Event)
    /// Changes what is beyond the panel, by any other stimulus.
    func change(_ stimulus: Stimulus)
}

extension ScenarioStage {
    /// Applies a stimulus. Scenario files, the simulator and recordings share this implementation.
    ///
    /// - Throws: `GestureError` if a part does not support a gesture; earlier gestures have begun.
    package func apply(_ stimulus: Stimulus) throws(GestureError) {
        switch stimulus {
        case .gestures(let gestures): try begin(gestures)
        case .tell(let event): send(event)
        default: change(stimulus)
        }
    }
}
