import DetentCore
import DetentTypes

/// The last events of a panel with their numbers, oldest first; at most `RuntimeLimits.history`.
package struct EventHistory {
    package struct Entry: Equatable {
        /// The number of the event, from 1.
        package var number: UInt64
        package var report: Report
        package var at: Instant

        package init(number: UInt64, report: Report, at: Instant) {
            (self.number, self.report, self.at) = (number, report, at)
        }
    }

    private var entries: [Entry] = []
    /// The index of the oldest entry, once the buffer is full.
    private var oldest = 0
    /// The number of the last event; 0 before the first.
    package private(set) var last: UInt64 = 0
    /// No event is missing from this number on.
    private var unbroken: UInt64 = 1

    /// No event has happened.
    package init() {}

    /// A name for a panel's events from its start on, which no other has.
    package static func newSession() -> String {
        String(ConfirmTokens.unguessable().prefix(16))
    }

    /// Adds the next event.
    package mutating func append(_ entry: Entry) {
        if entry.number != last + 1 { unbroken = entry.number }
        last = entry.number
        if entries.count < RuntimeLimits.history {
            entries.append(entry)
        } else {
            unbroken = max(unbroken, entries[oldest].number + 1)
            entries[oldest] = entry
            oldest = (oldest + 1) % RuntimeLimits.history
        }
    }

    /// All events that are kept, oldest first.
    package var all: [Entry] { Array(entries[oldest...] + entries[..<oldest]) }

    /// Every event after a number; nil if some of them are no longer stored.
    package func entries(after number: UInt64) -> [Entry]? {
        guard number <= last, number + 1 >= unbroken else { return nil }
        let count = Int(last - number)
        guard count <= entries.count else { return nil }
        // From `unbroken` on, the numbers have no gaps, so a number gives the index.
        return (0..<count).map { offset in
            entries[(oldest + entries.count - count + offset) % entries.count]
        }
    }
}
