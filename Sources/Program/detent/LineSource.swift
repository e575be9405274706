import ArgumentParser
import DetentCommand
import DetentCore
import DetentGPIOD
import DetentHAL
import DetentPanel
import DetentTrace
import DetentTypes

/// The resistor inside the chip, as an option.
enum BiasOption: String, ExpressibleByArgument, CaseIterable {
    case pullUp = "pull-up"
    case pullDown = "pull-down"
    case disabled
    case asIs = "as-is"

    var bias: Bias {
        switch self {
        case .pullUp: .pullUp
        case .pullDown: .pullDown
        case .disabled: .disabled
        case .asIs: .asIs
        }
    }
}

/// Finds the lines that a command names: those of a panel, or of a chip.
enum LineSource {
    /// Whether the argument is a panel file.
    static func isPanel(_ source: String) -> Bool {
        let name = source.lowercased()
        return name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    /// Whether the argument is a capture.
    static func isCapture(_ source: String) -> Bool { CaptureFormat(path: source) != nil }

    /// The contacts of a panel, numbered from 0 in the order of the file.
    ///
    /// - Parameter wanted: only these lines, or the contacts of these controls; all if empty.
    static func contacts(_ plan: PanelPlan, wanted: [String]) throws -> [LineSettings] {
        var found: [LineSettings] = []
        var unknown = wanted
        for (line, settings) in zip(plan.lines, plan.lineSettings) where line.isContact {
            let names = [line.name, plan[line.control].id]
            unknown.removeAll { names.contains($0) }
            if wanted.isEmpty || wanted.contains(where: names.contains) { found.append(settings) }
        }
        if let name = unknown.first {
            let known = plan.controls.filter { $0.settings.contacts.count > 0 }.map(\.id)
            throw Failure(
                code: .usage, cause: "the panel has no contact named `\(name)`",
                remedy: "name a line of the panel, or one of: \(known.joined(separator: ", "))")
        }
        return numbered(found)
    }

    /// Lines of a chip, by offset or name; all lines if none is named.
    static func lines(chip name: String, _ wanted: [String], bias: Bias) throws -> [LineSettings] {
        let chips = GPIODInventory.scan().chips
        let place = try index(ofChip: name, chips)
        let chip = chips[place]
        guard chip.errno == 0 else {
            throw Failure(
                code: .hardware, cause: "\(chip.path) cannot be opened",
                remedy: "`detent doctor` says why")
        }
        let offsets =
            wanted.isEmpty
            ? chip.lines.map(\.offset)
            : try wanted.map { word in
                if let number = UInt32(word), Int(number) < chip.lines.count { return number }
                if let line = chip.lines.first(where: { $0.name == word }) { return line.offset }
                throw Failure(
                    code: .usage, cause: "the chip \(chip.label) has no line `\(word)`",
                    remedy: "give an offset from 0 to \(chip.lines.count - 1), or a name")
            }
        let label = chips.name(ofChipAt: place) ?? chip.label
        return numbered(offsets.map { settings(chip, called: label, $0, bias) })
    }

    /// The chip with a label, a parent device, a path or a number.
    private static func index(ofChip name: String, _ chips: [ChipRecord]) throws -> Int {
        let nodes = chips.indices.filter { [name, "/dev/\(name)"].contains(chips[$0].path) }
        let found = nodes.isEmpty ? chips.places(named: name) : nodes
        if found.count == 1 { return found[0] }
        let known = (found.isEmpty ? Array(chips.indices) : found).map { place in
            chips.name(ofChipAt: place) ?? chips[place].path
        }
        throw Failure(
            code: .hardware,
            cause: found.isEmpty
                ? "there is no GPIO chip `\(name)`"
                : "\(found.count) GPIO chips are called `\(name)`",
            remedy: known.isEmpty
                ? "this machine shows no GPIO chip; `detent doctor` says why"
                : "one of: \(known.joined(separator: ", "))")
    }

    /// One input of a chip; its level is the electrical one.
    private static func settings(
        _ chip: ChipRecord, called label: String, _ offset: UInt32, _ bias: Bias
    ) -> LineSettings {
        let line = chip.lines.first { $0.offset == offset }
        let own = line.flatMap { $0.name.isEmpty ? nil : $0.name }
        return LineSettings(
            line: LineID(0), name: own ?? "\(label):\(offset)",
            location: LineLocation(
                chipLabels: [label],
                platformDevice: chip.parent.isEmpty ? nil : chip.parent, offset: offset),
            isActiveLow: false,
            direction: .input(bias: bias, edges: .interrupt, kernelDebounce: nil))
    }

    /// The same lines with their places as numbers.
    static func numbered(_ lines: [LineSettings]) -> [LineSettings] {
        lines.enumerated().map { place, line in
            var line = line
            line.line = LineID(UInt16(place))
            return line
        }
    }

    /// Requests lines, or ends the command with the reasons.
    static func open(_ lines: LiveLines, from source: String) throws {
        let errors = lines.open()
        guard errors.isEmpty else {
            lines.close()
            StandardError.write(LineProblem.text(errors, of: source))
            throw ExitStatus.hardware
        }
    }
}
