import DetentTypes

/// When each of many things is due next, and which is due first.
///
/// A change costs O(log n).
struct Agenda {
    private struct Entry {
        var at: Instant
        var place: Int
    }

    /// A binary heap; an entry that differs from `due` is out of date.
    private var heap: [Entry] = []
    private var due: [Instant]

    init(count: Int) { due = Array(repeating: .never, count: count) }

    /// The first due moment; `never` if nothing is due.
    mutating func next() -> Instant {
        while let top = heap.first, due[top.place] != top.at { removeTop() }
        return heap.first?.at ?? .never
    }

    /// Takes what is due first; nil if nothing is due by now. It is then due no more.
    mutating func pop(by now: Instant) -> Int? {
        guard next() <= now, let place = heap.first?.place else { return nil }
        due[place] = .never
        removeTop()
        return place
    }

    /// Sets when something is due.
    mutating func set(_ place: Int, _ at: Instant) {
        guard due[place] != at else { return }
        due[place] = at
        guard at != .never else { return }
        heap.append(Entry(at: at, place: place))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].at < heap[parent].at else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func removeTop() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].at < heap[least].at {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
