import Synchronization

/// A lock-free queue of fixed size from one thread to another.
///
/// One thread pushes and one thread pops. Other threads may take over if their calls are
/// synchronized in another way. Only `init` allocates; both calls take constant time.
public final class Ring<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // Unchecked: an element is written before `pushed` is released and read after it is acquired. A
    // slot is reused only after `popped` has been released past it.
    private let places: UnsafeMutablePointer<Element>
    private let mask: UInt
    private let pushed = Atomic<UInt>(0)
    private let popped = Atomic<UInt>(0)

    /// Makes an empty ring for at least `capacity` elements, rounded up to a power of two.
    public init(capacity: Int) {
        var size = 1
        while size < capacity { size *= 2 }
        mask = UInt(size - 1)
        places = .allocate(capacity: size)
    }

    deinit {
        places.deallocate()
    }

    /// Adds an element; false if the ring is full.
    public func push(_ element: Element) -> Bool {
        let end = pushed.load(ordering: .relaxed)
        if end &- popped.load(ordering: .acquiring) > mask { return false }
        (places + Int(end & mask)).initialize(to: element)
        pushed.store(end &+ 1, ordering: .releasing)
        return true
    }

    /// Removes the oldest element; nil if the ring is empty.
    public func pop() -> Element? {
        let start = popped.load(ordering: .relaxed)
        if start == pushed.load(ordering: .acquiring) { return nil }
        let element = places[Int(start & mask)]
        popped.store(start &+ 1, ordering: .releasing)
        return element
    }
}
