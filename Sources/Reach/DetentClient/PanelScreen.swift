import DetentPanel

/// Formats a panel for a terminal, or its changes as plain lines.
public struct PanelScreen: Sendable {
    /// The terminal's size in characters.
    public struct Size: Equatable, Sendable {
        /// Characters per line.
        public var columns: Int
        /// Lines.
        public var rows: Int

        /// Makes a size.
        public init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    /// Whether the terminal shows colours. The text has the same information.
    public var hasColors: Bool

    /// Makes a screen.
    public init(hasColors: Bool) {
        self.hasColors = hasColors
    }

    /// The whole screen as lines that fit the terminal.
    ///
    /// - Parameter notice: an additional message, such as a lost connection.
    public func lines(_ model: PanelStateModel, size: Size, notice: String? = nil) -> [String] {
        var lines = [styled(Columns.fit(heading(model), size.columns), .bold)]
        if let notice {
            lines.append(styled(Columns.fit(PrintableText.text(notice), size.columns), .warning))
        }
        let labels = min(28, model.rows.map { Columns.count($0.label) }.max() ?? 0)
        let values = min(24, model.rows.map { Columns.count($0.value) }.max() ?? 0)
        var group = ""
        var hidden = 0
        for row in model.rows {
            if row.group != group {
                group = row.group
                lines += ["", styled(Columns.fit(group, size.columns), .bold)]
            }
            // The last line shows how many controls are hidden.
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

    /// One control as a line of text, for output that is not a terminal.
    public func line(_ row: PanelStateModel.Row) -> String {
        var text = PrintableText.text(row.id) + ":"
        if !row.value.isEmpty { text += " " + row.value }
        let remarks = row.remarks
        if !remarks.isEmpty { text += row.value.isEmpty ? " \(remarks)" : ", \(remarks)" }
        if row.value.isEmpty, remarks.isEmpty { text += " idle" }
        return text
    }

    private func heading(_ model: PanelStateModel) -> String {
        model.name + (model.mode == "simulated" ? " (simulated)" : "")
    }

    private enum Style: String {
        case plain = ""
        case bold = "1"
        case lit = "32"
        case busy = "33"
        case failed = "1;31"
        case warning = "7"
    }

    private func style(of row: PanelStateModel.Row) -> Style {
        switch row.phase {
        case "failed": .failed
        case "pending", "loading": .busy
        case _ where row.lasting != nil || row.isAmiss: .failed
        case _: row.isOn ? .lit : .plain
        }
    }

    private func styled(_ text: String, _ style: Style) -> String {
        hasColors && style != .plain ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
