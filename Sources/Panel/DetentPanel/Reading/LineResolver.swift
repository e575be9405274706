import DetentHAL

/// Finds the lines of a panel file on its board.
struct LineResolver {
    /// The meaning of `board:`.
    enum Ground {
        /// Any name is a simulated line; chips are accepted unchanged.
        case none
        /// `board: auto` on an unknown board: every line is simulated.
        case simulated
        case board(Board)
    }

    let ground: Ground
    let log: ProblemLog
    /// The chips that the file names; their names win over labels.
    var chips: [ChipPlan] = []

    /// Finds one line; nil with a problem in the log.
    func resolve(_ node: YAMLNode) -> ResolvedLine? {
        if let text = node.text { return named(text, at: node.place, node) }
        guard node.entries != nil else { return nil }
        if let kind = ChannelKind.kind(of: node) { return line(of: kind, node) }
        if let line = node["line"], let name = line.text {
            guard node["pin"] == nil, node["offset"] == nil else { return conflict(node, "line") }
            if let chip = node["chip"], let label = chip.text {
                let label = chips.first { $0.name == label }?.device ?? label
                return named(line, name, onChip: label, at: chip.place, node)
            }
            return named(name, at: line.place, node)
        }
        if let pin = node["pin"], let number = pin.text {
            guard node["chip"] == nil, node["offset"] == nil else { return conflict(node, "pin") }
            return named("pin \(number)", at: pin.place, node)
        }
        if let chip = node["chip"], let label = chip.text, let offset = node["offset"] {
            guard let number = offset.integerValue, let number = UInt32(exactly: number) else {
                return nil
            }
            if let own = chips.first(where: { $0.name == label }) {
                return line(number, of: own, at: offset.place, node)
            }
            return line(number, onChip: label, at: chip.place, node)
        }
        let ways = ["line", "pin", "chip", "offset"]
        // The problem of the unknown key tells it.
        if node.entries?.contains(where: { OtherNames.key(for: $0.name, among: ways) != nil })
            == true
        {
            return nil
        }
        return log.refuse(
            .missingKey, at: node.place, "the map does not name a line",
            help: "write `line`, `pin`, or `chip` with `offset`")
    }

    private func conflict(_ node: YAMLNode, _ key: String) -> ResolvedLine? {
        return log.refuse(
            .conflictingKeys, at: node.place, "`\(key)` and the other keys name two lines",
            help: "keep only `line`, `pin`, or `chip` with `offset`")
    }

    private func named(_ text: String, at place: SourcePlace, _ node: YAMLNode) -> ResolvedLine? {
        if let (name, number) = ChipPlan.parts(of: text) {
            if let chip = chips.first(where: { $0.name == name }) {
                return line(number, of: chip, at: place, node)
            }
            if ChipPlan.isName(name), !canBeName(text) { return noChip(name, number, at: place) }
        }
        if let (chip, rest) = ownChip(text) { return noLine(rest, of: chip, text, at: place) }
        switch ground {
        case .none:
            guard !text.hasPrefix("pin ") else {
                return log.refuse(
                    .unknownLine, at: place, "`\(quoted(text))` needs a board with headers",
                    help: "name a board in `board:`, or name a line")
            }
            return simulated(text, at: place, node)
        case .simulated:
            return simulated(text, at: place, node)
        case .board(let board):
            return named(text, on: board, at: place, node)
        }
    }

    /// Whether a text such as `left.0` can be the name of a line. Where the lines are not known, it
    /// is one until the file names chips.
    private func canBeName(_ text: String) -> Bool {
        guard case .board = ground else { return chips.isEmpty }
        return isOfBoard(text)
    }

    /// Whether a text names a line of the board.
    func isOfBoard(_ text: String) -> Bool {
        guard case .board(let board) = ground else { return false }
        return board.pins.contains { $0.pin.answers(to: text) } || onHeader(text, board) != nil
    }

