import DetentTypes

/// The contacts whose chip has no resistor for them: one warning for a chip and a bias, at the
/// first of its lines.
struct MissingPulls {
    private struct Fault {
        var cause: String
        var remedy: String
        var place: SourcePlace
        var lines: [String]
        /// The name of the chip, where the file has one.
        var chip: String?
    }

    private var faults: [Fault] = []

    /// Adds a contact.
    mutating func add(_ line: ResolvedLine, _ fault: (cause: String, remedy: String)) {
        if let place = faults.firstIndex(where: { $0.cause == fault.cause }) {
            faults[place].lines.append(line.name)
        } else {
            faults.append(
                Fault(
                    cause: fault.cause, remedy: fault.remedy, place: line.place,
                    lines: [line.name], chip: line.named?.name))
        }
    }

    /// Warns of all.
    func report(_ log: ProblemLog) {
        for fault in faults {
            let names = fault.lines.map { "`\(quoted($0))`" }
            let further = names.dropFirst(Self.named)
            let lines =
                names.count == 1
                ? ""
                : " for \(counted(names.count, "contact")): "
                    + names.prefix(Self.named).joined(separator: ", ")
                    + (further.isEmpty ? "" : " and \(further.count) more")
            log.warning(
                .noPull, at: fault.place, fault.cause + lines,
                help: fault.remedy + Self.others(fault))
        }
    }

    private static func others(_ fault: Fault) -> String {
        if let chip = fault.chip, fault.remedy.contains("bias: disabled") {
            return ", or `bias: disabled` at `\(chip)` in `chips` for all contacts"
        }
        return fault.lines.count == 1 ? "" : ", and so for each of them"
    }

    /// How many lines a message names.
    private static let named = 3

    /// What a line is written as if its chip is to pull it nowhere: `input: {line: left.0, bias:
    /// disabled}`, or the map alone where the line is deeper in the control.
    static func fix(_ line: ResolvedLine, of control: YAMLNode) -> String {
        let own = line.node.entries?.filter { $0.name != "bias" }.map {
            "\($0.name): \($0.value.text ?? "…")"
        }
        let keys = own ?? Self.keys(line.node.text ?? line.name)
        let map = "{\((keys + ["bias: disabled"]).joined(separator: ", "))}"
        let key = control.entries?.first { $0.value.place == line.node.place }?.name
        return quoted((key.map { "\($0): " } ?? "") + map)
    }

    /// The key of a line in a map: a pin of the header is `pin: 11` there, and `pin 11` elsewhere.
    private static func keys(_ text: String) -> [String] {
        guard text.hasPrefix("pin ") else { return ["line: \(text)"] }
        return ["pin: \(text.dropFirst(4))"]
    }
}
