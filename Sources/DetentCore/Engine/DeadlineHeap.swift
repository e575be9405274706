import DetentTypes

/// The deadlines of all machines, earliest first; at one instant the lower number first.
///
/// Each machine has at most one entry. A change costs O(log n) in the entries that wait, not in the
/// machines that there are.
struct DeadlineHeap {
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

    private let entries: UnsafeMutablePointer<Entry>
    /// Place of each machine's entry, plus one; 0 where it waits for nothing.
    private let places: UnsafeMutablePointer<UInt32>
    private let capacity: Int
    private var count = 0

    init(capacity: Int, arena: inout Arena) {
        self.entries = arena.take(Entry.self, count: capacity)
        self.places = arena.take(UInt32.self, count: capacity)
        self.capacity = capacity
        places.initialize(repeating: 0, count: capacity)
    }

    static func byteCount(capacity: Int) -> Int {
        Arena.byteCount(of: Entry.self, count: capacity)
            &+ Arena.byteCount(of: UInt32.self, count: capacity)
    }

    /// The earliest deadline; `never` where nothing waits.
    var earliest: Instant { count == 0 ? .never : entries[0].deadline }

    /// The machine whose deadline is the earliest, or nil if that is later than `now`.
    func machine(dueAt now: Instant) -> UInt32? {
        guard count != 0, entries[0].deadline <= now else { return nil }
        return entries[0].machine
    }

    /// Sets, moves or removes (`never`) a machine's deadline.
    mutating func set(_ machine: Int, to deadline: Instant) {
        precondition(UInt(bitPattern: machine) < UInt(bitPattern: capacity))
        let place = Int(places[machine]) &- 1
        guard place >= 0 else {
            if deadline != .never { insert(machine, deadline) }
            return
        }
        let former = entries[place].deadline
        guard former != deadline else { return }
        guard deadline != .never else { return remove(at: place) }
        let entry = Entry(deadline: deadline, machine: entries[place].machine)
        if deadline < former {
            siftUp(entry, from: place)
        } else {
            siftDown(entry, from: place)
        }
    }

    private mutating func insert(_ machine: Int, _ deadline: Instant) {
        count &+= 1
        siftUp(
            Entry(deadline: deadline, machine: UInt32(truncatingIfNeeded: machine)),
            from: count &- 1)
    }

    private mutating func remove(at place: Int) {
        places[Int(entries[place].machine)] = 0
        count &-= 1
        guard place != count else { return }
        let last = entries[count]
        if place > 0, last.precedes(entries[(place &- 1) >> 1]) {
            siftUp(last, from: place)
        } else {
            siftDown(last, from: place)
        }
    }

    private func put(_ entry: Entry, at place: Int) {
        entries[place] = entry
        places[Int(entry.machine)] = UInt32(truncatingIfNeeded: place &+ 1)
    }

    private func siftUp(_ entry: Entry, from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place &- 1) >> 1
            guard entry.precedes(entries[parent]) else { break }
            put(entries[parent], at: place)
            place = parent
        }
        put(entry, at: place)
    }

    private func siftDown(_ entry: Entry, from start: Int) {
        var place = start
        while true {
            var child = place &* 2 &+ 1
            guard child < count else { break }
            if child &+ 1 < count, entries[child &+ 1].precedes(entries[child]) { child &+= 1 }
            guard entries[child].precedes(entry) else { break }
            put(entries[child], at: place)
            place = child
        }
        put(entry, at: place)
    }
}
