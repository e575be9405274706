import DetentPanel

/// Draws a board for a terminal, or tells its changes in plain lines.
public struct WatchScreen: Sendable {
    /// The terminal's size in letters.
    public struct Size: Equatable, Sendable {
        /// Letters in a line.
        public var columns: Int
        /// Lines.
        public var rows: Int

        /// Makes a size.
        public init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    /// Whether the terminal shows colours; what they say is said in words as well.
    public var hasColors: Bool

    /// Makes a screen.
    public init(hasColors: Bool) {
        self.hasColors = hasColors
    }

    /// The whole picture as lines; never more or longer ones than the terminal has room for.
    ///
    /// - Parameter notice: what is to be known besides, such as that nobody answers; nil: nothing.
    public func lines(_ board: WatchBoard, size: Size, notice: String? = nil) -> [String] {
        var lines = [styled(Columns.fit(heading(board), size.columns), .bold)]
        if let notice {
            lines.append(styled(Columns.fit(Plain.text(notice), size.columns), .warning))
        }
        let labels = min(28, board.rows.map { Columns.count($0.label) }.max() ?? 0)
        let values = min(24, board.rows.map { Columns.count($0.value) }.max() ?? 0)
        var group = ""
        var hidden = 0
        for row in board.rows {
            if row.group != group {
                group = row.group
                lines += ["", styled(Columns.fit(group, size.columns), .bold)]
            }
            // The last line is for saying how many more there are.
            guard lines.count < size.rows - 1 else {
                hidden += 1
                continue
            }
            let label = Columns.fit(row.label, labels)
            let value = Columns.fit(row.value, values)
            let text = "\(row.glyph) \(label)  \(value)  \(row.remarks)"
            lines.append(styled(Columns.fit(text, size.columns), style(of: row)))
        }
        guard hidden > 0 else { return Array(lines.prefix(max(0, size.rows))) }
        let more = Columns.fit("… \(hidden) more", size.columns)
        return Array((lines.prefix(max(0, size.rows - 1)) + [more]).prefix(max(0, size.rows)))
    }

    /// One control as a line of text, for whoever reads lines instead of a screen.
    public func line(_ row: WatchBoard.Row) -> String {
        var text = Plain.text(row.id) + ":"
        if !row.value.isEmpty { text += " " + row.value }
        let remarks = row.remarks
        if !remarks.isEmpty { text += row.value.isEmpty ? " \(remarks)" : ", \(remarks)" }
        if row.value.isEmpty, remarks.isEmpty { text += " idle" }
        return text
    }

    private func heading(_ board: WatchBoard) -> String {
        board.name + (board.mode == "simulated" ? " (simulated)" : "")
    }

    private enum Style: String {
        case plain = ""
        case bold = "1"
        case busy = "33"
        case failed = "1;31"
        case warning = "7"
    }

    private func style(of row: WatchBoard.Row) -> Style {
        switch row.phase {
        case "failed": .failed
        case "pending", "loading": .busy
        case _: .plain
        }
    }

    private func styled(_ text: String, _ style: Style) -> String {
        hasColors && style != .plain ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
