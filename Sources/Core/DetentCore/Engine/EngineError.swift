/// Why a plan does not fit an engine.
public enum EngineError: Error, Equatable, Sendable, BitwiseCopyable {
    /// More lines, actions or controls than the capacity that the engine was made for.
    case capacityExceeded
    /// A line of the control is not in the plan, or belongs to another control.
    case noSuchLine
    /// An action of the control is not in the plan.
    case noSuchAction
    /// A rule, link, step or item is not in the plan, or belongs to another control.
    case noSuchRelation
    /// A control of the panel's own settings is not in the plan, or is not of a kind that fits.
    case noSuchControl
    /// A number is out of the range that its documentation gives.
    case outOfRange
}
