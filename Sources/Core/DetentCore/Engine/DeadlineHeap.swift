public import DetentTypes

/// The deadlines of all machines, earliest first; at one instant the lower number first.
///
/// Each machine has at most one entry. A change costs O(log n) in the entries that wait, not in the
/// machines that there are.
@usableFromInline struct DeadlineHeap {
    struct Entry: BitwiseCopyable {
        var deadline: Instant
        var machine: UInt32

        /// Deadline and machine as one number: compared by a subtraction, without a branch.
        private var rank: UInt128 {
            UInt128(truncatingIfNeeded: deadline.nanoseconds) << 64
                | UInt128(truncatingIfNeeded: machine)
        }

        func precedes(_ other: Entry) -> Bool {
            rank < other.rank
        }
    }

    /// The first one has no deadline (`never`) where nothing waits.
    @usableFromInline let entries: UnsafeMutableRawPointer
    /// Where each machine's entry ends, in bytes; 0 where it waits for nothing.
    private let places: UnsafeMutablePointer<UInt32>
    private let capacity: Int
    /// Where the last entry ends, in bytes.
    // Offsets are in bytes throughout: 10 instructions an edge fewer than places (Benchmarks/run).
    private var end = 0

    init(capacity: Int, arena: inout Arena) {
        let entries = arena.allocate(Entry.self, count: Self.entryCount(capacity))
        entries.initialize(to: Entry(deadline: .never, machine: 0))
        self.entries = UnsafeMutableRawPointer(entries)
        self.places = arena.allocate(UInt32.self, count: capacity)
        self.capacity = capacity
        places.initialize(repeating: 0, count: capacity)
    }

    private static func entryCount(_ capacity: Int) -> Int { max(capacity, 1) }

    static func byteCount(capacity: Int) -> Int {
        Arena.byteCount(of: Entry.self, count: entryCount(capacity))
            &+ Arena.byteCount(of: UInt32.self, count: capacity)
    }

    private static var stride: Int { MemoryLayout<Entry>.stride }

    /// The earliest deadline; `never` where nothing waits.
    // An entry begins with its deadline. Inlined in other modules, where a call copies the engine.
    @inlinable var earliest: Instant { entries.load(as: Instant.self) }

    /// The machine whose deadline is the earliest, or nil if that is later than `now`.
    func machine(dueAt now: Instant) -> UInt32? {
        guard end != 0, earliest <= now else { return nil }
        return entry(at: 0).machine
    }

    /// Sets, moves or removes (`never`) a machine's deadline.
    // Inlined: most machines wait for nothing and go on doing so (Benchmarks/run).
    @inline(__always)
    mutating func set(_ machine: Int, to deadline: Instant) {
        precondition(UInt(bitPattern: machine) < UInt(bitPattern: capacity))
        let place = Int(places[machine]) &- Self.stride
        if place < 0 {
            if deadline != .never { insert(machine, deadline) }
        } else if entry(at: place).deadline != deadline {
            change(at: place, to: deadline)
        }
    }

    @inline(never)
    private mutating func insert(_ machine: Int, _ deadline: Instant) {
        end &+= Self.stride
        siftUp(
            Entry(deadline: deadline, machine: UInt32(truncatingIfNeeded: machine)),
            from: end &- Self.stride)
    }

    /// Moves an entry, or puts the last one into its place.
    @inline(never)
    private mutating func change(at place: Int, to deadline: Instant) {
        var moved = Entry(deadline: deadline, machine: entry(at: place).machine)
        if deadline == .never {
            places[Int(moved.machine)] = 0
            end &-= Self.stride
            guard place != end else {
                if end == 0 { store(Entry(deadline: .never, machine: 0), at: 0) }
                return
            }
            moved = entry(at: end)
        }
        if place > 0, moved.precedes(entry(at: Self.parent(of: place))) {
            siftUp(moved, from: place)
        } else {
            siftDown(moved, from: place)
        }
    }

    @inline(__always)
    private static func parent(of place: Int) -> Int {
        ((place &- stride) >> 1) & ~(stride &- 1)
    }

    @inline(__always)
    private func entry(at place: Int) -> Entry {
        entries.load(fromByteOffset: place, as: Entry.self)
    }

    @inline(__always)
    private func store(_ entry: Entry, at place: Int) {
        entries.storeBytes(of: entry, toByteOffset: place, as: Entry.self)
    }

    @inline(__always)
    private func put(_ entry: Entry, at place: Int) {
        store(entry, at: place)
        places[Int(entry.machine)] = UInt32(truncatingIfNeeded: place &+ Self.stride)
    }

    @inline(__always)
    private func siftUp(_ moved: Entry, from start: Int) {
        var place = start
        while place > 0 {
            let parent = Self.parent(of: place)
            let above = entry(at: parent)
            guard moved.precedes(above) else { break }
            put(above, at: place)
            place = parent
        }
        put(moved, at: place)
    }

    @inline(__always)
    private func siftDown(_ moved: Entry, from start: Int) {
        let last = end &- Self.stride
        var place = start
        var child = place &* 2 &+ Self.stride
        while child < last {
            if entry(at: child &+ Self.stride).precedes(entry(at: child)) { child &+= Self.stride }
            let next = entry(at: child)
            guard next.precedes(moved) else { return put(moved, at: place) }
            put(next, at: place)
            place = child
            child = place &* 2 &+ Self.stride
        }
        // The last one may be an only child.
        if child == last, entry(at: child).precedes(moved) {
            put(entry(at: child), at: place)
            place = child
        }
        put(moved, at: place)
    }
}
