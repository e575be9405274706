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
    /// A long wait is divided, as `wakeTime` explains, so that it does not end late.
    ///
    /// - Parameter isExact: false if the wait may end up to `mostSlack` late, which saves wake-ups.
    /// - Returns: whether a descriptor is ready; false also after a signal.
    public mutating func wait(
        now: Instant, until deadline: Instant, isExact: Bool = true
    ) -> Bool {
        var end = isExact ? Self.wakeTime(now: now, until: deadline) : deadline
        let began = end == deadline ? .zero : MonotonicClock.now
        var ready = detent_poll(entries.baseAddress, count, now.nanoseconds, end.nanoseconds)
        while ready == 0, end < deadline {
            let later = now + (MonotonicClock.now - began)
            end = Self.wakeTime(now: later, until: deadline)
            ready = detent_poll(entries.baseAddress, count, later.nanoseconds, end.nanoseconds)
        }
        if ready <= 0 {
            for place in 0..<count { entries[place].revents = 0 }
        }
        readyCount = max(Int(ready), 0)
        return ready > 0
    }

    /// When to wake so as not to miss a deadline.
    ///
    /// The kernel may end a wait late by a thousandth of it, a two-hundredth for a process of lower
    /// priority, and 100 ms at most (`select_estimate_accuracy` in fs/select.c). If this exceeds
    /// the normal slack of 50 µs, the wait ends early by this amount, and the rest is a short wait.
    /// So a deadline costs at most two additional wake-ups. A wait without a deadline costs none,
    /// and an edge that ends the wait costs no additional system call.
    static func wakeTime(now: Instant, until deadline: Instant) -> Instant {
        guard deadline != .never else { return .never }
        let slack = min(TimeSpan(nanoseconds: (deadline - now).nanoseconds / 200), mostSlack)
        guard slack > usualSlack else { return deadline }
        return Instant(nanoseconds: deadline.nanoseconds - slack.nanoseconds)
    }

    /// 100 ms: the kernel's MAX_SLACK.
    public static let mostSlack = TimeSpan.milliseconds(100)
    /// 50 µs: the kernel's timer slack of a process.
    private static let usualSlack = TimeSpan.microseconds(50)

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
