import DetentCore
import DetentTypes

/// An event for the engine with the stamp of whoever saw it first.
struct TimedEvent: Equatable, Sendable, BitwiseCopyable {
    var event: Event
    var at: Instant
}

/// The events of one turn, merged by stamp in memory that is taken once.
struct EventBatch: ~Copyable {
    private let events: UnsafeMutableBufferPointer<TimedEvent>
    private var start = 0
    private var end = 0

    init(capacity: Int) {
        events = .allocate(capacity: capacity)
    }

    deinit {
        events.deallocate()
    }

    var isFull: Bool { end == events.count }

    /// Takes the earliest event.
    mutating func removeFirst() -> TimedEvent? {
        guard start < end else { return nil }
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
    /// A full batch takes nothing: callers ask `isFull` first.
    mutating func insert(_ event: Event, at stamp: Instant) {
        guard end < events.count else { return }
        var place = end
        while place > start, events[place - 1].at > stamp {
            events[place] = events[place - 1]
            place -= 1
        }
        events.initializeElement(at: place, to: TimedEvent(event: event, at: stamp))
        end += 1
    }
}
