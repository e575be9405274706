import CPlatform
public import DetentTypes
import Glibc

/// Descriptors that one thread sleeps on, in memory that is allocated once.
///
/// Synchronization: none; one thread.
public struct PollSet: ~Copyable {
    private let entries: UnsafeMutableBufferPointer<pollfd>
    /// How many descriptors are in the set.
    public private(set) var count = 0
    /// How many of them the last `wait` found readable or hung up.
    public private(set) var readyCount = 0

    /// Makes an empty set.
    public init(capacity: Int) {
        entries = .allocate(capacity: capacity)
    }

    deinit {
        entries.deallocate()
    }

    /// Removes all descriptors.
    public mutating func removeAll() {
        count = 0
    }

    /// What a descriptor is waited for; that it was hung up always ends the wait.
    public enum Interest: Sendable {
        case reading, writing, nothing
    }

    /// Adds a descriptor; false if the set is full.
    public mutating func add(_ descriptor: Int32, for interest: Interest = .reading) -> Bool {
        guard count < entries.count else { return false }
        entries.initializeElement(
            at: count, to: pollfd(fd: descriptor, events: interest.events, revents: 0))
        count += 1
        return true
    }

    /// Sleeps until a descriptor is readable or hung up, or until `deadline`.
    ///
    /// A long wait is divided, as `WakeTime` explains, so that it does not end late.
    ///
    /// - Parameter isExact: false if the wait may end up to `WakeTime.mostSlack` late, which saves
    ///   wake-ups.
    /// - Returns: whether a descriptor is ready; false also after a signal.
    public mutating func wait(
        now: Instant, until deadline: Instant, isExact: Bool = true
    ) -> Bool {
        let entries = entries
        let count = count
        let ready = WakeTime.wait(now: now, until: deadline, isExact: isExact) { now, end in
            detent_poll(entries.baseAddress, count, now.nanoseconds, end.nanoseconds)
        }
        if ready <= 0 {
            for place in 0..<count { entries[place].revents = 0 }
        }
        readyCount = max(Int(ready), 0)
        return ready > 0
    }

    /// Whether the last `wait` found this descriptor readable or hung up.
    public func isReady(_ place: Int) -> Bool {
        place < count && entries[place].revents != 0
    }

    /// Whether the last `wait` found that the other side of this descriptor has gone.
    public func hasHungUp(_ place: Int) -> Bool {
        place < count && Int32(entries[place].revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
    }
}

extension PollSet.Interest {
    fileprivate var events: Int16 {
        switch self {
        case .reading: Int16(POLLIN)
        case .writing: Int16(POLLOUT)
        case .nothing: 0
        }
    }
}
