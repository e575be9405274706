package import DetentCore
package import DetentTypes
package import DetentWorld

/// A panel that stimuli are applied to, at its present moment: in virtual time, or on the lines of
/// gpio-sim.
package protocol ScenarioStage: AnyObject {
    /// Begins gestures, and does not wait for them.
    func begin(_ gestures: [PartGesture]) throws(GestureError)
    /// Hands the engine something from outside.
    func tell(_ event: Event)
    /// Lets the attempt of a control that is in flight fail, or else its next one.
    func failAction(_ control: ControlID, code: Int32)
    /// Lets the next attempt fail, whichever control it is for.
    func failNext()
    /// From now on attempts of a control go by another script.
    func follow(_ script: ActionScript, for control: ControlID)
    /// The contacts of a control bounce otherwise from now on.
    func setBounce(of control: ControlID, _ word: BounceWord)
    /// The device behind a control takes another value.
    func setDevice(_ control: ControlID, to value: Value)
}

extension ScenarioStage {
    /// Does what a stimulus says: its one meaning for files, for the simulator and for recordings.
    ///
    /// - Throws: `GestureError` where a part cannot be moved so; gestures before it have begun.
    package func apply(_ stimulus: Stimulus) throws(GestureError) {
        switch stimulus {
        case .gestures(let gestures): try begin(gestures)
        case .tell(let event): tell(event)
        case .failAction(let control, let code): failAction(control, code: code)
        case .failNext: failNext()
        case .actions(let control, let script): follow(script, for: control)
        case .bounce(let control, let word): setBounce(of: control, word)
        case .device(let control, let value): setDevice(control, to: value)
        case .feedback(let control, let value):
            setDevice(control, to: value)
            tell(.feedback(control, value))
        }
    }
}
