import DetentPlatform
import DetentTypes

/// The way of reports to the real-time loop: a ring, and a queue behind it for when it is full.
///
/// Not safe by itself: its owner holds a lock for every call but `ring.pop`.
struct ReportLine {
    let ring: Ring<ActionReport>
    private var backlog: [ActionReport] = []

    init(capacity: Int) {
        ring = Ring(capacity: capacity)
    }

    /// Whether reports wait for room in the ring.
    var isBlocked: Bool { !backlog.isEmpty }

    /// Sends a report, after all that wait already.
    mutating func send(_ report: ActionReport) {
        if !backlog.isEmpty || !ring.push(report) { backlog.append(report) }
    }

    /// Moves what waits into the ring, as far as there is room.
    mutating func moveOn() {
        var moved = 0
        while moved < backlog.count, ring.push(backlog[moved]) { moved += 1 }
        backlog.removeFirst(moved)
    }
}
