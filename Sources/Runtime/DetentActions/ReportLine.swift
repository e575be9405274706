import DetentPlatform

/// Carries reports to the real-time loop: a ring, and a queue for when the ring is full.
///
/// Not thread-safe: its owner holds a lock for every call except `ring.pop`.
struct ReportLine {
    let ring: Ring<ActionReport>
    private var backlog: [ActionReport] = []

    init(capacity: Int) {
        ring = Ring(capacity: capacity)
    }

    /// Whether reports wait for space in the ring.
    var isBlocked: Bool { !backlog.isEmpty }

    /// Sends a report, after all that already wait.
    mutating func send(_ report: ActionReport) {
        if !backlog.isEmpty || !ring.push(report) { backlog.append(report) }
    }

    /// Moves waiting reports into the ring, until it is full.
    mutating func moveOn() {
        var moved = 0
        while moved < backlog.count, ring.push(backlog[moved]) { moved += 1 }
        backlog.removeFirst(moved)
    }
}
