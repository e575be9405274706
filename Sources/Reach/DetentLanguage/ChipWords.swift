import DetentPanel

/// The lines of the chips that a panel file names in words, with the controls that use them.
struct ChipWords {
    private let chips: [ChipPlan]
    /// The labels of the controls at the lines of each chip, by the name of the chip.
    private let users: [String: [UInt32: [String]]]

    init(_ plan: PanelPlan?) {
        chips = plan?.chips ?? []
        var users: [String: [UInt32: [String]]] = [:]
        for chip in chips {
            for line in plan?.lines ?? [] {
                guard let number = line.offset, let plan,
                    line.chipLabels.contains(chip.device) || line.platformDevice == chip.device
                else { continue }
                users[chip.name, default: [:]][number, default: []].append(plan[line.control].label)
            }
        }
        self.users = users
    }

    /// The chip and the number in a text such as `left.3`; nil for others.
    func line(named text: String) -> (chip: ChipPlan, number: UInt32)? {
        guard let (name, number) = ChipPlan.parts(of: text),
            let chip = chips.first(where: { $0.name == name })
        else { return nil }
        return (chip, number)
    }

    /// Where a line is, in a few words.
    func location(_ chip: ChipPlan, _ number: UInt32) -> String {
        "line \(number) of \(chip.summary)"
    }

    /// A line, and who uses the chip, in Markdown.
    func text(_ chip: ChipPlan, _ number: UInt32) -> String {
        let users = (users[chip.name] ?? [:]).sorted { $0.key < $1.key }.map { line, labels in
            "- `\(chip.name).\(line)`: \(labels.joined(separator: ", "))"
        }
        let head = "**\(chip.name).\(number)**: \(location(chip, number))."
        guard !users.isEmpty else { return head + "\n\nThe chip is free." }
        return head + "\n\nIn use:\n\n" + users.joined(separator: "\n")
    }

    /// The lines that no control uses, chip by chip. Of a chip without a model, it is not known
    /// which lines there are.
    var free: [String] {
        chips.flatMap { chip in
            chip.lines.filter { users[chip.name]?[$0] == nil }.map { "\(chip.name).\($0)" }
        }
    }
}
