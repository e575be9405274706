public import DetentPanel
public import DetentTypes

/// Lays out the controls of a panel on a plate.
///
/// Controls of a group stand together in an engraved box: rows as the panel file has them, in its
/// order, with the parts of a row in one line. Boxes keep the order of the file, each as high up as
/// it fits, then as far left. Equal plans give equal faces.
public enum FaceLayout {
    /// Widths that can be asked for, in millimetres.
    public static let widths = 50.0...2_000.0
    /// Everything is placed in steps of this length, in millimetres.
    static let grid = 5.0
    /// How many widths are tried where none is given.
    private static let widthsTried = 30.0
    /// Width to height of a plate in good proportion.
    static let proportions = 1.2...3.2
    /// Between the edge of the plate and the boxes.
    static let margin = 10.0
    /// Between the upper edge and the boxes: room for the name of the panel.
    static let head = 15.0
    /// Between two boxes.
    static let gap = 5.0
    /// Between a box and its parts: two knobs of two boxes are 25 mm apart.
    static let padding = 10.0

    /// The face of a panel.
    ///
    /// - Parameter width: of the plate in millimetres; nil takes that of the panel file, or else
    ///   the smallest plate in good proportion.
    /// - Throws: `FaceError` where a control is wider, or nothing is on the plate.
    public static func face(of plan: PanelPlan, width: Double? = nil) throws(FaceError) -> Face {
        guard plan.controls.contains(where: { $0.facePart != nil }) else { throw .empty }
        let least = try leastWidth(of: plan)
        if let width = width ?? plan.plateMillimeters {
            guard width >= least.millimeters else {
                throw .tooNarrow(control: least.control, leastMillimeters: least.millimeters)
            }
            return arrange(plan, width: width).face(width: width)
        }
        let best = smallest(plan, from: least.millimeters)
        return best.face(width: best.width)
    }

    /// The narrowest plate, and the control that needs it.
    static func leastWidth(
        of plan: PanelPlan
    ) throws(FaceError) -> (control: String, millimeters: Double) {
        let cells = cells(of: plan, limit: 0)
        guard let widest = cells.max(by: { $0.width + $0.indent < $1.width + $1.indent }) else {
            throw .empty
        }
        let id = plan.controls[widest.control].id
        return (id, up(widest.width + widest.indent) + 2 * (padding + margin))
    }

    private static func cells(of plan: PanelPlan, limit: Double) -> [FaceCell] {
        let members = FaceMembers(plan)
        return plan.controls.indices.map { FaceCell($0, of: plan, members, limit: limit) }
    }

    /// The smallest plate in good proportion; of the others, the one that is nearest to it.
    private static func smallest(_ plan: PanelPlan, from least: Double) -> PlateLayout {
        var best = arrange(plan, width: least)
        // Wider than all cells in one row, a plate does not change any more.
        let most = min(
            widths.upperBound,
            cells(of: plan, limit: .infinity).reduce(least) { $0 + $1.width + 2 * padding + gap })
        let step = max(2 * grid, up((most - least) / widthsTried))
        for width in stride(from: least + grid, through: most, by: step) {
            let layout = arrange(plan, width: width)
            if cost(layout) < cost(best) { best = layout }
        }
        return best
    }

    /// The area in square millimetres, more where a plate is too high or too wide for a desk.
    private static func cost(_ layout: PlateLayout) -> Double {
        let ratio = layout.width / layout.height
        let excess = max(1, proportions.lowerBound / ratio, ratio / proportions.upperBound)
        return layout.width * layout.height * excess * excess
    }

    /// The next step of the grid.
    static func up(_ length: Double) -> Double { (length / grid).rounded(.up) * grid }

    /// The last step of the grid.
    static func down(_ length: Double) -> Double { (length / grid).rounded(.down) * grid }

    /// The layouts of a panel, each made once: a window is tried in several scales, which often
    /// need the same width.
    struct Layouts {
        private let plan: PanelPlan
        private var known: [Double: PlateLayout] = [:]

        init(_ plan: PanelPlan) {
            self.plan = plan
        }

        /// `FaceLayout.arrange` of the panel.
        mutating func arranged(_ width: Double) -> PlateLayout {
            if let layout = known[width] { return layout }
            let layout = arrange(plan, width: width)
            known[width] = layout
            return layout
        }

        /// The layout that takes exactly its own width: asked for that width, `arranged` gives it
        /// again.
        mutating func trimmed(_ width: Double) -> PlateLayout {
            var layout = arranged(width)
            var asked = width
            while layout.width != asked {
                asked = layout.width
                layout = arranged(asked)
            }
            return layout
        }
    }

