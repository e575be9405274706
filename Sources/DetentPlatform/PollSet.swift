import CPlatform
public import DetentTypes
import Glibc

/// Descriptors that one thread sleeps on, in memory that is taken once.
///
/// Synchronization: none; one thread.
public struct PollSet: ~Copyable {
    private let entries: UnsafeMutableBufferPointer<pollfd>
    /// How many descriptors are in the set.
    public private(set) var count = 0

    /// Makes an empty set.
    public init(capacity: Int) {
        entries = .allocate(capacity: capacity)
    }

    deinit {
        entries.deallocate()
    }

    /// Empties the set.
    public mutating func removeAll() {
        count = 0
    }

    /// Adds a descriptor; false where the set is full.
    public mutating func add(_ descriptor: Int32) -> Bool {
        guard count < entries.count else { return false }
        entries.initializeElement(
            at: count, to: pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        count += 1
        return true
    }

    /// Sleeps until a descriptor is readable or hung up, or `deadline` has come.
    ///
    /// - Returns: whether any is; false also when a signal came.
    public mutating func wait(now: Instant, until deadline: Instant) -> Bool {
        let ready = detent_poll(
            entries.baseAddress, count, now.nanoseconds, deadline.nanoseconds)
        if ready <= 0 {
            for place in 0..<count { entries[place].revents = 0 }
        }
        return ready > 0
    }

    /// Whether the last `wait` found the descriptor at a place readable, or hung up.
    public func isReady(_ place: Int) -> Bool {
        place < count && entries[place].revents != 0
    }
}
