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
    /// Width to height of a plate in good proportion.
    static let proportions = 1.2...3.2
    /// Between the edge of the plate and the boxes.
    static let margin = 10.0
    /// Between two boxes.
    static let gap = 5.0
    /// Between a box and its parts: two knobs of two boxes are 25 mm apart.
    static let padding = 10.0

    /// The face of a panel.
    ///
    /// - Parameter width: of the plate in millimetres; nil takes the smallest plate in good
    ///   proportion.
    /// - Throws: `FaceError` where a control is wider, or nothing is on the plate.
    public static func face(of plan: PanelPlan, width: Double? = nil) throws(FaceError) -> Face {
        let cells = plan.controls.indices.compactMap { FaceCell($0, of: plan) }
        guard let widest = cells.max(by: { $0.width < $1.width }) else { throw .empty }
        let least = up(widest.width) + 2 * (padding + margin)
        if let width {
            guard width >= least else {
                throw .tooNarrow(
                    control: plan.controls[widest.control].id, leastMillimeters: least)
            }
            var face = arrange(cells, plan, width: width)
            face.width = max(width, face.width)
            return face
        }
        return smallest(cells, plan, from: least)
    }

    /// The smallest plate in good proportion; of the others, the one that is nearest to it.
    private static func smallest(
        _ cells: [FaceCell], _ plan: PanelPlan, from least: Double
    ) -> Face {
        var best = arrange(cells, plan, width: least)
        // Wider than all cells in one row, a plate does not change any more.
        let most = min(
            widths.upperBound,
            cells.reduce(least) { $0 + $1.width + 2 * padding + gap })
        for width in stride(from: least + grid, through: most, by: 2 * grid) {
            let face = arrange(cells, plan, width: width)
            if cost(face) < cost(best) { best = face }
        }
        return best
    }

    /// The area in square millimetres, more where a plate is too high or too wide for a desk.
    private static func cost(_ face: Face) -> Double {
        let ratio = face.width / face.height
        let excess = max(1, proportions.lowerBound / ratio, ratio / proportions.upperBound)
        return face.width * face.height * excess * excess
    }

    /// The next step of the grid.
    static func up(_ length: Double) -> Double { (length / grid).rounded(.up) * grid }

    private static func arrange(_ cells: [FaceCell], _ plan: PanelPlan, width: Double) -> Face {
        var face = Face(width: 0, height: 0, groups: [], labels: [], placements: [])
        let title = Face.Label.Size.panel
        let titleWidth = TextWidth.millimeters(
            plan.name, fontSizeMillimeters: title.fontSizeMillimeters)
        face.labels.append(
            Face.Label(
                lines: [plan.name], size: title, alignment: .start,
                area: Face.Area(x: margin, y: margin, width: titleWidth, height: 8)))
        var skyline = Skyline(width: width - 2 * margin, top: margin + 15)
        for name in names(of: cells, plan) {
            let members = cells.filter { plan.controls[$0.control].layout.group == name }
            let box = FaceBox(
                members, plan, name: name, width: width - 2 * margin)
            let (x, y) = skyline.place(width: box.width, height: box.height, gap: gap)
            box.add(to: &face, x: margin + x, y: y)
        }
        let right = face.groups.map(\.area.right).max() ?? 0
        face.width = max(right, margin + titleWidth) + margin
        face.height = (face.groups.map(\.area.bottom).max() ?? 0) + margin
        return face
    }

    /// The groups in the order of the file.
    private static func names(of cells: [FaceCell], _ plan: PanelPlan) -> [String?] {
        var names: [String?] = []
        for cell in cells {
            let name = plan.controls[cell.control].layout.group
            if !names.contains(name) { names.append(name) }
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
