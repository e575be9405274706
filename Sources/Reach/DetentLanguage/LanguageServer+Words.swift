import DetentPanel
import DetentTypes

/// What the editor asks about one place: completion and hover.
extension LanguageServer {
    mutating func completion(_ parameters: JSONValue) throws(RequestError) -> JSONValue {
        let document = try document(parameters)
        let cursor = try offset(parameters, in: document)
        guard let probe = CursorProbe(document.bytes, offset: cursor) else { return [] }
        let kind = FileKind.of(document.path, probe.root)
        let panels = panels
        let completer = Completer(kind: kind, probe: probe) { root, log in
            CheckedFile.read(root, kind, document.path, log, panels)
        }
        let board = kind == .panel ? Self.board(probe.root) : nil
        let (items, before, after) = completer.items(board: board)
        let first = cursor - before.utf8.count
        // Escapes make a text shorter than it is written; then there is nothing to replace.
        guard first >= 0,
            document.bytes[first..<cursor].elementsEqual(before.utf8)
        else { return [] }
        var last = cursor
        if document.bytes[cursor...].starts(with: after.utf8) { last += after.utf8.count }
        let hasColon = document.bytes[last...].first == UInt8(ascii: ":")
        let range = Self.range(first..<last, in: document)
        return .array(
            items.enumerated().map { place, item in
                var item = item
                if item.kind == .key {
                    if hasColon {
                        item.text = item.label
                    } else if item.text.hasSuffix(":"), probe.isInFlow(document.bytes, cursor) {
                        item.text += " "
                    }
                }
                return item.json(range, place: place)
            })
    }

    private static func board(_ root: YAMLNode) -> Board? {
        let name = root["board"].flatMap { $0["name"]?.text ?? $0.text }
        return name.flatMap { BoardCatalogue.builtIn.board(named: $0).board }
    }

    mutating func hover(_ parameters: JSONValue) throws(RequestError) -> JSONValue {
        let document = try document(parameters)
        let cursor = try offset(parameters, in: document)
        let file = file(document)
        guard let root = file.root ?? CursorProbe.tree(file.source.bytes, keeping: nil) else {
            return .null
        }
        let place = document.position(of: cursor, in: file.source)
        let found = TreePath.first(in: root) { node in
            node.place.line == place.line && node.place.column <= place.column
                && place.column < node.place.column + node.place.length
        }
        guard let path = found, let node = path.node(in: root),
            let text = hoverText(path, node, root, file, document, cursor)
        else { return .null }
        return [
            "contents": ["kind": "markdown", "value": .string(text)],
            "range": Self.range(document.bytes(of: node.place, in: file.source), in: document),
        ]
    }

    private func hoverText(
        _ path: TreePath, _ node: YAMLNode, _ root: YAMLNode, _ file: CheckedFile,
        _ document: TextDocument, _ cursor: Int
    ) -> String? {
        let uses = ControlUses.uses(in: file, document)
        if let use = uses.first(where: { $0.bytes.contains(cursor) }),
            let control = file.plan?.controls.first(where: { $0.id == use.control })
        {
            let words = control.valueNames.words
            let values = words.isEmpty ? "" : "\n\nValues: \(words.joined(separator: ", "))."
            return "**\(control.label)**, \(control.kind)\(values)"
        }
        guard file.kind == .panel else { return nil }
        let names = path.names(in: root)
        guard let word = node.text ?? names.last else { return nil }
        if path.isKey { return PanelKeys.entry(names).map { "**\(word)**: \($0.text)" } }
        if let board = file.board(),
            let (header, pin) = PinWords(board: board, plan: nil)
                .pin(named: word)
        {
            return PinWords(board: board, plan: file.plan).text(header, pin)
        }
        let chips = ChipWords(file.plan)
        if let (chip, line) = chips.line(named: word) { return chips.text(chip, line) }
        switch names.last {
        case "kind": return PanelKeys.summary(ofKind: word).map { "**\(word)**: \($0)" }
        case "symbol":
            return FaceSymbol.all.first { $0.word == word }.map { "**\(word)**: \($0.look)" }
        case "board":
            return BoardCatalogue.builtIn.board(named: word).board.map {
                "**\($0.name)**, logic \($0.logicVoltage)"
                    + $0.notes.map { "\n\n\($0)" }.joined()
            }
        default: return PanelKeys.entry(names).map { "`\(word)`: \($0.text)" }
        }
    }
}

extension CursorProbe {
    /// Whether the cursor is within brackets of its line.
    func isInFlow(_ bytes: [UInt8], _ cursor: Int) -> Bool {
        let start = bytes[..<cursor].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let line = bytes[start..<cursor]
        let opened = line.count { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
        let closed = line.count { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") }
        return opened > closed
    }
}