    /// The boxes of a panel on a plate of at most this width; they may need less.
    ///
    /// Boxes are tried with columns that may need more room and without them, in several widths,
    /// and in the order of the file and of their heights. The lowest plate wins. The order of the
    /// file counts as much as a tenth of the height, and columns as much as a fifth on a plate that
    /// is higher than wide, which no window shows whole.
    static func arrange(_ plan: PanelPlan, width: Double) -> PlateLayout {
        // Cells are as wide as whole centimetres.
        let limit = ((width - 2 * (margin + padding)) / 10).rounded(.down) * 10
        let cells = cells(of: plan, limit: limit)
        let room = width - 2 * margin
        var best: (layout: PlateLayout, cost: Double)?
        for hasWideColumns in [true, false] {
            let table = boxes(
                of: cells, plan, limits: boxShares.map { up(room * $0) },
                hasWideColumns: hasWideColumns)
            for choice in choices(of: table) where choice.allSatisfy({ $0.width <= room }) {
                for isByHeight in plan.groupOrder.isEmpty && choice.count > 2
                    ? [false, true] : [false]
                {
                    let layout = pack(choice, cells, plan, width: width, isByHeight: isByHeight)
                    let isNarrow = !hasWideColumns && layout.height > width
                    let cost = layout.height * (isByHeight ? 1.1 : 1) * (isNarrow ? 1.2 : 1)
                    if cost < best?.cost ?? .infinity { best = (layout, cost) }
                }
            }
        }
        return best?.layout ?? pack([], cells, plan, width: width, isByHeight: false)
    }

    /// The boxes within each limit: all within the same one, or each within that with which its
    /// area is least.
    private static func choices(of table: [[FaceBox]]) -> [[FaceBox]] {
        boxShares.indices.flatMap { first in
            [
                table.map { $0[first] },
                table.compactMap { row in
                    row[first...].min { $0.width * $0.height < $1.width * $1.height }
                },
            ]
        }
    }

    /// How wide a box may be, in parts of the plate.
    private static let boxShares = [1, 0.66, 0.5, 0.4, 0.33, 0.25]

    /// For each group, its box of controls without a place of their own, for each limit.
    private static func boxes(
        of cells: [FaceCell], _ plan: PanelPlan, limits: [Double], hasWideColumns: Bool
    ) -> [[FaceBox]] {
        names(of: cells, plan).compactMap { name in
            let members = cells.filter {
                let layout = plan.controls[$0.control].layout
                return layout.group == name && layout.place == nil
            }
            guard !members.isEmpty else { return nil }
            let widest = members.map { $0.width + $0.indent }.max() ?? 0
            let least = up(widest) + 2 * padding
            return limits.map { limit in
                FaceBox(
                    members, plan, name: name, width: max(limit, least),
                    hasWideColumns: hasWideColumns)
            }
        }
    }

    private static func pack(
        _ boxes: [FaceBox], _ cells: [FaceCell], _ plan: PanelPlan, width: Double, isByHeight: Bool
    ) -> PlateLayout {
        var layout = PlateLayout(name: plan.name)
        for name in names(of: cells, plan) { placeFixed(cells, plan, name, &layout) }
        let top = layout.bottom.map { up($0) + gap } ?? head
        var skyline = Skyline(width: width - 2 * margin, top: top)
        var order = Array(boxes.indices)
        if isByHeight {
            order.sort { (-boxes[$0].height, $0) < (-boxes[$1].height, $1) }
        }
        for index in order {
            let box = boxes[index]
            let (x, y) = skyline.place(width: box.width, height: box.height, gap: gap)
            layout.add(box, x: margin + x, y: y)
        }
        return layout
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

/// Why a panel has no face.
public enum FaceError: DescribedError, Equatable, Sendable {
    /// No control has a part.
    case empty
    /// A control is wider than the plate.
    case tooNarrow(control: String, leastMillimeters: Double)

    /// What is wrong.
    public var cause: String {
        switch self {
        case .empty: "no control of the panel has a part or a lamp"
        case .tooNarrow(let control, _): "the plate is too narrow for `\(control)`"
        }
    }

    /// What to do about it.
    public var remedy: String {
        switch self {
        case .empty: "give at least one control an `input` or an `indicator`"
        case .tooNarrow(_, let least): "give a width of at least \(Int(least)) mm"
        }
    }
}
