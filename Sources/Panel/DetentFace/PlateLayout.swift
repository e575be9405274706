/// The boxes of a panel in their places on a plate.
struct PlateLayout {
    /// One box, and the room that it has.
    private struct Item {
        let box: FaceBox
        var area: Face.Area
    }

    private var items: [Item] = []
    private let title: Face.Label
    /// The least width that shows all boxes.
    private(set) var width: Double = 0
    /// The least height that shows all boxes.
    private(set) var height: Double = 0

    /// A plate with a name, and no boxes yet.
    init(name: String) {
        let size = Face.Label.Size.panel
        title = Face.Label(
            lines: [name], size: size, alignment: .start,
            area: Face.Area(
                x: FaceLayout.margin + 2, y: 4,
                width: TextWidth.millimeters(name, fontSizeMillimeters: size.fontSizeMillimeters),
                height: 8))
        width = FaceLayout.up(title.area.right + FaceLayout.margin)
        height = FaceLayout.margin
    }

    /// The lower edge of the lowest box; nil where there is none.
    var bottom: Double? { items.map(\.area.bottom).max() }

    /// Adds a box with its top left corner at a place.
    mutating func add(_ box: FaceBox, x: Double, y: Double) {
        let area = Face.Area(x: x, y: y, width: box.width, height: box.height)
        items.append(Item(box: box, area: area))
        width = max(width, FaceLayout.up(area.right + FaceLayout.margin))
        height = max(height, FaceLayout.up(area.bottom + FaceLayout.margin))
    }

    /// The face on a plate of this width, or of the least one where that is wider.
    func face(width asked: Double) -> Face {
        var filled = self
        filled.width = max(asked, width)
        filled.stretch(from: items.map(\.area.right).max() ?? 0)
        filled.grow()
        var face = Face(
            width: filled.width, height: height, groups: [], forms: [], labels: [title],
            placements: [])
        for item in filled.items { item.box.add(to: &face, in: item.area) }
        return face
    }

    /// Spreads the boxes over the width of the plate, each in proportion to its own.
    ///
    /// Edges stay on the grid, and no box gets narrower: lengths on the grid only grow.
    private mutating func stretch(from right: Double) {
        guard !items.contains(where: \.box.isFixed) else { return }
        let used = right + FaceLayout.gap - FaceLayout.margin
        let free = FaceLayout.down(width - FaceLayout.margin - right)
        guard free > 0, used > 0 else { return }
        let moved = { (x: Double) in
            let length = x - FaceLayout.margin
            return FaceLayout.margin + length + FaceLayout.down(length * free / used)
        }
        for index in items.indices {
            let area = items[index].area
            let end = moved(area.right + FaceLayout.gap) - FaceLayout.gap
            items[index].area.x = moved(area.x)
            items[index].area.width = end - items[index].area.x
        }
    }

    /// Extends boxes into the free room below them and at their sides, so that edges are equal.
    private mutating func grow() {
        for index in items.indices {
            let area = items[index].area
            let free = room(around: index, isBeside: { $0.x < area.right && area.x < $0.right })
            items[index].area.height = max(area.height, free.bottom - area.y)
        }
        for index in items.indices {
            let area = items[index].area
            let free = room(around: index, isBeside: { $0.y < area.bottom && area.y < $0.bottom })
            let left = items[index].box.isFixed ? area.x : min(area.x, free.x)
            items[index].area.x = left
            items[index].area.width = max(area.right, free.right) - left
        }
    }

    /// How far a box may reach to the left, to the right and down, until the next one that is in
    /// its way.
    private func room(around index: Int, isBeside: (Face.Area) -> Bool) -> Face.Area {
        let own = items[index].area
        var (left, right) = (FaceLayout.margin, width - FaceLayout.margin)
        var bottom = height - FaceLayout.margin
        for (place, item) in items.enumerated() where place != index {
            let gap = FaceLayout.gap
            let area = item.area
            let around = Face.Area(
                x: area.x - gap, y: area.y - gap, width: area.width + 2 * gap,
                height: area.height + 2 * gap)
            guard isBeside(around) else { continue }
            if around.x >= own.right { right = min(right, around.x) }
            if around.right <= own.x { left = max(left, around.right) }
            if around.y >= own.bottom { bottom = min(bottom, around.y) }
        }
        return Face.Area(x: left, y: own.y, width: right - left, height: bottom - own.y)
    }
}
