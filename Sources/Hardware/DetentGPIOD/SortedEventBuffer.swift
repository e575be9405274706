internal import DetentHAL
internal import DetentTypes

/// A bounded buffer of events that are sorted by timestamp before they are removed.
///
/// Only the initializer allocates.
struct SortedEventBuffer: ~Copyable {
    private let events: UnsafeMutableBufferPointer<LineEvent>
    private let scratch: UnsafeMutableBufferPointer<LineEvent>
    /// The index of the first event.
    private var start = 0
    /// The index after the last event.
    private var end = 0

    init(capacity: Int) {
        events = .allocate(capacity: capacity)
        scratch = .allocate(capacity: capacity)
        let nothing = LineEvent(line: LineID(0), kind: .overflow, at: .zero)
        events.initialize(repeating: nothing)
        scratch.initialize(repeating: nothing)
    }

    deinit {
        events.deallocate()
        scratch.deallocate()
    }

    var isEmpty: Bool { start == end }

    /// Events that can still be appended.
    var room: Int { events.count - end }

    /// Appends an event; false if there is no room, and the event is lost.
    @discardableResult
    mutating func append(_ event: LineEvent) -> Bool {
        guard end < events.count else { return false }
        events[end] = event
        end += 1
        return true
    }

    /// Sorts the events by timestamp; events with equal timestamps keep their order.
    ///
    /// Linear if already sorted, as the events of one descriptor are; otherwise O(n log n).
    @inline(__always)
    mutating func sort() {
        if end - start > 1 { sortSeveral() }
    }

    private mutating func sortSeveral() {
        var width = 1
        let count = end - start
        guard !isSorted() else { return }
        var source = events.baseAddress.unsafelyUnwrapped + start
        var target = scratch.baseAddress.unsafelyUnwrapped + start
        while width < count {
            var low = 0
            while low < count {
                let middle = min(low + width, count)
                let high = min(middle + width, count)
                Self.merge(source, low, middle, high, into: target)
                low = high
            }
            swap(&source, &target)
            width *= 2
        }
        let home = events.baseAddress.unsafelyUnwrapped + start
        if source != home { home.update(from: source, count: count) }
    }

    /// Moves as many events as fit to `buffer`, starting at index `filled`.
    ///
    /// - Returns: the new number of events in `buffer`.
    mutating func pop(
        into buffer: UnsafeMutableBufferPointer<LineEvent>, from filled: Int
    ) -> Int {
        let count = max(min(buffer.count - filled, end - start), 0)
        guard count > 0 else { return 0 }
        let last = start + count
        var target = buffer.baseAddress.unsafelyUnwrapped + filled
        for place in start..<last {
            target.initialize(to: events[place])
            target += 1
        }
        start = last
        if start == end {
            start = 0
            end = 0
        }
        return count
    }

    /// Replaces every event, or removes it where `change` returns nil.
    mutating func replaceAll(_ change: (LineEvent) -> LineEvent?) {
        var kept = start
        for place in start..<end {
            guard let event = change(events[place]) else { continue }
            events[kept] = event
            kept += 1
        }
        end = kept
        if start == end { removeAll() }
    }

    mutating func removeAll() {
        start = 0
        end = 0
    }

    private func isSorted() -> Bool {
        var place = start + 1
        while place < end {
            if events[place].at < events[place - 1].at { return false }
            place += 1
        }
        return true
    }

    private static func merge(
        _ source: UnsafeMutablePointer<LineEvent>, _ low: Int, _ middle: Int, _ high: Int,
        into target: UnsafeMutablePointer<LineEvent>
    ) {
        var left = low
        var right = middle
        for place in low..<high {
            if left < middle && (right >= high || !(source[right].at < source[left].at)) {
                target[place] = source[left]
                left += 1
            } else {
                target[place] = source[right]
                right += 1
            }
        }
    }
}
