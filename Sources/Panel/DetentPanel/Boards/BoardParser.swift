/// Reads one file of boards/.
package enum BoardParser {
    /// The board, or nil and at least one error in the log.
    static func parse(_ source: SourceText, log: ProblemLog) -> Board? {
        guard let root = YAMLReader.read(source, log: log) else { return nil }
        return parse(root, log: log)
    }

    /// The board of a tree, or nil and at least one error in the log.
    package static func parse(_ root: YAMLNode, log: ProblemLog) -> Board? {
        var reader = BoardReader(log: log)
        let board = reader.board(root)
        return log.hasErrors ? nil : board
    }
}

private struct BoardReader {
    let log: ProblemLog
    var chipLines: [String: Int] = [:]

    mutating func board(_ root: YAMLNode) -> Board {
        checkKeys(
            root, "board",
            [
                "id", "name", "soc", "arch", "detect", "logic_voltage", "logic_voltage_note",
                "five_volt_tolerant", "current_ma", "chips", "headers", "notes", "sources",
            ])
        let chips = (map(root, "chips") ?? []).map { chip($0) }
        for chip in chips { chipLines[chip.key] = chip.lines }
        let headers = (map(root, "headers") ?? []).map { header($0) }
        let voltage = text(root, "logic_voltage") ?? ""
        let note = root["logic_voltage_note"]?.text
        return Board(
            id: text(root, "id") ?? "", name: text(root, "name") ?? "",
            soc: text(root, "soc") ?? "",
            architectures: (root["arch"]?.text ?? "").split(separator: "/").map(String.init),
            compatible: root["detect"].map { texts($0, "compatible") } ?? [],
            models: root["detect"].map { texts($0, "model") } ?? [],
            logicVoltage: note ?? "\(voltage) V",
            logicMillivolts: DecimalNumber(voltage)?.units(decimals: 3).map { Int($0) },
            current: root["current_ma"].map(current),
            chips: chips, headers: headers, notes: texts(root, "notes", isLong: true))
    }

    private func current(_ node: YAMLNode) -> BoardCurrent {
        checkKeys(node, "current_ma", ["line", "total"])
        return BoardCurrent(
            line: node["line"]?.integer(in: 1...1_000, log, "line") ?? 0,
            total: node["total"]?.integer(in: 1...10_000, log, "total") ?? 0)
    }

    private func chip(_ entry: YAMLEntry) -> BoardChip {
        let node = entry.value
        checkKeys(
            node, entry.name,
            [
                "labels", "platform_device", "lines", "edges", "bias", "debounce",
                "debounce_max_us", "line_names",
            ])
        return BoardChip(
            key: entry.name, labels: texts(node, "labels"),
            platformDevice: node["platform_device"]?.text(log, "platform_device"),
            lines: node["lines"]?.integer(in: 1...65_536, log, "lines") ?? 0,
            edges: word(node, "edges") ?? .none, bias: word(node, "bias") ?? .unknown)
    }

    private func header(_ entry: YAMLEntry) -> BoardHeader {
        checkKeys(entry.value, entry.name, ["pins"])
        let pins = (map(entry.value, "pins") ?? []).map { pin($0) }
        return BoardHeader(name: entry.name, pins: pins.sorted { $0.number < $1.number })
    }

    private func pin(_ entry: YAMLEntry) -> BoardPin {
        let node = entry.value
        checkKeys(
            node, entry.name,
            [
                "kind", "name", "chip", "line", "line_names", "alt", "bus", "pull", "warn",
                "edges", "input_only", "sources",
            ])
        let pin = BoardPin(
            number: entry.key.integer(in: 1...200, log, "pin") ?? 0,
            kind: word(node, "kind") ?? .other, name: text(node, "name") ?? "",
            chip: node["chip"]?.text(log, "chip"),
            offset: node["line"]?.integer(in: 0...65_535, log, "line").map { UInt32($0) },
            lineNames: texts(node, "line_names"), functions: texts(node, "alt"),
            bus: node["bus"]?.text(log, "bus"), fixedPull: node["pull"]?.text(log, "pull"),
            warning: node["warn"]?.text(log, "warn"),
            hasInterrupt: node["edges"]?.boolean(log, "edges") ?? true,
            isInputOnly: node["input_only"]?.boolean(log, "input_only") ?? false)
        check(pin, at: node.place)
        return pin
    }

    private func check(_ pin: BoardPin, at place: SourcePlace) {
        guard pin.isLine else { return }
        guard let chip = pin.chip, let offset = pin.offset else {
            log.error(
                .missingKey, at: place, "pin \(pin.number) is a line without `chip` and `line`",
                help: "add both")
            return
        }
        guard let lines = chipLines[chip] else {
            log.error(
                .unknownChip, at: place, "no chip `\(quoted(chip))`",
                help: "chips: \(chipLines.keys.sorted().joined(separator: ", "))")
            return
        }
        guard offset < lines else {
            log.error(
                .outOfRange, at: place, "line \(offset) of a chip with \(lines) lines",
                help: "lines count from 0")
            return
        }
    }

    private func checkKeys(_ node: YAMLNode, _ name: String, _ known: [String]) {
        guard let entries = node.entries else {
            log.error(
                .wrongType, at: node.place, "`\(quoted(name))` must be a map, not \(node.form)",
                help: "keys: \(known.joined(separator: ", "))", known: known.map { $0 + ":" })
            return
        }
        for entry in entries where !known.contains(entry.name) {
            log.error(
                .unknownKey, at: entry.key.place, "unknown key `\(quoted(entry.name))`",
                help: "allowed: \(known.joined(separator: ", "))", known: known)
        }
    }

    private func map(_ node: YAMLNode, _ name: String) -> [YAMLEntry]? {
        guard let value = node[name], let entries = value.entries, !entries.isEmpty else {
            return log.refuse(
                .missingKey, at: node.place, "`\(name)` is missing or empty",
                help: "write a map that is not empty")
        }
        return entries
    }

    private func text(_ node: YAMLNode, _ name: String) -> String? {
        guard let value = node[name] else {
            return log.refuse(.missingKey, at: node.place, "no `\(name)`", help: "add `\(name):`")
        }
        return value.text(log, name)
    }

    private func texts(_ node: YAMLNode, _ name: String, isLong: Bool = false) -> [String] {
        guard let value = node[name] else { return [] }
        guard let items = value.items else {
            log.error(
                .wrongType, at: value.place, "`\(name)` must be a list, not \(value.form)",
                help: "write it in brackets")
            return []
        }
        return items.compactMap { $0.text(log, name, limit: isLong ? 2_000 : 200) }
    }

    private func word<Word>(_ node: YAMLNode, _ name: String) -> Word?
    where Word: RawRepresentable & CaseIterable, Word.RawValue == String {
        guard let value = node[name] else {
            return log.refuse(.missingKey, at: node.place, "no `\(name)`", help: "add `\(name):`")
        }
        let known = Word.allCases.map(\.rawValue)
        return value.word(of: Array(known), log, name).flatMap { Word(rawValue: $0) }
    }
}
