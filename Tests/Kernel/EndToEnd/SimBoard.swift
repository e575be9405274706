internal import DetentTypes
internal import KernelSupport

/// The simulated chips of a board, with the labels and line names of its file in `boards`; without
/// a board, the chips that the panel file names by label and offset.
///
/// A board whose chips have no label cannot be simulated: gpio-sim cannot choose a parent device.
struct SimBoard {
    private var chips: [SimChip] = []

    /// Creates the chips for the board of a panel file.
    init(forPanel file: String, boards folder: String) throws {
        let panel = try KernelFile.text(file).split(separator: "\n")
        guard let board = Self.board(of: panel) else {
            throw Failure(description: "\(file) names no board")
        }
        guard board != "none" else {
            chips = try Self.chips(namedIn: panel)
            return
        }
        let lines = try KernelFile.text("\(folder)/\(board).yaml").split(separator: "\n")
        for line in lines where line.contains("{labels: [") {
            guard let label = Self.word(after: "labels: [", in: line), !label.isEmpty,
                let count = Self.word(after: " lines: ", in: line).flatMap({ Int($0) })
            else { throw Failure(description: "\(board) has a chip without a label") }
            let key = line.prefix { $0 != ":" }.drop { $0 == " " }
            var names = [String](repeating: "", count: count)
            for pin in lines where Self.word(after: " chip: ", in: pin) == String(key) {
                guard let offset = Self.word(after: " line: ", in: pin).flatMap({ Int($0) }),
                    let name = Self.word(after: "line_names: [", in: pin),
                    names.indices.contains(offset)
                else { continue }
                names[offset] = name
            }
            chips.append(try SimChip(name: label, lines: names))
        }
    }

    /// The name in `board: NAME`, or in `board: {name: NAME, free: [FUNCTION]}`.
    private static func board(of panel: [Substring]) -> String? {
        guard let key = panel.first(where: { $0.hasPrefix("board: ") }) else { return nil }
        return (word(after: "{name: ", in: key) ?? word(after: "board: ", in: key))?
            .split(separator: " ").first.map(String.init)
    }

    /// The chips of the lines that are written as `{chip: LABEL, offset: NUMBER}`.
    private static func chips(namedIn panel: [Substring]) throws -> [SimChip] {
        var counts: [String: Int] = [:]
        for line in panel {
            guard let label = word(after: "{chip: ", in: line),
                let offset = word(after: " offset: ", in: line).flatMap({ Int($0) })
            else { continue }
            counts[label] = max(counts[label] ?? 0, offset + 1)
        }
        return try counts.sorted { $0.key < $1.key }.map {
            try SimChip(name: $0.key, lines: Array(repeating: "", count: $0.value))
        }
    }

    /// Removes the chips.
    func remove() {
        for chip in chips { chip.remove() }
    }

    /// The word after a text, with or without apostrophes.
    private static func word(after text: String, in line: Substring) -> String? {
        guard let found = line.firstRange(of: text) else { return nil }
        let rest = line[found.upperBound...]
        if rest.first == "'" { return String(rest.dropFirst().prefix { $0 != "'" }) }
        return String(rest.prefix { !",]}".contains($0) })
    }
}
