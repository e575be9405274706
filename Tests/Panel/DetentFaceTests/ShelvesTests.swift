import TestSupport
import Testing

@testable import DetentFace

/// What is left out while shelves are tried would not have been cheaper.
@Suite struct ShelvesTests {
    /// Boxes of two or three shapes, each narrower and higher than the next, from a seed.
    private static func boxes(_ seed: UInt64) -> [[Shelves.Shape]] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        func below(_ count: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % count)
        }
        return (0..<2 + below(6)).map { _ in
            let wide = 60 + 10 * below(12)
            let high = 30 + 10 * below(8)
            return (0..<2 + below(2)).reversed().map { step in
                Shelves.Shape(
                    width: Double(wide - 20 * step), height: Double(high + 20 * step),
                    columns: 1 + below(4), rows: 1 + below(3), isAligned: below(4) > 0)
            }
        }
    }

    /// The least cost of the boxes from one on, of all divisions into shelves.
    private static func cheapest(
        _ shelves: Shelves, from first: Int, count: Int, width: Double
    ) -> Double {
        guard first < count else { return 0 }
        var least = Double.infinity
        for end in first + 1...count {
            for shelf in shelves.shelves[first][end - first - 1] where shelf.width <= width {
                let own =
                    shelves.leastCost(of: shelf, width: width)
                    + shelves.stretchCost(of: shelf, width: width)
                least = min(least, own + cheapest(shelves, from: end, count: count, width: width))
            }
        }
        return least
    }

    @Test(arguments: 1...UInt64(TestLength.size(short: 40, long: 400)))
    func theArrangementIsTheCheapest(seed: UInt64) throws {
        let boxes = Self.boxes(seed)
        let shelves = Shelves(boxes)
        for width in [150.0, 240, 400] {
            let least = Self.cheapest(shelves, from: 0, count: boxes.count, width: width)
            guard let found = shelves.arranged(width: width) else {
                expectEqual(least, .infinity, "seed \(seed), \(width) mm")
                continue
            }
            let cost = found.shelves.reduce(0) {
                $0 + shelves.leastCost(of: $1, width: width)
                    + shelves.stretchCost(of: $1, width: width)
            }
            #expect(
                abs(cost - least) < 1e-6 * least, "seed \(seed), \(width) mm: \(cost), \(least)")
        }
    }
}
