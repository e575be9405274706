import DetentPanel
import DetentTypes

/// The pins of a board in words, with the controls that use them.
struct PinWords {
    let board: Board
    let plan: PanelPlan?

    /// The pin that a text of a panel file names; nil for none.
    func pin(named text: String) -> (header: BoardHeader, pin: BoardPin)? {
        if let named = board.pins.first(where: { $0.pin.name == text }) { return named }
        guard text.hasPrefix("pin ") else { return nil }
        let name = text.dropFirst(4)
        return board.pins.first {
            name == "\($0.pin.number)" || name == "\($0.header.name).\($0.pin.number)"
        }
    }

    /// Where a pin is, in a few words.
    func location(_ header: BoardHeader, _ pin: BoardPin) -> String {
        "pin \(pin.number) of \(header.name)"
    }

    /// The labels of the controls that use a pin.
    func users(of pin: BoardPin) -> [String] {
        guard let plan, pin.isLine, let chip = pin.chip.flatMap(board.chip) else { return [] }
        let lines = plan.lines.filter { line in
            !Set(line.lineNames).isDisjoint(with: pin.lineNames)
                || line.offset == pin.offset && line.chipLabels == chip.labels
        }
        return lines.map { plan[$0.control].label }
    }

    /// All that is known of a pin, in Markdown.
    func text(_ header: BoardHeader, _ pin: BoardPin) -> String {
        var text = "**\(pin.name)**: \(location(header, pin)), \(pin.kind.summary)"
        if pin.isInputOnly { text += ", input-only" }
        text += "."
        let functions = [pin.bus].compactMap(\.self) + pin.functions
        if !functions.isEmpty { text += "\n\nAlso: \(functions.joined(separator: ", "))." }
        if let pull = pin.fixedPull { text += "\n\nOn the board: \(pull)." }
        if let warning = pin.warning { text += "\n\n\(warning)." }
        let users = users(of: pin)
        if !users.isEmpty { text += "\n\nUsed by \(users.joined(separator: ", "))." }
        return text
    }

    /// Lines without another function that no control uses, in the order of the headers.
    var free: [String] {
        board.pins.map(\.pin).filter {
            $0.kind == .gpio && $0.warning == nil && $0.bus == nil && users(of: $0).isEmpty
        }.map(\.name)
    }
}
