public import DetentActions
public import DetentCore
public import DetentTypes

extension ActionReport {
    /// What the core is told of it, in order: one event, or two of a device that has another value
    /// than it was asked for.
    ///
    /// - Parameters:
    ///   - run: the attempt, as the core numbers it.
    ///   - control: the control, as the core numbers it.
    @inline(__always)
    public func forEachEvent(of run: RunID, _ control: ControlID, _ body: (Event) -> Void) {
        switch kind {
        case .started: body(.actionStarted(control, run))
        case .finished(let outcome): body(.actionFinished(control, run, outcome))
        case .answered(let value): body(.answered(control, run, value))
        case .confirmed(let value):
            body(.actionFinished(control, run, .succeeded))
            body(.feedback(control, value))
        }
    }
}
