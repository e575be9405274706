import DetentPanel

/// The box of one group: its cells in rows, from the top left of the box.
struct FaceBox: Sendable {
    private let name: String?
    private var placed: [(cell: FaceCell, x: Double, y: Double)] = []
    /// The row and the column of each placed cell.
    private var numbers: [(row: Int, column: Int)] = []
    /// How many rows and columns share the free room of a larger area; forms keep together.
    private(set) var (rows, columns) = (1, 1)
    /// Whether the panel file says where its parts are.
    private(set) var isFixed = false
    private(set) var width: Double = 0
    private(set) var height: Double = 0
    /// Whether its columns have an axis each.
    private(set) var isAligned = true
    private var forms: [Face.Form] = []

    private static let titleHeight = 8.0
    /// What the line of help below a title needs.
    private static let helpHeight = 4.0
    /// Between the outline of a form and its cells.
    private static let outline = 3.0
    /// Between the outline of a form and its first row: room for its name.
    private static let formTitleHeight = 5.0
    /// Between the lowest control and the line of the box.
    private static let foot = 2.0
    /// Between two rows at least.
    private static let rowGap = 2.0

    /// Lays out the cells of one group in at most `width` millimetres, or in the least width that
    /// its widest cell needs.
    init(_ cells: [FaceCell], _ plan: PanelPlan, name: String?, width limit: Double) {
        self.name = name
        let margins = Margins(cells)
        var y = name == nil ? FaceLayout.padding : Self.titleHeight
        if !Self.help(of: name, plan).isEmpty { y += Self.helpHeight }
        // The parts of the row above, and where each ends.
        var above: [(family: FacePart.Family, bottom: Double)] = []
        var open: (form: Int, top: Double)?
        let (rows, isComplete) = Self.columns(
            cells, plan, width: limit - margins.least - FaceLayout.padding)
        isAligned = isComplete
        let left = margins.left(of: rows)
        for (number, row) in rows.enumerated() {
            let form = row.first?.cell.role.form
            if let ended = open, ended.form != form {
                y += Self.outline
                close(ended.form, plan, from: ended.top, to: y)
                open = nil
            }
            let center = row.map(\.cell.centerY).max() ?? 0
            // From part to part; what is between them counts.
            let highest = above.flatMap { upper in
                row.map { cell, _ in
                    upper.bottom + FacePart.leastDistance(upper.family, cell.family)
                        - (center - cell.centerY + cell.core.y)
                }
            }.max()
            if let highest { y = max(y + Self.rowGap, highest) }
            if let form, open == nil {
                open = (form, y)
                y += Self.formTitleHeight
            }
            for (column, (cell, x)) in row.enumerated() {
                placed.append((cell, left + x, y + center - cell.centerY))
                numbers.append((number, column))
            }
            above = row.map { ($0.cell.family, y + center - $0.cell.centerY + $0.cell.core.bottom) }
            y += row.map { center - $0.cell.centerY + $0.cell.height }.max() ?? 0
        }
        width = left + margins.right(of: rows)
        if let open {
            y += Self.outline
            close(open.form, plan, from: open.top, to: y)
        }
        let words = max(titleWidth, Self.helpWidth(of: name, plan))
        width = FaceLayout.up(max(width, min(limit, words + 2 * FaceLayout.padding)))
        height = FaceLayout.up(y + Self.foot)
        if forms.isEmpty, !cells.contains(where: { $0.indent > 0 }) {
            self.rows = rows.count
            columns = rows.map(\.count).max() ?? 1
        }
    }

    /// The room between the line of a box and what is in it: parts of two boxes beside each other
    /// keep their distance.
    private struct Margins {
        /// At the left at least; the outline of a form needs room.
        let least: Double

        init(_ cells: [FaceCell]) {
            let hasForm = cells.contains { $0.role.form != nil }
            least = FaceLayout.padding + (hasForm ? FaceLayout.grid : 0)
        }

        func left(of rows: [FaceColumns.Row]) -> Double {
            rows.flatMap { $0 }.reduce(least) { left, each in
                max(left, FaceLayout.up(Self.clearance(each.cell) - each.x - each.cell.core.x))
            }
        }

        /// From where the rows begin to the line at the right.
        func right(of rows: [FaceColumns.Row]) -> Double {
            rows.flatMap { $0 }.reduce(0) { right, each in
                max(
                    right, each.x + each.cell.width + least,
                    each.x + each.cell.core.right + Self.clearance(each.cell))
            }
        }

