import DetentTypes
import DetentWorld

extension World {
    /// Every edge until all is at rest.
    mutating func edgesUntilRest() -> [WorldEdge] {
        var edges: [WorldEdge] = []
        while nextChange != .never { advance(to: nextChange) { edges.append($0) } }
        return edges
    }
}

extension Instant {
    static func milliseconds(_ count: UInt64) -> Instant {
        .zero + .milliseconds(count)
    }
}
