extension Rule {
    /// All lamps together must not draw more current than the board's lines can supply.
    static let lampCurrent = Rule(
        "lamp-current", .warning,
        "All lamps together must not draw more current than the board's lines can supply. "
            + "Otherwise the voltage drops, and the board may restart when many lamps are lit, as "
            + "in a lamp test. Outputs are not counted. Boards without published limits are not "
            + "checked.")
}

extension PanelLint {
    /// Warns if the lamps draw more current than the board can supply.
    func checkLampCurrent() {
        guard case .board(let board) = ground, let budget = board.current else { return }
        let place = (root["lamp-current"] ?? root["board"] ?? root).place
        let each = plan.lampMilliamperes
        let count = plan.lines.count { $0.use == .indicator && $0.channel == nil }
        if count > 0, each > budget.line {
            log.warning(
                .lampCurrent, at: place,
                "a lamp draws \(each)mA, but one line of \(board.id) supplies \(budget.line)mA",
                help: "drive the lamps through transistors and write `lamp-current: 0mA`")
        } else if count * each > budget.total {
            log.warning(
                .lampCurrent, at: place,
                "\(count) lamps at \(each)mA draw \(count * each)mA, but all lines of \(board.id) "
                    + "together supply \(budget.total)mA",
                help: "write the current of your lamps in `lamp-current`, or drive them through "
                    + "transistors and write `lamp-current: 0mA`")
        }
    }
}
