import DetentTypes
import DetentWorld

extension PhysicalModel {
    /// Every edge until all is at rest.
    mutating func edgesUntilRest() -> [PhysicalEdge] {
        var edges: [PhysicalEdge] = []
        while nextChange != .never { advance(to: nextChange) { edges.append($0) } }
        return edges
    }
}

extension Instant {
    static func milliseconds(_ count: UInt64) -> Instant {
        .zero + .milliseconds(count)
    }
}
