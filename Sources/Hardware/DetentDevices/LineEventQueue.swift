internal import DetentHAL
internal import DetentTypes

/// Events of lines in the order of their stamps, in memory that is allocated once.
struct LineEventQueue: ~Copyable {
    private let events: UnsafeMutableBufferPointer<LineEvent>
    private var start = 0
    private var end = 0

    init(capacity: Int) {
        events = .allocate(capacity: capacity)
    }

    deinit { events.deallocate() }

    var isEmpty: Bool { start == end }
    /// How many more events there is room for.
    var room: Int { events.count - (end - start) }

    /// Adds an event behind all that are not later; false if there is no room.
    @discardableResult
    mutating func append(_ event: LineEvent) -> Bool {
        if end == events.count { closeUp() }
        guard end < events.count else { return false }
        var place = end
        while place > start, events[place - 1].at > event.at {
            events[place] = events[place - 1]
            place -= 1
        }
        events.initializeElement(at: place, to: event)
        end += 1
        return true
    }

    /// Moves the first events into `buffer`; returns their number.
    mutating func pop(into buffer: UnsafeMutableBufferPointer<LineEvent>) -> Int {
        let count = min(buffer.count, end - start)
        for place in 0..<count { buffer[place] = events[start + place] }
        start += count
        if start == end { removeAll() }
        return count
    }

    /// Gives every event the line that `line` says, and drops it if that is nil.
    mutating func rename(_ line: (LineID) -> LineID?) {
        var kept = start
        for place in start..<end {
            guard let new = line(events[place].line) else { continue }
            events[kept] = events[place]
            events[kept].line = new
            kept += 1
        }
        end = kept
    }

    mutating func removeAll() {
        start = 0
        end = 0
    }

    private mutating func closeUp() {
        guard start > 0 else { return }
        for place in start..<end { events[place - start] = events[place] }
        end -= start
        start = 0
    }
}
