public import DetentTypes

/// Something that carries out attempts of one sort of action.
///
/// Methods are called from any thread and return at once, `stop` excepted.
public protocol ActionRunner: Sendable {
    /// Begins an attempt. `tell` is called from another thread, never from within this call: at
    /// most one `began`, then exactly one `ended`, which comes only when the attempt is really
    /// over.
    func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void)

    /// Stops an attempt; it ends as `cancelled` unless it had ended already. An unknown one is
    /// ignored.
    func cancel(_ run: RunID)

    /// Cancels everything and waits until it is over, or until `span` has passed.
    ///
    /// - Returns: attempts that were still not over; they were ended by force as far as that goes,
    ///   and told as `lost`.
    func stop(within span: TimeSpan) -> Int
}

/// What a runner tells about an attempt.
public enum AttemptEvent: Equatable, Sendable {
    case began(at: Instant)
    case ended(ActionResult)
}
