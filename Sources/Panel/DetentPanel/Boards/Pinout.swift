/// Draws the headers of a board for a terminal.
public enum Pinout {
    /// Every header in two columns, odd pins left and even ones right, as on the board.
    ///
    /// `*` marks a line that has other functions too, `?` an unverified one.
    public static func text(_ board: Board) -> String {
        var text = "\(board.name) (\(board.id)), logic \(board.logicVoltage)\n"
        if let remark = board.packageRemark { text += "\(remark)\n" }
        for header in board.headers {
            text += "\n\(header.name)\n"
            let last = header.pins.map(\.number).max() ?? 0
            let left = stride(from: 1, through: last, by: 2).map { label(header.pin($0)) }
            let width = left.map(\.count).max() ?? 0
            for (index, label) in left.enumerated() {
                let number = index * 2 + 1
                let padding = String(repeating: " ", count: width - label.count)
                var line = "  \(padding)\(label)  \(column(number))"
                if number < last {
                    line += " o o \(column(number + 1))  \(self.label(header.pin(number + 1)))"
                }
                while line.hasSuffix(" ") { line.removeLast() }
                text += line + "\n"
            }
        }
        return text + "\n* has another function by the header's convention, or a warning   ? "
            + "unverified\n"
    }

    private static func column(_ number: Int) -> String {
        number < 10 ? " \(number)" : "\(number)"
    }

    private static func label(_ pin: BoardPin?) -> String {
        guard let pin else { return "" }
        let mark: String
        switch pin.kind {
        case .gpio: mark = pin.bus != nil || pin.warning != nil ? " *" : ""
        case .gpioUnverified: mark = " ?"
        case .power, .ground, .adc, .nc, .other: mark = ""
        }
        let bus = pin.bus.map { " (\($0))" } ?? ""
        return pin.name + bus + mark
    }
}
