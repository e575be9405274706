import DetentTypes

/// The runners of one process, by the kind of action that each carries out.
///
/// One runner may serve several kinds. A command of a kind without a runner ends as
/// `failed(.notStarted)`.
public struct ActionRunners: Sendable, ExpressibleByDictionaryLiteral {
    private let runners: [ActionKindID: any ActionRunner]

    /// Makes the table; of two runners for one kind the later one counts.
    public init(dictionaryLiteral elements: (ActionKindID, any ActionRunner)...) {
        runners = Dictionary(elements) { _, later in later }
    }

    /// Lets one runner carry out several kinds of actions.
    public init(_ runner: any ActionRunner, for kinds: some Sequence<ActionKindID>) {
        runners = Dictionary(kinds.map { ($0, runner) }) { _, later in later }
    }

    /// The runner of a kind; nil if there is none.
    public subscript(kind: ActionKindID) -> (any ActionRunner)? { runners[kind] }

    /// Stops each runner once; all of them share the time.
    ///
    /// - Returns: attempts that could not be ended in time.
    func stop(until deadline: Instant, now: () -> Instant) -> Int {
        var stopped: Set<ObjectIdentifier> = []
        var leftBehind = 0
        for runner in runners.values where stopped.insert(ObjectIdentifier(runner)).inserted {
            let left = max(deadline, now()) - now()
            leftBehind += runner.stop(within: left)
        }
        return leftBehind
    }
}
