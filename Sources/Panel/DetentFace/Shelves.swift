/// Boxes on shelves: each shelf is a row of columns, each column a few boxes below each other.
///
/// The boxes keep their order: down a column, then the next one. It tries every division into
/// shelves and columns for which the sizes of the boxes leave room.
struct Shelves: Sendable {
    /// The size of a box, and how many columns and rows of controls share more room.
    struct Shape {
        var width: Double
        var height: Double
        var columns: Int
        var rows: Int
        /// Whether its columns have an axis each.
        var isAligned: Bool
    }

    /// Boxes below each other, each in the lowest shape that is not wider than the column.
    struct Column {
        /// The places of the boxes in the list of all.
        var boxes: Range<Int>
        /// The shape of each.
        var shapes: [Int]
        var width: Double
        /// The sum of the heights of its boxes, and of the gaps.
        var height: Double
        /// The width beyond which one of its frames is too large for its content.
        var mostWidth: Double
    }

    /// Columns beside each other.
    struct Shelf {
        var columns: [Column]
        var width: Double
        var height: Double
    }

    /// How many times as large as its content a frame is at most, if there is a way.
    static let mostStretch = 1.3
    /// The same for a frame whose controls are spread over it.
    private static let mostSpread = 1.6
    /// What a shelf costs more for each part by which a frame is larger than that.
    private static let stretchCost = 8.0
    /// What a frame costs that is stretched too far at all, or whose columns have no axis.
    private static let stretchStep = 0.1
    /// A shelf that is higher than this part of its width is not seen as a whole in a window.
    private static let mostHeight = 0.55
    /// How many boxes are below each other in a shelf.
    private static let mostStacked = 4

    private let shapes: [[Shape]]
    /// For each first and end of a shelf what it can be: the widest first, each higher than before.
    private(set) var shelves: [[[Shelf]]] = []

    /// - Parameter shapes: of each box, the narrowest first, each lower than the one before.
    init(_ shapes: [[Shape]]) {
        self.shapes = shapes
        let stacks = shapes.indices.map { first in
            (first + 1...min(first + Self.mostStacked, shapes.count)).map { stack(first..<$0) }
        }
        shelves = shapes.indices.map { shelves(from: $0, stacks) }
    }

    /// The shelves of the cheapest plate whose boxes have this width.
    struct Arrangement {
        var shelves: [Shelf]
        /// How much more than its area it costs.
        var excess: Double
        /// Whether a frame is stretched too far by more than what edges on the grid need.
        var isStretched: Bool
    }

    /// The cheapest arrangement for a width; nil where a box is wider.
    func arranged(width: Double) -> Arrangement? {
        var best: [(cost: Double, shelves: [Shelf])?] = [(0, [])]
        for end in 1...max(1, shapes.count) where !shapes.isEmpty {
            best.append(nil)
            for first in 0..<end {
                guard let before = best[first] else { continue }
                for shelf in shelves[first][end - first - 1] where shelf.width <= width {
                    let limit = best[end]?.cost ?? .infinity
                    let least = before.cost + leastCost(of: shelf, width: width)
                    guard least < limit else { continue }
                    let cost = least + stretchCost(of: shelf, width: width)
                    if cost < limit { best[end] = (cost, before.shelves + [shelf]) }
                }
            }
        }
        guard let (cost, shelves) = best[shapes.count] else { return nil }
        return Arrangement(
            shelves: shelves,
            excess: cost - shelves.reduce(0) { $0 + width * ($1.height + FaceLayout.gap) },
            isStretched: shelves.contains { shelf in
                var isStretched = false
                forEachFrame(of: shelf, width: width) { _, _, over, _ in
                    isStretched = isStretched || over > 2 * FaceLayout.grid
                }
                return isStretched
            })
    }

    /// The area that a shelf takes, and more where it is high.
    func leastCost(of shelf: Shelf, width: Double) -> Double {
        let high = max(0, shelf.height / (Self.mostHeight * width) - 1)
        return width * (shelf.height + FaceLayout.gap) * (1 + high / 2)
    }

