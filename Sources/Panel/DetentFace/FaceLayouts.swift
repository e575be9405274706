import DetentPanel

/// The layouts of a panel, each made once: a window is tried in several scales, which often
/// need the same width.
struct FaceLayouts: Sendable {
    /// How many widths are tried where none is given.
    private static let widthsTried = 60.0

    private let plan: PanelPlan
    private let widestCell: Double
    private var known: [Double: PlateLayout] = [:]
    private var boards: [Double: FaceBoard] = [:]

    init(_ plan: PanelPlan) {
        self.plan = plan
        widestCell = FaceBoard.widestCell(of: plan)
    }

    /// The boxes on a plate of at most this width; they may need less.
    ///
    /// On a plate that is too narrow for a box, they stand on the narrowest one that is not.
    mutating func arranged(_ width: Double) -> PlateLayout {
        if let layout = known[width] { return layout }
        let layout = board(width).arranged(width)
        known[width] = layout
        return layout
    }

    /// The layout that takes exactly its own width: asked for that width, `arranged` gives it
    /// again. It is the widest one within this width that stretches no frame too far, if there is
    /// one.
    mutating func trimmed(_ width: Double) -> PlateLayout {
        let widest = fitted(width)
        guard widest.isStretched, let least = try? least().millimeters else { return widest }
        var layout = widest
        var asked = widest.width
        while layout.isStretched, asked > least {
            asked = min(asked, layout.width) - FaceLayout.grid
            layout = fitted(asked)
        }
        return layout.isStretched ? widest : layout
    }

    private mutating func fitted(_ width: Double) -> PlateLayout {
        var layout = arranged(width)
        var asked = width
        while layout.width < asked {
            asked = layout.width
            layout = arranged(asked)
        }
        return layout
    }

    /// The layouts of widths from the narrowest plate to one for all boxes beside each other.
    mutating func all() -> [PlateLayout] {
        guard let least = try? least().millimeters else { return [] }
        let most = min(
            FaceLayout.widths.upperBound, max(least, board(FaceLayout.widths.upperBound).mostWidth))
        let step = max(
            FaceLayout.grid, FaceLayout.up((most - least) / Self.widthsTried))
        var found: [PlateLayout] = []
        for width in stride(from: least, through: most, by: step) {
            let layout = trimmed(width)
            if !found.contains(where: { $0.width == layout.width }) { found.append(layout) }
        }
        return found
    }

    /// The narrowest plate, and the control that needs it.
    mutating func least() throws(FaceError) -> (control: String, millimeters: Double) {
        guard let least = board(0).least else { throw .empty }
        return (plan.controls[least.control].id, least.millimeters)
    }

    /// Keys go on in a second row only where the plate is too narrow for one: all wider plates
    /// have the same boxes.
    private mutating func board(_ width: Double) -> FaceBoard {
        // Cells are as wide as whole centimetres.
        let room = ((width - 2 * (FaceLayout.margin + FaceLayout.padding)) / 10).rounded(.down) * 10
        let limit = min(room, widestCell)
        if let board = boards[limit] { return board }
        let board = FaceBoard(plan, limit: limit)
        boards[limit] = board
        return board
    }
}
