import TestSupport
import Testing

@testable import DetentPanel

/// Who depends on whom.
@Suite struct ControlGraphTests {
    private func graph(_ edges: [(Int, Int)]) -> ControlGraph {
        var graph = ControlGraph()
        for (line, edge) in edges.enumerated() {
            let place = SourcePlace(line: line + 1, column: 1)
            graph.add(.init(from: edge.0, to: edge.1, place: place))
        }
        return graph
    }

    @Test func theLongestPathCounts() {
        expectEqual(graph([(0, 1), (1, 2), (0, 2), (3, 2)]).depths(5), [2, 1, 0, 1, 0])
        expectEqual(graph([(2, 1), (1, 0)]).depths(3), [0, 1, 2])
        expectEqual(graph([]).depths(2), [0, 0])
    }

    @Test func aCircleBeginsAndEndsWithTheSame() throws {
        #expect(graph([(0, 1), (1, 2), (0, 2)]).circle(3) == nil)
        let circle = try #require(graph([(0, 1), (1, 2), (2, 3), (3, 1)]).circle(4))
        expectEqual(circle.controls, [1, 2, 3, 1])
        expectEqual(circle.closing.place.line, 4)
        expectEqual(try #require(graph([(1, 1)]).circle(2)).controls, [1, 1])
        let second = try #require(graph([(0, 1), (2, 3), (3, 2)]).circle(4))
        expectEqual(second.controls, [2, 3, 2])
    }

    @Test func theShortestWayIsFound() {
        let some = graph([(0, 1), (1, 2), (2, 3), (0, 2), (3, 0)])
        expectEqual(some.way(from: 0, to: 3), [0, 2, 3])
        expectEqual(some.way(from: 0, to: 0), [0, 2, 3, 0])
        expectEqual(some.way(from: 3, to: 1), [3, 0, 1])
        #expect(graph([(0, 1)]).way(from: 1, to: 0) == nil)
        #expect(graph([]).way(from: 0, to: 1) == nil)
    }

    /// Each of many layers has two ways to the next one: 2^60 paths, and 240 edges.
    @Test func workGrowsWithTheEdges() {
        let layers = 60
        let edges = (0..<layers).flatMap { layer in
            [(0, 2), (0, 3), (1, 2), (1, 3)].map { (layer * 2 + $0.0, layer * 2 + $0.1) }
        }
        let graph = graph(edges)
        let count = layers * 2 + 2
        #expect(graph.circle(count) == nil)
        expectEqual(graph.depths(count).first, layers)
        expectEqual(graph.way(from: 0, to: count - 1)?.count, layers + 1)
    }
}
