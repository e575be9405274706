import DetentPanel

/// The box of one group: its cells in rows, from the top left of the box.
struct FaceBox {
    private let name: String?
    private var placed: [(cell: FaceCell, x: Double, y: Double)] = []
    private(set) var width: Double = 0
    private(set) var height: Double = 0

    private static let titleHeight = 6.0

    /// Lays out the cells of one group in at most `width` millimetres.
    init(_ cells: [FaceCell], _ plan: PanelPlan, name: String?, width limit: Double) {
        self.name = name
        let inner = limit - 2 * FaceLayout.padding
        var y = FaceLayout.gap + (name == nil ? 0 : Self.titleHeight)
        var above: [FaceCell] = []
        for row in Self.rows(cells, plan, width: inner) {
            let center = row.map(\.cell.centerY).max() ?? 0
            // From part to part; what is between them counts.
            let top = row.map { center - $0.cell.centerY + $0.cell.core.y }.min() ?? 0
            let needed = above.flatMap { upper in
                row.map { FacePart.leastDistance(upper.family, $0.cell.family) }
            }.max()
            if let needed { y += max(FaceLayout.gap, needed - top) }
            for (cell, x) in row {
                placed.append((cell, FaceLayout.padding + x, y + center - cell.centerY))
            }
            y += row.map { center - $0.cell.centerY + $0.cell.height }.max() ?? 0
            above = row.map(\.cell)
            self.width = max(
                self.width, (row.map { $0.x + $0.cell.width }.max() ?? 0) + 2 * FaceLayout.padding)
        }
        let size = Face.Label.Size.group.fontSizeMillimeters
        let title = name.map { TextWidth.millimeters($0.uppercased(), fontSizeMillimeters: size) }
        self.width = FaceLayout.up(
            max(self.width, min(limit, (title ?? 0) + 2 * FaceLayout.padding)))
        height = FaceLayout.up(y + FaceLayout.padding)
    }

    /// The rows of the panel file; one that is too wide goes on in the next line.
    private static func rows(
        _ cells: [FaceCell], _ plan: PanelPlan, width: Double
    ) -> [[(cell: FaceCell, x: Double)]] {
        var rows: [[(cell: FaceCell, x: Double)]] = []
        var number: Int?
        let ordered = cells.enumerated().sorted { one, other in
            let (a, b) = (row(one.element, plan), row(other.element, plan))
            return a == b ? one.offset < other.offset : a < b
        }
        for (_, cell) in ordered {
            if let last = rows.last?.last, number == row(cell, plan) {
                let distance = FacePart.leastDistance(last.cell.family, cell.family)
                let x = FaceLayout.up(
                    max(
                        last.x + last.cell.width + FaceLayout.gap,
                        last.x + last.cell.core.right + distance - cell.core.x))
                if x + cell.width <= width {
                    rows[rows.count - 1].append((cell, x))
                    continue
                }
            }
            number = row(cell, plan)
            rows.append([(cell, 0)])
        }
        return rows
    }

    private static func row(_ cell: FaceCell, _ plan: PanelPlan) -> Int {
        plan.controls[cell.control].layout.row
    }

    /// Puts the box and all in it on a face.
    func add(to face: inout Face, x: Double, y: Double) {
        face.groups.append(
            Face.Group(name: name, area: Face.Area(x: x, y: y, width: width, height: height)))
        if let name {
            face.labels.append(
                Face.Label(
                    lines: [name.uppercased()], size: .group, alignment: .start,
                    area: Face.Area(
                        x: x + FaceLayout.padding, y: y + 1.5,
                        width: width - 2 * FaceLayout.padding, height: 5)))
        }
        for (cell, cellX, cellY) in placed {
            for label in cell.labels {
                var label = label
                label.area = label.area.moved(x: x + cellX, y: y + cellY)
                face.labels.append(label)
            }
            for placement in cell.placements {
                var placement = placement
                placement.area = placement.area.moved(x: x + cellX, y: y + cellY)
                face.placements.append(placement)
            }
        }
    }
}