    /// The chip of `chips` with whose name a text begins that names no line, and what follows; nil
    /// where it can be the name of a line.
    private func ownChip(_ text: String) -> (ChipPlan, String)? {
        let named = chips.filter { text.hasPrefix($0.name) && !canBeName(text) }
        guard let chip = named.max(by: { $0.name.count < $1.name.count }) else { return nil }
        let rest = String(text.dropFirst(chip.name.count))
        if case .board = ground {} else if !rest.hasPrefix(".") { return nil }
        let signs: [Character] = [".", ":", " ", "/", "-", "_"]
        let isNumber = rest.allSatisfy(\.isNumber)
        guard isNumber || rest.first.map(signs.contains) == true else { return nil }
        return (chip, isNumber ? rest : String(rest.dropFirst()))
    }

    private func noLine(
        _ line: String, of chip: ChipPlan, _ text: String, at place: SourcePlace
    ) -> ResolvedLine? {
        let number = UInt32(line) ?? chip.model?.line(labelled: line)
        let meant = number.flatMap { $0 < chip.model?.lines ?? .max ? "\(chip.name).\($0)" : nil }
        let range = chip.model.map { "allowed: `\(chip.name).0` to `\(chip.name).\($0.lines - 1)`" }
        return log.refuse(
            .unknownLine, at: place, "the chip `\(chip.name)` has no line `\(quoted(text))`",
            help: (meant.map { "did you mean `\($0)`? " } ?? "")
                + (range ?? "write the number of the line, such as `\(chip.name).0`"),
            known: (0..<(chip.model?.lines ?? 0)).map { "\(chip.name).\($0)" })
    }

    private func noChip(_ name: String, _ line: UInt32, at place: SourcePlace) -> ResolvedLine? {
        let nearest = nearestWord(to: name, among: chips.map(\.name))
        return log.refuse(
            .unknownChip, at: place, "there is no chip `\(name)`",
            help: (nearest.map { "did you mean `\($0).\(line)`? " } ?? "")
                + "name the chip in `chips:`, such as "
                + "`chips: {\(name): {i2c: 1-0020, model: mcp23017}}`",
            known: chips.map { "\($0.name).\(line)" })
    }

    /// A line of a chip of `chips`.
    private func line(
        _ number: UInt32, of chip: ChipPlan, at place: SourcePlace, _ node: YAMLNode
    ) -> ResolvedLine? {
        if let model = chip.model, number >= model.lines {
            return log.refuse(
                .outOfRange, at: place,
                "`\(chip.name)` is a \(model.name) with \(model.lines) lines, and has no line "
                    + "\(number)",
                help: "allowed: `\(chip.name).0` to `\(chip.name).\(model.lines - 1)`")
        }
        var found: ResolvedLine?
        if case .board(let board) = ground, board.chip(labelled: chip.device) != nil {
            found = line(number, onChip: chip.device, at: place, node)
        } else {
            found = offChart(number, chip.device, at: place, node)
        }
        found?.name = "\(chip.name).\(number)"
        found?.named = chip
        return found
    }

    private func simulated(_ name: String, at place: SourcePlace, _ node: YAMLNode) -> ResolvedLine
    {
        ResolvedLine(
            name: name, identity: "name \(name)", lineNames: [name], place: place, node: node)
    }

    /// A line that is named on a chip. A number is what a data sheet calls it, and no name.
    private func named(
        _ line: YAMLNode, _ name: String, onChip label: String, at place: SourcePlace,
        _ node: YAMLNode
    ) -> ResolvedLine? {
        if case .scalar(_, isPlain: true) = line.content, let offset = UInt32(name) {
            return log.refuse(
                .wrongType, at: line.place, "`\(quoted(name))` is a number, and `line` is a name",
                help: "write `offset: \(offset)` for line \(offset) of the chip; for a line with "
                    + "the name \(offset), put it in quotation marks")
        }
        var found = ResolvedLine(
            name: name, identity: "chip \(label) name \(name)", lineNames: [name],
            chipLabels: [label], platformDevice: label, place: line.place, node: node)
        guard case .board(let board) = ground else { return found }
        guard let chip = board.chip(labelled: label) else {
            return isExpander(label, board, at: place) ? found : nil
        }
        if board.pins.contains(where: { $0.pin.chip == chip.key && $0.pin.answers(to: name) }) {
            return named(name, on: board, at: line.place, node)
        }
        found.chipLabels = chip.labels
        found.platformDevice = chip.platformDevice
        found.chip = chip
        return found
    }

