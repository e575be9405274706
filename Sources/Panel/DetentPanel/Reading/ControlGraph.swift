/// A graph of controls, with the place in the file of each edge.
struct ControlGraph {
    /// One control names another one.
    struct Edge {
        var from: Int
        var to: Int
        var place: SourcePlace
    }

    /// Every edge, in the order of the file.
    private(set) var edges: [Edge] = []

    mutating func add(_ edge: Edge) { edges.append(edge) }

    private var outgoing: [Int: [Edge]] { Dictionary(grouping: edges, by: \.from) }

    /// For each control, the number of edges on the longest path from it.
    ///
    /// The graph must not have a circle.
    func depths(_ count: Int) -> [Int] {
        let outgoing = outgoing
        var depths = [Int?](repeating: nil, count: count)
        func depth(of control: Int) -> Int {
            if let known = depths[control] { return known }
            let deepest = (outgoing[control] ?? []).map { depth(of: $0.to) + 1 }.max() ?? 0
            depths[control] = deepest
            return deepest
        }
        return (0..<count).map { depth(of: $0) }
    }

    /// The first circle that a depth-first search finds: its controls, with the first one repeated
    /// at the end, and the edge that closes it.
    func circle(_ count: Int) -> (controls: [Int], closing: Edge)? {
        let outgoing = outgoing
        var finished: Set<Int> = []
        var path: [Int] = []
        var found: (controls: [Int], closing: Edge)?
        func visit(_ control: Int) {
            if finished.contains(control) { return }
            path.append(control)
            defer { path.removeLast() }
            for edge in outgoing[control] ?? [] where found == nil {
                if let start = path.firstIndex(of: edge.to) {
                    found = (path[start...] + [edge.to], edge)
                } else {
                    visit(edge.to)
                }
            }
            finished.insert(control)
        }
        for control in 0..<count where found == nil { visit(control) }
        return found
    }

    /// The shortest path from one control to another, including both; nil if there is none.
    func way(from start: Int, to end: Int) -> [Int]? {
        let outgoing = outgoing
        var ways = [[start]]
        var seen: Set = [start]
        while !ways.isEmpty {
            var longer: [[Int]] = []
            for way in ways {
                for edge in outgoing[way[way.count - 1]] ?? [] {
                    if edge.to == end { return way + [end] }
                    if seen.insert(edge.to).inserted { longer.append(way + [edge.to]) }
                }
            }
            ways = longer
        }
        return nil
    }
}
