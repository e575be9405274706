package import DetentCore
package import DetentTypes

/// An event for the engine with the stamp of whoever saw it first.
package struct TimedEvent: Equatable, Sendable, BitwiseCopyable {
    package var event: Event
    package var at: Instant

    package init(event: Event, at: Instant) {
        self.event = event
        self.at = at
    }
}

/// The events of one turn, merged by stamp in memory that is taken once.
package struct TurnQueue: ~Copyable {
    private let events: UnsafeMutableBufferPointer<TimedEvent>
    private var start = 0
    private var end = 0

    /// Has room for whatever one turn of a panel with this many lines takes in.
    ///
    /// Beside that, one event can make each line ask for one reading and report one write, and each
    /// control start one attempt.
    init(lines: Int) {
        self.init(
            capacity: RuntimeLimits.eventsPerTurn + RuntimeLimits.inbox + RuntimeLimits.reports
                + 4 * lines)
    }

    init(capacity: Int) {
        events = .allocate(capacity: capacity)
    }

    deinit {
        events.deallocate()
    }

    var isEmpty: Bool { start == end }

    /// Takes the earliest event that is not later than `limit`.
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

    /// Puts an event behind all that are not later. Cheap when events come nearly in order.
    ///
    /// - Returns: false where the batch is full and the event was not taken.
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

    /// Forgets every event.
    mutating func removeAll() {
        start = 0
        end = 0
    }

    /// Moves what waits to the front, so that places of events that were taken serve again.
    private mutating func closeUp() {
        guard start > 0 else { return }
        for place in start..<end { events[place - start] = events[place] }
        end -= start
        start = 0
    }
}
