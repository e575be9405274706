public import DetentTypes

/// A runner that can send some attempts from the thread of the real-time loop.
///
/// Only messages that are ready go this way: the others, and those that find no room, start as
/// usual. So an attempt reaches the outside without waiting for another thread to wake.
public protocol ExpressRunner: ActionRunner {
    /// Sends an attempt at once. The loop calls it: it waits for no lock and for no room, and
    /// allocates nothing.
    ///
    /// - Returns: that it was sent; `adopt` follows. nil if it was not: `start` follows.
    func express(_ command: ActionCommand) -> ExpressMark?

    /// Takes what `adopt` is asked for with.
    ///
    /// An attempt whose mark `isAwaited` is taken over when the runner calls `takeOver`, as it has
    /// news of it: on a thread of its own, and without a lock that `adopt` or `cancel` needs. So no
    /// thread wakes before that. Other attempts are taken over at once.
    func begin(takeOver: @escaping @Sendable () -> Void)

    /// Takes over an attempt that was sent; then it is like one that was started. It may have ended
    /// already. Within this call it may tell `began`, never `ended`.
    func adopt(
        _ request: ActionRequest, _ mark: ExpressMark,
        tell: @escaping @Sendable (AttemptEvent) -> Void)
}

/// That an attempt was sent by the loop.
public struct ExpressMark: Equatable, Sendable, BitwiseCopyable {
    /// When it was sent.
    public var at: Instant
    /// Which process got it, counted by its runner.
    public var process: UInt32
    /// Whether its runner asks for it to be taken over.
    public var isAwaited: Bool

    /// Makes a mark.
    public init(at: Instant, process: UInt32 = 0, isAwaited: Bool = false) {
        self.at = at
        self.process = process
        self.isAwaited = isAwaited
    }
}