        /// From a part to the line: half of what two of its family need, less the gap of boxes.
        private static func clearance(_ cell: FaceCell) -> Double {
            (FacePart.leastDistance(cell.family, cell.family) - FaceLayout.gap) / 2
        }
    }

    /// Adds the outline of a form around the cells of it that are placed.
    private mutating func close(_ form: Int, _ plan: PanelPlan, from top: Double, to bottom: Double)
    {
        let cells = placed.filter { $0.cell.role.form == form }
        let name = plan.controls[form].label
        let size = Face.Label.Size.option.fontSizeMillimeters
        let left = (cells.map { $0.x - $0.cell.indent }.min() ?? 0) - Self.outline
        let right = max(
            (cells.map { $0.x + $0.cell.width }.max() ?? 0) + Self.outline,
            left + TextWidth.millimeters(name, fontSizeMillimeters: size) + 2 * Self.outline)
        forms.append(
            Face.Form(
                name: name,
                area: Face.Area(x: left, y: top, width: right - left, height: bottom - top)))
        width = max(width, right + 2)
    }

    /// The box around cells whose parts have their place on the plate; gives its place too.
    static func around(
        _ cells: [(cell: FaceCell, middle: PlatePoint)], name: String?
    ) -> (box: FaceBox, x: Double, y: Double) {
        let rooms = cells.map { cell, middle in
            (x: middle.x - cell.core.x - cell.core.width / 2, y: middle.y - cell.centerY)
        }
        let x = (rooms.map(\.x).min() ?? 0) - FaceLayout.gap
        let title = name == nil ? 0 : titleHeight
        let y = (rooms.map(\.y).min() ?? 0) - FaceLayout.gap - title
        var box = FaceBox([], PanelPlan(name: ""), name: name, width: 0)
        box.isFixed = true
        box.placed = zip(cells, rooms).map { ($0.cell, $1.x - x, $1.y - y) }
        let right = box.placed.map { $0.x + $0.cell.width }.max() ?? 0
        let bottom = box.placed.map { $0.y + $0.cell.height }.max() ?? 0
        box.width = max(right + FaceLayout.gap, box.titleWidth + 2 * FaceLayout.gap)
        box.height = bottom + foot
        return (box, x, y)
    }

    private var titleWidth: Double {
        let size = Face.Label.Size.group.fontSizeMillimeters
        return name.map { TextWidth.millimeters($0.uppercased(), fontSizeMillimeters: size) } ?? 0
    }

    /// The line of help, which the page shows between the title and the first row.
    private static func help(of name: String?, _ plan: PanelPlan) -> String {
        plan.groupHelps.first { $0.name == name }?.help ?? ""
    }

    private static func helpWidth(of name: String?, _ plan: PanelPlan) -> Double {
        TextWidth.millimeters(
            help(of: name, plan),
            fontSizeMillimeters: Face.Label.Size.option.fontSizeMillimeters)
    }

    /// The rows with their parts below each other, and whether all of them are. One more row may
    /// make the room for that.
    private static func columns(
        _ cells: [FaceCell], _ plan: PanelPlan, width: Double
    ) -> (rows: [FaceColumns.Row], isComplete: Bool) {
        let cells = ordered(cells, plan)
        let rows = evenRows(cells, plan, width: width)
        let most = rows.map(\.count).max() ?? 0
        let shorter = self.rows(cells, plan, width: width, most: max(1, most - 1))
        for choice in [rows, shorter] where choice.count <= rows.count + 1 {
            let (aligned, isComplete) = FaceColumns.aligned(choice, width: width)
            if isComplete { return (aligned, true) }
        }
        return FaceColumns.aligned(rows, width: width)
    }

    /// The rows in the least width that takes no more of them: no row ends with a single control.
    private static func evenRows(
        _ cells: [FaceCell], _ plan: PanelPlan, width: Double
    ) -> [FaceColumns.Row] {
        var rows = rows(cells, plan, width: width)
        var (low, high) = (0.0, width)
        while high - low > 2 * FaceLayout.grid {
            let middle = (low + high) / 2
            let narrower = self.rows(cells, plan, width: middle)
            let used = narrower.compactMap { row in row.last.map { $0.x + $0.cell.width } }.max()
            if narrower.count == rows.count, (used ?? 0) <= middle {
                rows = narrower
                high = middle
            } else {
                low = middle
            }
        }
        return rows
    }