    private func line(
        _ offset: UInt32, onChip label: String, at place: SourcePlace, _ node: YAMLNode
    ) -> ResolvedLine? {
        guard case .board(let board) = ground else {
            return offChart(offset, label, at: place, node)
        }
        guard let chip = board.chip(labelled: label) else {
            return isExpander(label, board, at: place)
                ? offChart(offset, label, at: place, node) : nil
        }
        guard offset < chip.lines else {
            return log.refuse(
                .outOfRange, at: node["offset"]?.place ?? place,
                "chip `\(quoted(label))` has \(chip.lines) lines, and `offset` is \(offset)",
                help: "allowed: 0 to \(chip.lines - 1)")
        }
        let pin = board.pins.first { $0.pin.chip == chip.key && $0.pin.offset == offset }?.pin
        return ResolvedLine(
            name: "\(label):\(offset)", identity: "\(chip.key) \(offset)",
            lineNames: pin?.lineNames ?? [], chipLabels: chip.labels,
            platformDevice: chip.platformDevice, offset: offset, pin: pin, chip: chip,
            place: place, node: node)
    }

    /// Whether a chip that is not in the board file is accepted: an added one, unless its name is
    /// probably misspelt.
    private func isExpander(_ label: String, _ board: Board, at place: SourcePlace) -> Bool {
        let known = board.chips.map { $0.labels.first ?? $0.key }
        let help = "chips of the board: \(known.joined(separator: ", "))"
        if let nearest = nearestWord(to: label, among: known) {
            log.error(
                .unknownChip, at: place, "no chip `\(quoted(label))` on \(board.id)",
                help: "did you mean `\(nearest)`? \(help)", known: known)
            return false
        }
        // A model that is known as an expander needs no advice to look again.
        guard ChipModel(named: label) == nil else { return true }
        log.warning(
            .chipNotOnBoard, at: place,
            "`\(quoted(label))` is not a chip of \(board.id), so its lines cannot be checked",
            help: "ignore this for a port expander; otherwise \(help)")
        return true
    }

    private func offChart(
        _ offset: UInt32, _ label: String, at place: SourcePlace, _ node: YAMLNode
    ) -> ResolvedLine {
        ResolvedLine(
            name: "\(label):\(offset)", identity: "chip \(label) offset \(offset)",
            lineNames: [], chipLabels: [label], platformDevice: label, offset: offset,
            place: place, node: node)
    }

    private func named(
        _ text: String, on board: Board, at place: SourcePlace, _ node: YAMLNode
    ) -> ResolvedLine? {
        guard let (header, pin) = find(text, on: board, at: place, isKey: node["pin"] != nil) else {
            return nil
        }
        guard pin.isLine, let chip = pin.chip.flatMap(board.chip(_:)), let offset = pin.offset
        else {
            let near = nearestLines(to: pin, header)
            return log.refuse(
                .notGPIO, at: place,
                "`\(quoted(text))` is \(pin.kind.summary) (\(pin.name), pin \(pin.number) of "
                    + "\(header.name))",
                help: near.isEmpty
                    ? "see `detent boards \(board.id)`"
                    : "lines nearby: \(near.joined(separator: ", "))")
        }
        return ResolvedLine(
            name: text, identity: "\(chip.key) \(offset)", lineNames: pin.lineNames,
            chipLabels: chip.labels, platformDevice: chip.platformDevice, offset: offset, pin: pin,
            chip: chip, place: place, node: node)
    }

