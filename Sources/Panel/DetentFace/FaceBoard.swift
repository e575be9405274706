import DetentPanel
import DetentTypes

/// All boxes of a panel in their shapes, and the shelves that they can stand on.
struct FaceBoard: Sendable {
    private let plan: PanelPlan
    private let cells: [FaceCell]
    /// For each group, its box of controls without a place of their own: the narrowest shape
    /// first, each lower than the one before.
    private let boxes: [[FaceBox]]
    private let shelves: [(order: [Int], shelves: Shelves)]

    /// - Parameter limit: the width at which keys go on in a second row.
    init(_ plan: PanelPlan, limit: Double) {
        self.plan = plan
        let members = FaceMembers(plan)
        let cells = Self.onPlate(plan).map { FaceCell($0, of: plan, members, limit: limit) }
        self.cells = cells
        let boxes = Self.names(of: cells, plan).compactMap { name -> [FaceBox]? in
            let own = cells.filter {
                let layout = plan.controls[$0.control].layout
                return layout.group == name && layout.place == nil
            }
            return own.isEmpty ? nil : Self.shapes(of: own, plan, name: name)
        }
        self.boxes = boxes
        var orders = [Array(boxes.indices)]
        if plan.groupOrder.isEmpty, boxes.count > 2 {
            orders.append(
                boxes.indices.sorted {
                    (-(boxes[$0].first?.height ?? 0), $0)
                        < (-(boxes[$1].first?.height ?? 0), $1)
                })
        }
        shelves = orders.map { order in
            let sizes = order.map { place in
                boxes[place].map {
                    Shelves.Shape(
                        width: $0.width, height: $0.height, columns: $0.columns, rows: $0.rows,
                        isAligned: $0.isAligned)
                }
            }
            return (order, Shelves(sizes))
        }
    }

    /// The widest cell of a panel on a plate that is as wide as it likes.
    static func widestCell(of plan: PanelPlan) -> Double {
        let members = FaceMembers(plan)
        return onPlate(plan).map { FaceCell($0, of: plan, members).width }.max() ?? 0
    }

    /// The controls that have a place; those without a part have none.
    private static func onPlate(_ plan: PanelPlan) -> [Int] {
        plan.controls.indices.filter { plan.controls[$0].layout.isOnPlate }
    }

    /// The narrowest plate, and the widest control of the box that needs it.
    var least: (control: Int, millimeters: Double)? {
        guard let widest = cells.max(by: { $0.width + $0.indent < $1.width + $1.indent }) else {
            return nil
        }
        let width =
            boxes.compactMap { $0.first?.width }.max() ?? widest.width + 2 * FaceLayout.padding
        return (widest.control, width + 2 * FaceLayout.margin)
    }

    /// A plate for all boxes beside each other.
    var mostWidth: Double {
        boxes.reduce(2 * FaceLayout.margin) { $0 + ($1.last?.width ?? 0) + FaceLayout.gap }
    }

    /// The boxes on a plate of at most this width.
    ///
    /// The order of the file counts as much as a tenth of the plate.
    func arranged(_ width: Double) -> PlateLayout {
        var best: (layout: PlateLayout, cost: Double)?
        let narrowest = boxes.compactMap { $0.first?.width }.max() ?? 0
        let room = max(width - 2 * FaceLayout.margin, narrowest)
        for (place, way) in shelves.enumerated() {
            guard let found = way.shelves.arranged(width: room) else { continue }
            var layout = PlateLayout(name: plan.name)
            for name in Self.names(of: cells, plan) { Self.placeFixed(cells, plan, name, &layout) }
            layout.add(
                found.shelves, of: way.order.map { boxes[$0] },
                y: layout.bottom.map { FaceLayout.up($0) + FaceLayout.gap } ?? FaceLayout.head)
            layout.excess = found.excess
            layout.isStretched = found.isStretched
            let cost = layout.cost * (place == 0 ? 1 : 1.1)
            if cost < best?.cost ?? .infinity { best = (layout, cost) }
        }
        return best?.layout ?? PlateLayout(name: plan.name)
    }

    /// The shapes that a box can have, from one with its rows as they are in the file to the
    /// narrowest one. Its columns are aligned, but in the narrowest where there is no other.
    private static func shapes(
        of cells: [FaceCell], _ plan: PanelPlan, name: String?
    ) -> [FaceBox] {
        let least = cells.map(\.width).min() ?? 0
        var boxes: [FaceBox] = []
        var limit = FaceLayout.widths.upperBound
        while limit > least {
            let box = FaceBox(cells, plan, name: name, width: limit)
            if box.width < boxes.last?.width ?? .infinity { boxes.append(box) }
            limit = min(limit, box.width) - FaceLayout.grid
        }
        let narrowest = boxes.last
        boxes = boxes.filter { $0.isAligned || $0.width == narrowest?.width }
        // The widest first: one that is not lower than a narrower one is of no use.
        var lowest = Double.infinity
        return boxes.reversed().filter { box in
            defer { lowest = min(lowest, box.height) }
            return box.height < lowest
        }
    }

    /// The controls of a group that have their place in the panel file.
    private static func placeFixed(
        _ cells: [FaceCell], _ plan: PanelPlan, _ name: String?, _ layout: inout PlateLayout
    ) {
        let fixed = cells.compactMap { cell -> (cell: FaceCell, middle: PlatePoint)? in
            let wanted = plan.controls[cell.control].layout
            guard wanted.group == name, let place = wanted.place else { return nil }
            return (cell, place)
        }
        guard !fixed.isEmpty else { return }
        let (box, x, y) = FaceBox.around(fixed, name: name)
        layout.add(box, x: x, y: y)
    }

    /// The groups: first those of `layout: order`, then the others in the order of the file.
    private static func names(of cells: [FaceCell], _ plan: PanelPlan) -> [String?] {
        var names: [String?] = []
        for name in plan.groupOrder + cells.map({ plan.controls[$0.control].layout.group })
        where !names.contains(name) {
            names.append(name)
        }
        return names
    }
}