    /// The rows of the panel file, of `ordered` cells; one that is too wide, or has too many
    /// controls, goes on in the next line.
    private static func rows(
        _ cells: [FaceCell], _ plan: PanelPlan, width: Double, most: Int = .max
    ) -> [FaceColumns.Row] {
        var rows: [FaceColumns.Row] = []
        var number: RowKey?
        for cell in cells {
            let key = RowKey(cell, plan)
            if let last = rows.last?.last, number == key {
                let x = FaceColumns.leastX(of: cell, after: last)
                if x + cell.width <= width, rows[rows.count - 1].count < most {
                    rows[rows.count - 1].append((cell, x))
                    continue
                }
            }
            number = key
            rows.append([(cell, cell.indent)])
        }
        return rows
    }

    /// What the cells of one row have in common.
    private struct RowKey: Equatable {
        let form: Int?
        /// Nil for the status and the buttons of a form, which share a row.
        let row: Int?

        init(_ cell: FaceCell, _ plan: PanelPlan) {
            form = cell.role.form
            row = cell.role.rank == 0 ? FaceBox.row(cell, plan) : nil
        }
    }

    /// Rows in their order, with each form at the place of its first control. The controls of a
    /// form are together: its members, then its status and its buttons.
    private static func ordered(_ cells: [FaceCell], _ plan: PanelPlan) -> [FaceCell] {
        let sorted = parentsFirst(
            cells.enumerated().sorted { one, other in
                let (a, b) = (row(one.element, plan), row(other.element, plan))
                return a == b ? one.offset < other.offset : a < b
            }.map(\.element))
        var ordered: [FaceCell] = []
        var known: Set<Int> = []
        for cell in sorted {
            guard let form = cell.role.form else {
                ordered.append(cell)
                continue
            }
            guard known.insert(form).inserted else { continue }
            for rank in 0...2 {
                ordered += sorted.filter { $0.role.form == form && $0.role.rank == rank }
            }
        }
        return ordered
    }

    /// The same cells, each parent before the first of its members.
    private static func parentsFirst(_ cells: [FaceCell]) -> [FaceCell] {
        let byControl = Dictionary(cells.map { ($0.control, $0) }) { first, _ in first }
        var sorted: [FaceCell] = []
        var known: Set<Int> = []
        func add(_ cell: FaceCell, depth: Int) {
            guard !known.contains(cell.control) else { return }
            if depth < cells.count, let parent = cell.parent.flatMap({ byControl[$0] }) {
                add(parent, depth: depth + 1)
            }
            if known.insert(cell.control).inserted { sorted.append(cell) }
        }
        for cell in cells { add(cell, depth: 0) }
        return sorted
    }

    private static func row(_ cell: FaceCell, _ plan: PanelPlan) -> Int {
        plan.controls[cell.control].layout.row
    }

    /// The free room before one of several: as much between them as before and behind them.
    private static func share(_ room: Double, _ place: Int, of count: Int) -> Double {
        FaceLayout.down(room * Double(place + 1) / Double(count + 1))
    }

    /// Puts the box and all in it on a face; in a larger area its cells are spread.
    func add(to face: inout Face, in area: Face.Area) {
        var group = Face.Group(name: name, area: area, cells: [])
        let (x, y) = (area.x, area.y)
        let (wide, high) = (area.width - width, area.height - height)
        let (shift, drop) = (Self.share(wide, 0, of: 1), Self.share(high, 0, of: 1))
        if let name {
            face.labels.append(
                Face.Label(
                    lines: [name.uppercased()], size: .group, alignment: .start,
                    area: Face.Area(
                        x: x + FaceLayout.gap, y: y + 1.5, width: area.width - 2 * FaceLayout.gap,
                        height: 5)))
        }
        for form in forms {
            let area = form.area.moved(x: x + shift, y: y + drop)
            face.forms.append(Face.Form(name: form.name, area: area))
        }
        for (place, (cell, cellX, cellY)) in placed.enumerated() {
            let number = isFixed ? (row: 0, column: 0) : numbers[place]
            let left = x + cellX + Self.share(wide, columns > 1 ? number.column : 0, of: columns)
            let top = y + cellY + Self.share(high, rows > 1 ? number.row : 0, of: rows)
            group.cells.append(
                Face.Cell(
                    control: cell.control,
                    area: Face.Area(x: left, y: top, width: cell.width, height: cell.height),
                    core: cell.core.moved(x: left, y: top), part: cell.part, columns: cell.columns,
                    window: cell.window?.moved(x: left, y: top)))
            for label in cell.labels {
                var label = label
                label.area = label.area.moved(x: left, y: top)
                face.labels.append(label)
            }
            for placement in cell.placements {
                var placement = placement
                placement.area = placement.area.moved(x: left, y: top)
                face.placements.append(placement)
            }
        }
        face.groups.append(group)
    }
}
