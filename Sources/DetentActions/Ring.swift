import Synchronization

/// A queue of fixed size from one thread to another without locks.
///
/// One thread pushes and one thread pops; either may change over time if something else orders
/// their calls. Nothing is allocated after `init`; both calls take constant time.
final class Ring<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // Unchecked: an element is written before `pushed` is released and read after it is acquired,
    // and a place is written again only after `popped` has been released past it.
    private let places: UnsafeMutablePointer<Element>
    private let mask: UInt
    private let pushed = Atomic<UInt>(0)
    private let popped = Atomic<UInt>(0)

    /// Makes an empty ring for at least `capacity` elements; the next power of two is taken.
    init(capacity: Int) {
        var size = 1
        while size < capacity { size *= 2 }
        mask = UInt(size - 1)
        places = .allocate(capacity: size)
    }

    deinit {
        places.deallocate()
    }

    /// Adds an element; false where there is no room.
    func push(_ element: Element) -> Bool {
        let end = pushed.load(ordering: .relaxed)
        if end &- popped.load(ordering: .acquiring) > mask { return false }
        (places + Int(end & mask)).initialize(to: element)
        pushed.store(end &+ 1, ordering: .releasing)
        return true
    }

    /// Takes the oldest element; nil where there is none.
    func pop() -> Element? {
        let start = popped.load(ordering: .relaxed)
        if start == pushed.load(ordering: .acquiring) { return nil }
        let element = places[Int(start & mask)]
        popped.store(start &+ 1, ordering: .releasing)
        return element
    }
}
