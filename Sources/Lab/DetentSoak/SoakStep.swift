public import DetentScenario
public import DetentTypes

/// One step of a soak run: a pause, then what happens.
public struct SoakStep: Equatable, Sendable {
    /// What happens.
    public enum Work: Equatable, Sendable {
        /// A change from outside the panel.
        case apply(Stimulus)
        /// The next `count` edges of a line vanish.
        case lose(LineID, count: Int)
        /// The process sleeps while edges fill its queue.
        case sleep(TimeSpan)
        /// The chip of a line goes away.
        case unplug(LineID)
        /// The chip of a line comes back.
        case replug(LineID)
        /// The process ends in order, and starts after a pause.
        case restart(TimeSpan)
        /// Power fails; the process starts after a pause.
        case powerCut(TimeSpan)
        /// The panel follows its own file; these controls start again, as after a change of a
        /// setting.
        case reload([ControlID])
        /// Hands off, devices obey, wires are whole, and time passes; then the panel is compared
        /// with the world.
        case rest
    }

    /// The pause before it.
    public var after: TimeSpan
    /// What happens.
    public var work: Work
}