    /// What a shelf costs more for frames that are stretched too far.
    func stretchCost(of shelf: Shelf, width: Double) -> Double {
        var stretched = 0.0
        forEachFrame(of: shelf, width: width) { shape, excess, _, frame in
            if excess > 0.01 { stretched += (excess + Self.stretchStep) * frame }
            if !shape.isAligned { stretched += Self.stretchStep * frame }
        }
        return Self.stretchCost * stretched
    }

    /// How much further than allowed each frame of a shelf is stretched, in parts of it and in
    /// millimetres, and the area of the frame.
    private func forEachFrame(
        of shelf: Shelf, width: Double,
        _ body: (_ shape: Shape, _ excess: Double, _ over: Double, _ frame: Double) -> Void
    ) {
        let gaps = FaceLayout.gap * Double(shelf.columns.count - 1)
        let across = (width - gaps) / (shelf.width - gaps)
        for column in shelf.columns {
            let gaps = FaceLayout.gap * Double(column.boxes.count - 1)
            let down = (shelf.height - gaps) / (column.height - gaps)
            for (box, number) in zip(column.boxes, column.shapes) {
                let shape = shapes[box][number]
                let wide = column.width * across / shape.width
                let right = max(0, wide - Self.most(of: shape.columns))
                let below = max(0, down - Self.most(of: shape.rows))
                body(
                    shape, right + below, max(right * shape.width, below * shape.height),
                    column.width * across * shape.height * down)
            }
        }
    }

    /// How many times its own length a frame may have: what is in it is spread over it, with as
    /// much room between its controls as at both ends.
    private static func most(of count: Int) -> Double {
        let inside = Double(count - 1) / Double(count + 1)
        let rest = 1 - mostStretch * inside
        let most = rest > 0 ? mostStretch * (1 - inside) / rest : mostSpread
        return min(most, mostSpread)
    }

    /// The width beyond which a frame is too large for its content.
    static func most(of box: FaceBox) -> Double {
        FaceLayout.down(box.width * most(of: box.columns))
    }

    /// Columns of these boxes: the narrowest first, each lower than the one before.
    private func stack(_ boxes: Range<Int>) -> [Column] {
        let gaps = FaceLayout.gap * Double(boxes.count - 1)
        let least = boxes.compactMap { shapes[$0].first?.width }.max() ?? 0
        let widths = Set(boxes.flatMap { shapes[$0].map(\.width) }.filter { $0 >= least }).sorted()
        var columns: [Column] = []
        for width in widths {
            let numbers = boxes.map { box in
                (shapes[box].lastIndex { $0.width <= width }) ?? 0
            }
            let height = zip(boxes, numbers).reduce(gaps) { $0 + shapes[$1.0][$1.1].height }
            if height < columns.last?.height ?? .infinity {
                let most = zip(boxes, numbers).map { box, number in
                    shapes[box][number].width * Self.most(of: shapes[box][number].columns)
                }
                columns.append(
                    Column(
                        boxes: boxes, shapes: numbers, width: width, height: height,
                        mostWidth: max(width, FaceLayout.down(most.min() ?? width))))
            }
        }
        return columns
    }

    /// What the shelves that begin with a box can be, by how many boxes they have.
    private func shelves(from first: Int, _ stacks: [[[Column]]]) -> [[Shelf]] {
        let count = shapes.count - first
        var found: [[Shelf]] = Array(repeating: [], count: count)
        let heights = Set(stacks[first...].joined().joined().map(\.height)).sorted()
        for height in heights {
            // The narrowest row of columns up to each box, within this height.
            var rows: [Shelf?] = [Shelf(columns: [], width: -FaceLayout.gap, height: height)]
            for end in 1...count {
                var best: Shelf?
                for start in max(0, end - Self.mostStacked)..<end {
                    guard let row = rows[start],
                        let column = stacks[first + start][end - start - 1].first(where: {
                            $0.height <= height
                        })
                    else { continue }
                    let width = row.width + FaceLayout.gap + column.width
                    if width < best?.width ?? .infinity {
                        best = Shelf(
                            columns: row.columns + [column], width: width, height: height)
                    }
                }
                rows.append(best)
                guard let best, best.width < found[end - 1].last?.width ?? .infinity else {
                    continue
                }
                found[end - 1].append(best)
            }
        }
        return found
    }
}
