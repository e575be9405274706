public import DetentTypes

/// Events that wait to be written, and when that is due.
///
///     empty ──event──▶ due after 5 s ──64 events──▶ due now
///                          └──a value was confirmed──▶ due now, or 100 ms after the last write
///
/// It does not write anything itself, and the caller passes the time.
public struct HistoryQueue: Equatable, Sendable {
    /// The waiting events, the oldest first.
    public private(set) var rows: [HistoryRow] = []
    /// Whether the write must survive a power cut, because a value was confirmed.
    public private(set) var hasConfirmed = false
    private var oldestAt = Instant.zero
    private var writtenAt: Instant?
    private var retryAt = Instant.zero
    private var dropped = 0

    /// Makes an empty queue.
    public init() {}

    /// Adds an event.
    ///
    /// - Returns: whether `deadline` came closer.
    public mutating func add(_ row: HistoryRow, isConfirmed: Bool, at now: Instant) -> Bool {
        let before = deadline
        if isConfirmed { hasConfirmed = true }
        guard rows.count < HistoryLimits.waitingRows else {
            dropped += 1
            return deadline < before
        }
        if rows.isEmpty { oldestAt = now }
        rows.append(row)
        return deadline < before
    }

    /// When the events must be written; `never` if there are none.
    public var deadline: Instant {
        let due: Instant
        if hasConfirmed {
            due = writtenAt.map { $0 + HistoryLimits.confirmedPause } ?? .zero
        } else if rows.isEmpty {
            return .never
        } else if rows.count >= HistoryLimits.rowsPerWrite {
            due = .zero
        } else {
            due = oldestAt + HistoryLimits.rowPause
        }
        return max(due, retryAt)
    }

    /// A write of all waiting events begins: what is confirmed from now on needs another one.
    public mutating func begin() { hasConfirmed = false }

    /// The write of the first `count` events has ended.
    ///
    /// - Parameter confirmed: what `hasConfirmed` was when it began.
    /// - Returns: how many events were dropped since the last successful write.
    public mutating func ended(
        _ count: Int, isWritten: Bool, confirmed: Bool, at now: Instant
    ) -> Int {
        guard isWritten else {
            retryAt = now + HistoryLimits.pauseAfterFailure
            hasConfirmed = hasConfirmed || confirmed
            return 0
        }
        rows.removeFirst(min(count, rows.count))
        oldestAt = now
        writtenAt = now
        retryAt = .zero
        defer { dropped = 0 }
        return dropped
    }
}
