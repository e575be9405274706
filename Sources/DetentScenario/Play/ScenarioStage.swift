package import DetentCore
package import DetentTypes
package import DetentWorld

/// A panel that stimuli are applied to, at its current moment: in virtual time, or on the lines of
/// gpio-sim.
package protocol ScenarioStage: AnyObject {
    /// Begins gestures without waiting for them.
    func begin(_ gestures: [PartGesture]) throws(GestureError)
    /// Passes an event from outside to the engine.
    func tell(_ event: Event)
    /// Makes the running attempt of a control fail, or otherwise its next one.
    func failAction(_ control: ControlID, code: Int32)
    /// Makes the running attempt of a control succeed now; without one, nothing changes.
    func finishAction(_ control: ControlID)
    /// Makes the next attempt of any control fail.
    func failNext()
    /// Sets the script for later attempts of a control.
    func follow(_ script: ActionScript, for control: ControlID)
    /// Sets how the contacts of a control bounce.
    func setBounce(of control: ControlID, _ word: BounceSelection)
    /// The device of a control reports nothing from now on, or reports again.
    func setSilent(_ control: ControlID, _ isSilent: Bool)
    /// The broker goes away, or comes back.
    func setBroker(isThere: Bool)
    /// Whether the panel can hear the device of a control.
    func hears(_ control: ControlID) -> Bool
    /// What reports the value of a control's device says these texts from now on.
    func report(_ reports: DeviceReports, of control: ControlID)
    /// Changes the value of a control's device.
    func setDevice(_ control: ControlID, to value: Value)
}

extension ScenarioStage {
    /// Applies a stimulus. Scenario files, the simulator and recordings share this implementation.
    ///
    /// - Throws: `GestureError` if a part does not support a gesture; earlier gestures have begun.
    package func apply(_ stimulus: Stimulus) throws(GestureError) {
        switch stimulus {
        case .gestures(let gestures): try begin(gestures)
        case .tell(let event): tell(event)
        case .failAction(let control, let code): failAction(control, code: code)
        case .failNext: failNext()
        case .finishAction(let control): finishAction(control)
        case .actions(let control, let script): follow(script, for: control)
        case .bounce(let control, let word): setBounce(of: control, word)
        case .device(let control, let value): setDevice(control, to: value)
        case .feedback(let control, let value):
            setDevice(control, to: value)
            setSilent(control, false)
            if hears(control) { tell(.feedback(control, value)) }
        case .report(let control, let reports):
            setSilent(control, true)
            report(reports, of: control)
        case .broker(let isThere): setBroker(isThere: isThere)
        case .silence(let control): setSilent(control, true)
        case .loseFeedback(let control):
            setSilent(control, true)
            tell(.feedbackLost(control))
        }
    }
}
