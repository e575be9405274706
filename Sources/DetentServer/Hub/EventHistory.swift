import DetentCore
import DetentTypes

/// The last events of a panel with their numbers, oldest first; at most `ServerLimits.history`.
struct EventHistory {
    struct Entry: Equatable {
        /// The number of the event, from 1.
        var number: UInt64
        var report: Report
        var at: Instant
    }

    private var entries: [Entry] = []
    /// The index of the oldest entry, once the buffer is full.
    private var oldest = 0
    /// The number of the last event; 0 before the first.
    private(set) var last: UInt64 = 0
    /// No event is missing from this number on.
    private var unbroken: UInt64 = 1

    /// Adds the next event.
    mutating func append(_ entry: Entry) {
        if entry.number != last + 1 { unbroken = entry.number }
        last = entry.number
        if entries.count < ServerLimits.history {
            entries.append(entry)
        } else {
            unbroken = max(unbroken, entries[oldest].number + 1)
            entries[oldest] = entry
            oldest = (oldest + 1) % ServerLimits.history
        }
    }

    /// All events that are kept, oldest first.
    var all: [Entry] { Array(entries[oldest...] + entries[..<oldest]) }

    /// Every event after a number; nil if some of them are no longer stored.
    func entries(after number: UInt64) -> [Entry]? {
        guard number <= last, number + 1 >= unbroken else { return nil }
        let count = Int(last - number)
        guard count <= entries.count else { return nil }
        // From `unbroken` on, the numbers have no gaps, so a number gives the index.
        return (0..<count).map { offset in
            entries[(oldest + entries.count - count + offset) % entries.count]
        }
    }
}
