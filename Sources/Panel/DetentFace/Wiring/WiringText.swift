import DetentPanel

/// The wiring of a panel as text for a terminal.
public enum WiringText {
    /// The headers in use, the wires, the lamp resistors, and the list of parts.
    public static func text(_ wiring: Wiring) -> String {
        var text = "\(wiring.panel) on \(wiring.board.name), logic \(wiring.board.logicVoltage)\n"
        for header in wiring.headers { text += "\n" + drawing(header, wiring) }
        text += "\nWires\n" + Table.text(rows(wiring))
        if let lamps = resistors(wiring) { text += "\n" + lamps }
        text +=
            "\nParts\n"
            + Table.text(
                wiring.parts.map { part in
                    ["\(part.count)", part.name, part.controls.joined(separator: ", ")]
                })
        if !wiring.notes.isEmpty {
            text += "\nNotes\n" + wiring.notes.map { "  - \($0)\n" }.joined()
        }
        return text
    }

    private static func drawing(_ header: BoardHeader, _ wiring: Wiring) -> String {
        let last = header.pins.map(\.number).max() ?? 0
        let rows = stride(from: 1, through: last, by: 2).map { number in
            let uses = wiring.uses(header.name, number)
            let others = wiring.uses(header.name, number + 1)
            let name = header.pin(number)?.name ?? ""
            return (
                number: number, left: [uses, name].filter { !$0.isEmpty }.joined(separator: "  "),
                marks: (uses.isEmpty ? "o" : "●") + " "
                    + (number < last ? (others.isEmpty ? "o" : "●") : " "),
                right: number < last
                    ? ["\(number + 1)", header.pin(number + 1)?.name ?? "", others] : []
            )
        }
        let width = rows.map(\.left.count).max() ?? 0
        let names = rows.map { $0.right.count > 1 ? $0.right[1].count : 0 }.max() ?? 0
        var text = "\(header.name)\n"
        for row in rows {
            var line = "  " + Table.right(row.left, width) + "  " + Table.right("\(row.number)", 2)
            line += " \(row.marks)"
            if row.right.count == 3 {
                line += " \(Table.left(row.right[0], 2))  \(Table.left(row.right[1], names))"
                line += "  \(row.right[2])"
            }
            text += Table.trimmed(line) + "\n"
        }
        return text
    }

    private static func rows(_ wiring: Wiring) -> [[String]] {
        [["control", "wire", "line", "pin", "other side", "between"]]
            + wiring.wires.map { wire in
                [
                    wire.id, wire.use, wire.line,
                    wire.pin.map { "\($0.number)" } ?? (wire.isAnalog ? "-" : "?"),
                    wire.common.map { "\($0)" } ?? "-", words(wire.through),
                ]
            }
    }

    private static func words(_ through: Wiring.Through) -> String {
        switch through {
        case .contact(.inside): "contact; pull resistor inside the chip"
        case .contact(.onBoard(let words)): "contact; on the board: \(words)"
        case .contact(.external(let pin)):
            "contact; \(Resistor.text(Resistor.pull)) from the line to "
                + (pin.map { "\($0)" } ?? "its level at rest")
        case .wiper(let supply):
            "the wiper of 10 kΩ; its other end to " + (supply.map { "\($0)" } ?? "the supply")
        case .lamp(let color, let ohms): "\(Resistor.text(ohms)), then the lamp (\(color.rawValue))"
        case .lampDriver:
            "\(Resistor.text(Resistor.base)) to the base of an NPN transistor, which switches the "
                + "lamp"
        case .load(let hold):
            "a driver for the load"
                + (hold.map { "; \(Resistor.text(Resistor.pull)) from the line to \($0)" } ?? "")
        }
    }

    /// The resistors of all colours, because a panel file does not name the colour of a lamp.
    private static func resistors(_ wiring: Wiring) -> String? {
        let hasLamps = wiring.wires.contains { wire in
            switch wire.through {
            case .lamp, .lampDriver: true
            case .contact, .wiper, .load: false
            }
        }
        guard hasLamps else { return nil }
        guard wiring.lampMilliamperes > 0 else {
            return "Lamp resistors\n  `lamp-current: 0mA`: every lamp has a transistor, and its "
                + "resistor depends on its supply.\n"
        }
        guard let supply = wiring.supplyMillivolts else {
            return "Lamp resistors\n  The logic voltage differs from pin to pin: use a "
                + "transistor for each lamp.\n"
        }
        var text =
            "Lamp resistors: (\(Self.volts(supply)) - forward voltage) / "
            + "\(wiring.lampMilliamperes) mA, rounded up to E12\n"
        text += Table.text(
            LampColor.allCases.map { color in
                let ohms = Resistor.ohms(
                    color, milliamperes: wiring.lampMilliamperes, supplyMillivolts: supply)
                return [
                    color.rawValue, Self.volts(color.forwardMillivolts),
                    ohms.map { Resistor.text($0) } ?? "needs a transistor and a higher supply",
                ]
            })
        return text + """
              Sources: supply from the board file, current from `lamp-current`, forward voltages
              typical of indicator LEDs (see docs/first-hour.md), E12 from IEC 60063. Lamps whose
              colour is not known are listed with the resistor of red, the largest.

            """
    }

    /// Millivolts as volts with one decimal.
    static func volts(_ millivolts: Int) -> String {
        DecimalNumber.text(units: Int64(millivolts / 100), decimals: 1) + " V"
    }
}

extension Wiring {
    /// The headers of the board that have a wire; the first one if no wire is on a header.
    var headers: [BoardHeader] {
        let used = Set(wires.flatMap { [$0.pin, $0.common, $0.farEnd] }.compactMap { $0?.header })
        let headers = board.headers.filter { used.contains($0.name) }
        return headers.isEmpty ? Array(board.headers.prefix(1)) : headers
    }

    /// What a pin is used for; empty if it is free.
    func uses(_ header: String, _ number: Int) -> String {
        func isHere(_ pin: Pin?) -> Bool { pin?.header == header && pin?.number == number }
        var words: [String] = []
        for wire in wires {
            if isHere(wire.pin) { words.append("\(wire.id) \(wire.use)") }
            if isHere(wire.common) || isHere(wire.farEnd), !words.contains(wire.id) {
                words.append(wire.id)
            }
            if isHere(wire.pulled), !words.contains("pull") { words.append("pull") }
        }
        return words.joined(separator: ", ")
    }
}

extension Wiring.Wire {
    /// The pin of an external resistor.
    var pulled: Wiring.Pin? {
        switch through {
        case .contact(.external(let pin)): pin
        case .load(let pin): pin
        case .contact, .wiper, .lamp, .lampDriver: nil
        }
    }

    /// The pin of the other end of a potentiometer; nil for other wires.
    var farEnd: Wiring.Pin? {
        guard case .wiper(let supply) = through else { return nil }
        return supply
    }

    /// Whether it goes to a channel of a converter, and to no pin.
    var isAnalog: Bool {
        switch through {
        case .wiper: true
        case .contact, .lamp, .lampDriver, .load: false
        }
    }
}

/// Columns of text.
enum Table {
    /// Rows with equal widths of columns.
    static func text(_ rows: [[String]], indent: String = "  ") -> String {
        guard let first = rows.first else { return "" }
        let widths = first.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            indent + trimmed(zip(row, widths).map { left($0, $1) }.joined(separator: "  ")) + "\n"
        }.joined()
    }

    static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
