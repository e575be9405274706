import DetentHAL

/// Events that wait for `drain`; when full, the oldest is dropped, as in the kernel.
struct EventQueue {
    /// An event, and how many came before it in all queues.
    struct Entry {
        var event: LineEvent
        var order: Int

        /// Whether this one came first.
        func precedes(_ other: Entry) -> Bool {
            (event.at, order) < (other.event.at, other.order)
        }
    }

    private var events: [Entry] = []
    private var first = 0
    let capacity: Int
    /// Edges that were dropped since the start.
    private(set) var dropped = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        events.reserveCapacity(self.capacity * 2)
    }

    var count: Int { events.count - first }

    mutating func append(_ event: LineEvent, order: Int) {
        if count == capacity {
            first += 1
            dropped += 1
        }
        // Reuse the space of removed events before the array grows.
        if events.count == capacity * 2 {
            events.removeFirst(first)
            first = 0
        }
        events.append(Entry(event: event, order: order))
    }

    /// The oldest event, without removing it.
    var next: Entry? { first < events.count ? events[first] : nil }

    mutating func pop() -> Entry? {
        guard first < events.count else { return nil }
        first += 1
        let entry = events[first - 1]
        if first == events.count {
            events.removeAll(keepingCapacity: true)
            first = 0
        }
        return entry
    }

    mutating func removeAll() {
        events.removeAll(keepingCapacity: true)
        first = 0
    }
}
