public import DetentTypes

/// How one attempt ended, in full; what history shows.
public struct ActionResult: Equatable, Sendable {
    /// The attempt.
    public var run: RunID
    /// How it ended.
    public var outcome: ActionOutcome
    /// One line for people: exit code, signal or what went wrong, and what helps.
    public var explanation: String
    /// When it began; nil where it never did.
    public var startedAt: Instant?
    /// When it ended.
    public var endedAt: Instant
    /// The last of what the program wrote to standard error, at most
    /// `ActionLimits.outputTail` bytes; bytes that are no UTF-8 are replaced.
    public var standardErrorTail: String
    /// The same of standard output; nil where it was not kept.
    public var standardOutputTail: String?
    /// The first of what it wrote to standard output, at most `ActionLimits.answer` bytes; nil
    /// where no answer was wanted.
    public var answer: [UInt8]?

    /// Makes a result.
    public init(
        run: RunID, outcome: ActionOutcome, explanation: String, startedAt: Instant?,
        endedAt: Instant, standardErrorTail: String = "", standardOutputTail: String? = nil,
        answer: [UInt8]? = nil
    ) {
        self.run = run
        self.outcome = outcome
        self.explanation = explanation
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.standardErrorTail = standardErrorTail
        self.standardOutputTail = standardOutputTail
        self.answer = answer
    }
}
