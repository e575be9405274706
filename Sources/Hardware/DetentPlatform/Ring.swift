import CPlatform
import Synchronization

/// A lock-free queue of fixed size from one thread to another.
///
/// One thread pushes and one thread pops. Other threads may take over if their calls are
/// synchronized in another way. Only `init` allocates; both calls take constant time. Memory is
/// used from the front: `pop` asks the system for the next part of it before `push` comes there.
public final class Ring<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // Unchecked: an element is written before `pushed` is released and read after it is acquired. A
    // slot is reused only after `popped` has been released past it.
    private let places: UnsafeMutablePointer<Element>
    private let mask: UInt
    private let pushed = Atomic<UInt>(0)
    private let popped = Atomic<UInt>(0)
    /// Elements whose memory is taken at a time, before the other thread comes to them; a power of
    /// two.
    private let step: UInt

    /// Makes an empty ring for at least `capacity` elements, rounded up to a power of two.
    public convenience init(capacity: Int) {
        self.init(capacity: capacity, inAdvance: Memory.hasQueuesInAdvance)
    }

    /// - Parameter inAdvance: whether all of its memory is taken now.
    init(capacity: Int, inAdvance: Bool) {
        var size = 1
        while size < capacity { size *= 2 }
        mask = UInt(size - 1)
        places = .allocate(capacity: size)
        var step = inAdvance ? size : 1
        while step * MemoryLayout<Element>.stride < Self.stepBytes { step *= 2 }
        self.step = UInt(step)
        UnsafeMutableRawPointer(places).initializeMemory(
            as: UInt8.self, repeating: 0, count: min(size, 2 * step) * MemoryLayout<Element>.stride)
    }

    deinit {
        places.deallocate()
    }

    /// Four pages, so that the system is asked seldom: some hundred elements.
    private static var stepBytes: Int { 16_384 }

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
        // So that the thread that pushes, which may have to be quick, finds memory where it has not
        // been yet. After the first round all is there.
        if start & (step - 1) == 0, start + 2 * step <= mask {
            detent_take_memory(
                places + Int(start + 2 * step), Int(step) * MemoryLayout<Element>.stride)
        }
        return element
    }
}
