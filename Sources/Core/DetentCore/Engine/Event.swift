public import DetentTypes

/// Something that happened outside the engine.
public enum Event: Equatable, Sendable, BitwiseCopyable {
    /// Nothing happened but time; fires what is due.
    case tick
    /// All initial readings have been given: the start-up rules apply.
    case start
    /// A line's level changed. `sequence` counts that line's edges from 1; 0 where the source does
    /// not count.
    case edge(LineID, Level, sequence: UInt32)
    /// A line's level was read.
    case reading(LineID, Level)
    /// The converter behind a line has a sample; none comes while nothing changes.
    case sample(LineID, Int32)
    /// Edges of a line may have been lost.
    case overflow(LineID)
    /// A line cannot be used for now.
    case lineFault(LineID)
    /// A line is back; a reading follows.
    case lineRestored(LineID)
    /// A value is asked for from outside the panel. If it has a number, one `Effect.answer` with
    /// the request's number follows in the same step.
    case intent(ControlID, Value, Origin, request: RequestID = .none)
    /// A control without state is fired from outside the panel: a button (`on`), or one of
    /// several commands. The sender of the event must have had a destructive one confirmed.
    /// Answered as `intent` is.
    case fire(ControlID, Value, Origin, isConfirmed: Bool, request: RequestID = .none)
    /// A value that is this far from the shown one is asked for from outside the panel: a number by
    /// this much, an option by one place in its direction, on and off the other way. Answered as
    /// `intent` is.
    case change(ControlID, by: Int32, Origin, request: RequestID = .none)
    /// The list of a control is closed without a choice, from outside the panel.
    case close(ControlID, by: Origin = .web)
    /// An attempt left its queue and runs; its timeout counts from here.
    case actionStarted(ControlID, RunID)
    /// An attempt ended; one that the engine has given up is ignored.
    case actionFinished(ControlID, RunID, ActionOutcome)
    /// An output line was really written; the event's time is just after the write.
    case outputWritten(LineID, Level)
    /// The value that a control had when the process last ended; only before `start`.
    case saved(ControlID, Value)
    /// A query has ended, and this is what the device said. One that fails is `actionFinished`.
    case answered(ControlID, RunID, Value)
    /// A device reported its value. `asked` is when a question of the outside began, such as a
    /// request that is repeated: an answer says nothing of what happened after that. A report
    /// without a question has `never`.
    case feedback(ControlID, Value, asked: Instant = .never)
    /// What reports the value of a device is gone, or says nothing that is a value: the control is
    /// stale until the next report.
    case feedbackLost(ControlID)
    /// Set state from positions; gestures are never replayed.
    case resync(by: Origin = .panel)
    /// The panel has lost its broker, or has it again. Without such an event it has it.
    case broker(isOffline: Bool)
    /// Lights every lamp of the panel, in all its colours, until it is turned off again, from
    /// outside the panel; outputs and states do not notice.
    case lampTest(isOn: Bool, by: Origin = .api)
    /// A caller asks to have the panel file read again. The core only tells it.
    ///
    /// - Parameter user: the system's number of a user of this machine who asked at the door; else
    ///   `Report.noUser`.
    case reload(by: Origin, user: UInt32 = Report.noUser)
}
