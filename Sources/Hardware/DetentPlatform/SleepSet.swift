import CPlatform
public import DetentTypes
import Glibc

/// Descriptors that one thread sleeps on, at a cost that does not grow with their number.
///
/// The wake-up looks at those that are ready, and at no other. The memory is allocated once.
///
/// Use `PollSet` for a few descriptors.
///
/// Synchronization: none; one thread.
public struct SleepSet: ~Copyable {
    private let set: Int32
    private let descriptors: UnsafeMutableBufferPointer<Int32>
    private let ready: UnsafeMutableBufferPointer<detent_ready_place>
    /// How many descriptors have a place.
    public private(set) var count = 0
    /// How many of them the last `wait` found readable or hung up.
    public private(set) var readyCount = 0

    /// Makes an empty set.
    ///
    /// - Parameter capacity: how many places there can be; at least 1.
    /// - Throws: `PlatformError` if no descriptor is available.
    public init(capacity: Int) throws(PlatformError) {
        let set = detent_ready_open()
        guard set >= 0 else { throw PlatformError(doing: "open an epoll set", errno: errno) }
        self.set = set
        descriptors = .allocate(capacity: capacity)
        ready = .allocate(capacity: capacity)
        // The first wake-up meets memory that is there.
        ready.initialize(repeating: detent_ready_place())
    }

    deinit {
        close(set)
        descriptors.deallocate()
        ready.deallocate()
    }

    /// Removes all descriptors, also those that were closed meanwhile.
    public mutating func removeAll() {
        for descriptor in descriptors.prefix(count) { detent_ready_remove(set, descriptor) }
        count = 0
        readyCount = 0
    }

    /// Adds a descriptor; its place is the number of those before it. A negative one takes a place
    /// and is never ready.
    ///
    /// Traps if the set is full, or the kernel has no memory for it.
    public mutating func add(_ descriptor: Int32) {
        precondition(count < descriptors.count, "the set is full")
        let isWaitedFor =
            descriptor < 0
            || detent_ready_set(set, descriptor, UInt64(count), false, true) == 0
        precondition(isWaitedFor, "the kernel cannot wait for a descriptor")
        descriptors.initializeElement(at: count, to: descriptor)
        count += 1
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
        let set = set
        let ready = ready
        let found = WakeTime.wait(now: now, until: deadline, isExact: isExact) { now, end in
            detent_ready_sleep(
                set, ready.baseAddress, Int32(ready.count), now.nanoseconds, end.nanoseconds)
        }
        readyCount = max(Int(found), 0)
        return found > 0
    }

    /// The place of one of the descriptors that the last `wait` found, in no order.
    ///
    /// - Parameter index: less than `readyCount`.
    public func readyPlace(_ index: Int) -> Int { Int(ready[index].token) }

    /// Whether the last `wait` found the descriptor of a place.
    public func isReady(_ place: Int) -> Bool {
        for index in 0..<readyCount where readyPlace(index) == place { return true }
        return false
    }
}
