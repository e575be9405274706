public import DetentPanel
public import DetentTypes

/// Lays out the controls of a panel on a plate.
///
/// Controls of a group stand together in an engraved box: rows as the panel file has them, in its
/// order, with the parts of a row in one line. Boxes keep the order of the file and stand on
/// shelves, which end together. Equal plans give equal faces.
public enum FaceLayout {
    /// Widths that can be asked for, in millimetres.
    public static let widths = 50.0...2_000.0
    /// Everything is placed in steps of this length, in millimetres.
    static let grid = 5.0
    /// Width to height of a plate in good proportion.
    static let proportions = 1.2...3.2
    /// Between the edge of the plate and the boxes.
    static let margin = 5.0
    /// Between the upper edge and the boxes: room for the name of the panel.
    static let head = 10.0
    /// Between two boxes.
    static let gap = 5.0
    /// Between the line of a box and what is in it, at least.
    static let padding = 5.0

    /// The face of a panel.
    ///
    /// - Parameter width: of the plate in millimetres; nil takes that of the panel file, or else
    ///   the smallest plate in good proportion.
    /// - Throws: `FaceError` where a control is wider, or nothing is on the plate.
    public static func face(of plan: PanelPlan, width: Double? = nil) throws(FaceError) -> Face {
        guard plan.controls.contains(where: { $0.facePart != nil }) else { throw .empty }
        var layouts = FaceLayouts(plan)
        let least = try layouts.least()
        if let width = width ?? plan.plateMillimeters {
            guard width >= least.millimeters else {
                throw .tooNarrow(control: least.control, leastMillimeters: least.millimeters)
            }
            return layouts.arranged(width).face(width: width)
        }
        let best = layouts.all().min { cost($0) < cost($1) } ?? layouts.arranged(least.millimeters)
        return best.face(width: best.width)
    }

    /// The area in square millimetres, more where a plate is too high or too wide for a desk.
    static func cost(_ layout: PlateLayout) -> Double {
        let ratio = layout.width / layout.height
        let excess = max(1, proportions.lowerBound / ratio, ratio / proportions.upperBound)
        return layout.cost * excess * excess
    }

    /// The next step of the grid.
    static func up(_ length: Double) -> Double { (length / grid).rounded(.up) * grid }

    /// The last step of the grid.
    static func down(_ length: Double) -> Double { (length / grid).rounded(.down) * grid }
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