    private func find(
        _ text: String, on board: Board, at place: SourcePlace, isKey: Bool
    ) -> (BoardHeader, BoardPin)? {
        if text.hasPrefix("pin ") {
            return find(
                pin: String(text.dropFirst(4)), text, on: board, at: place, isKey: isKey)
        }
        let pins = board.pins
        if let match = pins.first(where: { $0.pin.name == text && $0.pin.isLine })
            ?? pins.first(where: { $0.pin.answers(to: text) })
        {
            return match
        }
        if let match = onHeader(text, board) { return match }
        return log.refuse(
            .unknownLine, at: place, "no line `\(quoted(text))` on \(board.id)",
            help: (meant(by: text, pins.map(\.pin)).map { "did you mean `\($0)`? " } ?? "")
                + "`detent boards \(board.id)` shows them all",
            known: pins.map(\.pin).filter(\.isLine).map(\.name))
    }

    /// The line that was probably meant by an unknown name. A bare number may be that of a name or
    /// of a pin of the header; only pins that are lines are suggested.
    private func meant(by text: String, _ pins: [BoardPin]) -> String? {
        let lines = pins.filter(\.isLine)
        guard let number = Int(text) else {
            return nearestWord(to: text, among: lines.map(\.name))
        }
        if let named = lines.first(where: { $0.name == "GPIO\(number)" }) { return named.name }
        return lines.contains { $0.number == number } ? "pin \(number)" : nil
    }

    private func find(
        pin text: String, _ whole: String, on board: Board, at place: SourcePlace, isKey: Bool
    ) -> (BoardHeader, BoardPin)? {
        if let number = Int(text) {
            let matches = board.headers.compactMap { header in
                header.pin(number).map { (header, $0) }
            }
            if matches.count == 1 { return matches[0] }
            if matches.count > 1 {
                let names = matches.map { "`pin \($0.0.name).\(number)`" }
                return log.refuse(
                    .ambiguousPin, at: place,
                    "\(matches.count) headers of \(board.id) have a pin \(number)",
                    help: "write \(names.joined(separator: " or "))")
            }
        } else if let match = onHeader(text, board) {
            return match
        }
        // `pin: GPIO22`, which is the name of a line.
        if board.pins.contains(where: { $0.pin.isLine && $0.pin.answers(to: text) }) {
            return log.refuse(
                .unknownLine, at: place, "`\(quoted(text))` is the name of a line, not of a pin",
                help: isKey ? "write `line: \(text)`" : "write `\(text)`")
        }
        let headers = board.headers.map { "\($0.name) has pins 1 to \($0.pins.last?.number ?? 0)" }
        return log.refuse(
            .unknownLine, at: place, "no `\(quoted(whole))` on \(board.id)",
            help: headers.joined(separator: ", "))
    }

    /// A header's name and a number, joined by '.' or '_', such as P9.12 or P9_12.
    private func onHeader(_ text: String, _ board: Board) -> (BoardHeader, BoardPin)? {
        guard let split = text.lastIndex(where: { $0 == "." || $0 == "_" }),
            let number = Int(text[text.index(after: split)...])
        else { return nil }
        guard let header = board.headers.first(where: { $0.name == text[..<split] }),
            let pin = header.pin(number)
        else { return nil }
        return (header, pin)
    }

    private func nearestLines(to pin: BoardPin, _ header: BoardHeader) -> [String] {
        header.pins.filter { $0.kind == .gpio && $0.warning == nil && $0.bus == nil }
            .sorted { abs($0.number - pin.number) < abs($1.number - pin.number) }
            .prefix(3).map { "\($0.name) (pin \($0.number))" }
    }
}

extension Board {
    /// The chip with this label, parent device or key.
    fileprivate func chip(labelled name: String) -> BoardChip? {
        chips.first { $0.labels.contains(name) || $0.platformDevice == name || $0.key == name }
    }
}

extension BoardPin {
    /// Whether the text is one of the pin's names. Kernels append a function in brackets to some.
    fileprivate func answers(to text: String) -> Bool {
        if name == text { return true }
        return lineNames.contains { $0 == text || $0.hasPrefix(text + " [") }
    }
}
