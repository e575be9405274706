import DetentPanel

/// The boxes of a panel in their places on a plate.
struct PlateLayout: Sendable {
    /// One box, and the room that it has.
    private struct Item {
        let box: FaceBox
        var area: Face.Area
    }

    private var items: [Item] = []
    private var title: Face.Label
    /// The least width that shows all boxes.
    private(set) var width: Double = 0
    /// The least height that shows all boxes.
    private(set) var height: Double = 0

    /// What stretched frames and high shelves cost beyond the area, in square millimetres.
    var excess = 0.0
    /// Whether a frame is larger than its content may be.
    var isStretched = false
    /// The area, and more for what is worse than an empty place.
    var cost: Double { width * height + excess }

    /// A plate with a name, and no boxes yet.
    init(name: String) {
        let size = Face.Label.Size.panel
        title = Face.Label(
            lines: [name], size: size, alignment: .start,
            area: Face.Area(
                x: FaceLayout.margin, y: 1.5,
                width: TextWidth.millimeters(name, fontSizeMillimeters: size.fontSizeMillimeters),
                height: 8))
        width = FaceLayout.up(title.area.right + FaceLayout.margin)
        height = FaceLayout.margin
    }

    /// The lower edge of the lowest box; nil where there is none.
    var bottom: Double? { items.map(\.area.bottom).max() }

    /// Adds a box with its top left corner at a place.
    mutating func add(_ box: FaceBox, x: Double, y: Double) {
        add(box, in: Face.Area(x: x, y: y, width: box.width, height: box.height))
    }

    private mutating func add(_ box: FaceBox, in area: Face.Area) {
        items.append(Item(box: box, area: area))
        width = max(width, FaceLayout.up(area.right + FaceLayout.margin))
        height = max(height, FaceLayout.up(area.bottom + FaceLayout.margin))
    }

    /// Adds shelves of boxes below each other, whose frames end together.
    ///
    /// A shelf is as wide as the widest one where that stretches its frames no further than
    /// allowed. The edges of its frames are below those of the shelf above, where there is room.
    mutating func add(_ shelves: [Shelves.Shelf], of boxes: [[FaceBox]], y: Double) {
        // A title that is wider than all frames is under none of their edges.
        let widest = max(shelves.map(\.width).max() ?? 0, FaceLayout.down(title.area.width))
        var top = y
        var edges: [Double] = []
        for shelf in shelves {
            let ends = Self.ends(of: shelf, width: widest, edges: edges)
            var left = 0.0
            for (column, end) in zip(shelf.columns, ends) {
                fill(
                    column, of: boxes,
                    in: Face.Area(
                        x: FaceLayout.margin + left, y: top, width: end - left,
                        height: shelf.height))
                left = end + FaceLayout.gap
            }
            edges += ends
            top += shelf.height + FaceLayout.gap
        }
    }

    /// Where each column of a shelf ends: below an edge of the shelves above, if one is near.
    private static func ends(of shelf: Shelves.Shelf, width: Double, edges: [Double]) -> [Double] {
        var ends: [Double] = []
        var left = 0.0
        for (place, column) in shelf.columns.enumerated() {
            let others = shelf.columns[(place + 1)...]
            let gaps = FaceLayout.gap * Double(others.count)
            let after = others.reduce(0) { $0 + $1.width }
            let most = others.reduce(0) { $0 + $1.mostWidth }
            let free = min(width - left - gaps, column.mostWidth + most)
            // The others need their own width, and take no more than they may.
            let range = max(column.width, free - most)...max(column.width, free - after)
            let share = FaceLayout.down(free * column.width / (column.width + after))
            // With its types: a compiler that has little time does not find them.
            let far = { (end: Double) -> Double in abs(end - share) }
            let reached: [Double] = edges.map { $0 - left }
            let near = reached.filter { range.contains($0) && far($0) <= 20 }
                .min { far($0) < far($1) }
            let own = near ?? min(max(share, range.lowerBound), range.upperBound)
            ends.append(left + min(own, max(column.mostWidth, range.lowerBound)))
            left = ends[place] + FaceLayout.gap
        }
        return ends
    }

    /// The boxes of a column below each other in its area, each higher in proportion to its own.
    /// One that is much narrower than the column does not reach its end.
    private mutating func fill(
        _ column: Shelves.Column, of boxes: [[FaceBox]], in area: Face.Area
    ) {
        var y = area.y
        var natural = column.height - FaceLayout.gap * Double(column.boxes.count - 1)
        for (place, number) in zip(column.boxes, column.shapes) {
            let box = boxes[place][number]
            let left = FaceLayout.gap * Double(column.boxes.upperBound - place - 1)
            let free = area.bottom - y - left
            let height =
                place == column.boxes.upperBound - 1
                ? free : max(box.height, FaceLayout.down(free * box.height / natural))
            let width = max(box.width, min(area.width, Shelves.most(of: box)))
            add(box, in: Face.Area(x: area.x, y: y, width: width, height: height))
            y += height + FaceLayout.gap
            natural -= box.height
        }
    }

    /// The face on a plate of this width, or of the least one where that is wider: the boxes are in
    /// the middle, except those with a place of their own.
    func face(width asked: Double) -> Face {
        let width = max(asked, self.width)
        let isFixed = items.contains(where: \.box.isFixed)
        let shift = isFixed ? 0 : FaceLayout.down((width - self.width) / 2)
        var title = title
        title.area.x += shift
        var face = Face(
            width: width, height: height, groups: [], forms: [], labels: [title], placements: [])
        for item in items { item.box.add(to: &face, in: item.area.moved(x: shift, y: 0)) }
        return face
    }
}
