extension Rule {
    /// All lamps together draw no more than the board's lines can give.
    static let lampCurrent = Rule(
        "lamp-current", .warning,
        "All lamps together draw no more than the board's lines can give. Beyond that its voltage "
            + "sinks, and the board may restart when many lamps are lit; a lamp test lights them "
            + "all. Outputs are not counted. Boards whose limits nobody has published are not "
            + "checked.")
}

extension PanelLint {
    /// Warns where the lamps ask more of the lines than the board can give.
    func checkLampCurrent() {
        guard case .board(let board) = ground, let budget = board.current else { return }
        let place = (root["lamp-current"] ?? root["board"] ?? root).place
        let each = plan.lampMilliamperes
        let count = plan.lines.count { $0.use == .indicator }
        if count > 0, each > budget.line {
            log.warning(
                .lampCurrent, at: place,
                "a lamp draws \(each)mA, and one line of \(board.id) gives \(budget.line)mA",
                help: "feed the lamps through transistors, and write `lamp-current: 0mA`")
        } else if count * each > budget.total {
            log.warning(
                .lampCurrent, at: place,
                "\(count) lamps at \(each)mA draw \(count * each)mA, and all lines of "
                    + "\(board.id) together give \(budget.total)mA",
                help: "say what yours draw in `lamp-current`, or feed them through transistors and "
                    + "write `lamp-current: 0mA`")
        }
    }
}
