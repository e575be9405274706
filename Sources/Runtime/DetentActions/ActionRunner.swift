public import DetentTypes

/// Carries out attempts of one kind of action.
///
/// All methods are called from any thread. All except `stop` return at once.
public protocol ActionRunner: AnyObject, Sendable {
    /// Starts an attempt. `tell` is called from any thread: at most one `began`, then exactly one
    /// `ended`, when the attempt is over. Within this call it may tell `began`, never `ended`.
    ///
    /// A payload that the runner cannot carry out ends as `failed(.notStarted)`.
    func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void)

    /// Stops an attempt; it ends as `cancelled` unless it has already ended. An unknown attempt is
    /// ignored.
    func cancel(_ run: RunID)

    /// Cancels all attempts and waits until they have ended, or until `span` has passed.
    ///
    /// - Returns: the number of attempts that had not ended; they are killed if possible, and told
    ///   as `lost`.
    func stop(within span: TimeSpan) -> Int
}

/// An event of an attempt, as its runner tells it.
public enum AttemptEvent: Equatable, Sendable {
    /// The attempt runs.
    case began(at: Instant)
    /// The attempt is over.
    case ended(ActionResult)
}
