public import DetentTypes

/// How one attempt ended, with all details.
public struct ActionResult: Equatable, Sendable {
    /// The attempt.
    public var run: RunID
    /// How it ended.
    public var outcome: ActionOutcome
    /// One line for people: cause and remedy.
    public var explanation: String
    /// When it started; nil if it did not.
    public var startedAt: Instant?
    /// When it ended.
    public var endedAt: Instant
    /// The end of the program's standard error, at most `ActionLimits.outputTail` bytes; bytes that
    /// are not UTF-8 are replaced.
    public var standardErrorTail: String
    /// The end of its standard output; nil if it was not kept.
    public var standardOutputTail: String?
    /// The start of the answer, at most `ActionLimits.answer` bytes; nil if the request does not
    /// keep one.
    public var answer: [UInt8]?
    /// Whether the program wrote more than the request's limit of its output.
    public var isOutputCut = false

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
