package import DetentCore
package import DetentTypes

/// An event for the engine with the timestamp of its producer.
package struct TimedEvent: Equatable, Sendable, BitwiseCopyable {
    package var event: Event
    package var at: Instant

    package init(event: Event, at: Instant) {
        self.event = event
        self.at = at
    }
}

/// The events of one turn, merged by timestamp, in memory that is allocated once.
package struct TurnQueue: ~Copyable {
    private let events: UnsafeMutableBufferPointer<TimedEvent>
    private var start = 0
    private var end = 0

    /// Makes a queue with room for one turn of a panel with this many lines.
    ///
    /// In addition, one event can cause one reading and one write for each line, and one attempt
    /// for each control. A report is up to two events.
    init(lines: Int) {
        self.init(
            capacity: RuntimeLimits.eventsPerTurn + RuntimeLimits.inbox + 2 * RuntimeLimits.reports
                + 4 * lines)
    }

    init(capacity: Int) {
        events = .allocate(capacity: capacity)
    }

    deinit {
        events.deallocate()
    }

    var isEmpty: Bool { start == end }

    /// Removes the earliest event that is not later than `limit`.
    mutating func removeFirst(until limit: Instant = .never) -> TimedEvent? {
        guard start < end, events[start].at <= limit else { return nil }
        let first = events[start]
        start += 1
        if start == end {
            start = 0
            end = 0
        }
        return first
    }

    /// Inserts an event after all that are not later. Fast when events arrive nearly in order.
    ///
    /// - Returns: false if the queue is full; the event is not inserted.
    @discardableResult
    package mutating func insert(_ event: Event, at stamp: Instant) -> Bool {
        if end == events.count { closeUp() }
        guard end < events.count else { return false }
        var place = end
        while place > start, events[place - 1].at > stamp {
            events[place] = events[place - 1]
            place -= 1
        }
        events.initializeElement(at: place, to: TimedEvent(event: event, at: stamp))
        end += 1
        return true
    }

    /// Removes all events.
    mutating func removeAll() {
        start = 0
        end = 0
    }

    /// Moves the waiting events to the front, so that their space can be used again.
    private mutating func closeUp() {
        guard start > 0 else { return }
        for place in start..<end { events[place - start] = events[place] }
        end -= start
        start = 0
    }
}
