public import DetentCore
public import DetentScenario
public import DetentTypes

/// What happened in a run, in one row: all that the laws look at.
public enum HistoryStep: Equatable, Sendable {
    /// The panel reported something.
    case report(Report, at: Instant)
    /// An action began or ended.
    case attempt(VirtualRecord.Attempt)
    /// A line of outputs that must never be on together.
    case output(ControlID, LineID, Level, at: Instant)
    /// An output with levels refuses what it is told since a while.
    ///
    /// - Parameter isTold: whether its control has a fault.
    case refused(ControlID, LineID, isTold: Bool, at: Instant)
    /// A remote request, which waits for its answer.
    case asked(RequestID)
    /// A request was answered.
    case answered(RequestID)
    /// The process ended and began again.
    case restart
    /// The panel has followed its own file, and these controls began again.
    ///
    /// - Parameter told: the events, attempts and levels of outputs that came of it.
    case reload([ControlID], told: Int)
    /// All is at rest, and what a meter and the engine say now.
    case quiet(at: Instant, [ControlState])
}
