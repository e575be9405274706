public import DetentTypes

/// An action by its place in the plan.
public struct ActionID: Equatable, Hashable, Sendable, BitwiseCopyable {
    /// Place in the plan, from 0.
    public var index: UInt16

    /// Names the action at a place in the plan.
    public init(_ index: UInt16) {
        self.index = index
    }
}

/// Which action belongs to which value of a control.
public enum ActionMap: Equatable, Sendable, BitwiseCopyable {
    /// The control confirms itself.
    case none
    /// One action for every value.
    case any(ActionID)
    /// Bit i of `present` says whether value i has an action; these stand one after another from
    /// `first` in the order of the values. A value without one confirms itself.
    case perValue(first: ActionID, present: UInt32)

    /// Where its actions are in the table of the plan, in the order of their values.
    public var indices: Range<Int> {
        switch self {
        case .none: 0..<0
        case .any(let action): Int(action.index)..<Int(action.index) + 1
        case .perValue(let first, let present):
            Int(first.index)..<Int(first.index) + present.nonzeroBitCount
        }
    }
}

/// The rules of one action, apart from what it does.
public struct ActionSettings: Equatable, Sendable, BitwiseCopyable {
    /// What follows a failure.
    public enum OnFailure: Equatable, Sendable, BitwiseCopyable {
        /// If the value asked for is still the one that failed, it returns to the last confirmed
        /// one.
        case revert
        /// The value asked for stays.
        case keep
        /// `count` further attempts, `backoff` apart and twice as far each time; then one of the
        /// two.
        case retry(count: UInt8, backoff: TimeSpan, thenKeep: Bool)
    }

    /// What an intent does that comes while an attempt is in flight.
    public enum Supersede: Equatable, Sendable, BitwiseCopyable {
        /// It starts when the attempt has ended.
        case wait
        /// It stops the attempt.
        case cancel
        /// It is refused and counted.
        case ignore
    }

    /// Longest time of one attempt from its start; nil only where the action cannot hang.
    public var timeout: TimeSpan?
    /// What follows a failed attempt.
    public var onFailure: OnFailure
    /// What a new intent does to an attempt in flight.
    public var supersede: Supersede
    /// The phase is `loading` if an intent is not confirmed this long after it was accepted.
    public var loadingAfter: TimeSpan
    /// The indicator shows loading at least this long, so that it never flickers.
    public var loadingMinimum: TimeSpan
    /// How long `failed` shows if the control is not touched.
    public var failedFor: TimeSpan
    /// What the core does by itself, in the plan's table of steps; none: the action leaves it.
    public var steps: PlanRange
    /// Controls whose values an attempt needs, in the plan's table of links; eight at most.
    public var values = PlanRange.none
    /// A bit for each of these that is needed as it is shown; the others are needed as they were
    /// confirmed.
    public var shownValues: UInt8 = 0

    /// 150 ms: what takes longer is seen as work.
    public static var defaultLoadingAfter: TimeSpan { .milliseconds(150) }
    /// 300 ms: shorter is seen as a flicker, not as work.
    public static var defaultLoadingMinimum: TimeSpan { .milliseconds(300) }

    /// Makes the rules with the defaults of the panel file.
    public init(
        timeout: TimeSpan? = nil, onFailure: OnFailure = .revert, supersede: Supersede = .wait,
        loadingAfter: TimeSpan = Self.defaultLoadingAfter,
        loadingMinimum: TimeSpan = Self.defaultLoadingMinimum, failedFor: TimeSpan = .seconds(3),
        steps: PlanRange = .none
    ) {
        self.timeout = timeout
        self.onFailure = onFailure
        self.supersede = supersede
        self.loadingAfter = loadingAfter
        self.loadingMinimum = loadingMinimum
        self.failedFor = failedFor
        self.steps = steps
    }
}
