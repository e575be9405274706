import DetentPanel

/// Rows of a box whose parts stand below each other.
enum FaceColumns {
    typealias Row = [(cell: FaceCell, x: Double)]

    /// Moves cells to the right until the parts of each column have one axis, for as many columns
    /// from the left as the width has room for; says whether these are all.
    ///
    /// A form, its last row, and the members of a group of checkboxes have columns of their own.
    static func aligned(_ rows: [Row], width: Double) -> (rows: [Row], isComplete: Bool) {
        var (rows, isComplete) = (rows, true)
        let blocks = Dictionary(grouping: rows.indices) { Block(rows[$0]) }
        for numbers in blocks.values {
            let block = numbers.map { rows[$0] }
            // Of a single row, and of no column, nothing moves.
            let most = block.count == 1 ? 0 : block.map(\.count).max() ?? 0
            // More columns are never narrower.
            var (columns, tooMany) = (-1, most + 1)
            while tooMany - columns > 1 {
                let middle = (columns + tooMany) / 2
                if self.width(of: align(block, columns: middle)) <= width {
                    columns = middle
                } else {
                    tooMany = middle
                }
            }
            for (number, row) in zip(numbers, align(block, columns: max(0, columns))) {
                rows[number] = row
            }
            isComplete = isComplete && columns == most
        }
        return (rows, isComplete)
    }

    /// Where a cell begins at the earliest: beside the one before it in its row.
    static func leastX(of cell: FaceCell, after last: Row.Element) -> Double {
        let distance = FacePart.leastDistance(last.cell.family, cell.family)
        return FaceLayout.up(
            max(
                last.x + last.cell.width + FaceLayout.gap,
                last.x + last.cell.core.right + distance - cell.core.x))
    }

    /// From the left to the end of the longest row.
    static func width(of rows: [Row]) -> Double {
        rows.compactMap { row in row.last.map { $0.x + $0.cell.width } }.max() ?? 0
    }

    /// Rows that share their columns.
    private struct Block: Hashable {
        let form: Int?
        let isFoot: Bool
        let indent: Double

        init(_ row: Row) {
            form = row.first?.cell.role.form
            isFoot = row.first?.cell.role.rank != 0
            indent = row.first?.cell.indent ?? 0
        }
    }

    /// Rows with the first columns on common axes; the other cells follow them.
    private static func align(_ rows: [Row], columns: Int) -> [Row] {
        var rows = rows
        for column in 0..<(rows.map(\.count).max() ?? 0) {
            let numbers = rows.indices.filter { rows[$0].count > column }
            for number in numbers where column > 0 {
                let cell = rows[number][column].cell
                rows[number][column].x = leastX(of: cell, after: rows[number][column - 1])
            }
            guard column < columns else { continue }
            // On the grid, so that the axes of two boxes are equal or clearly different.
            let axis = FaceLayout.up(
                numbers.map { rows[$0][column].x + rows[$0][column].cell.centerX }.max() ?? 0)
            for number in numbers {
                rows[number][column].x = axis - rows[number][column].cell.centerX
            }
        }
        return rows
    }
}
