import DetentCore
import DetentPanel

/// The names of the wires of one control, by the places of their lines in the plan.
struct WireNames {
    private var names: [Int: String] = [:]

    init(_ control: ControlPlan) {
        let settings = control.settings
        add(settings.contacts, Self.contacts(control))
        add(settings.indicator.lines, Self.lamps(control))
        add(settings.outputs, Self.outputs(control))
        add(settings.feedbackLines, ["feedback"])
        let steps = settings.stepOutputs
        add(steps, Self.numbered("output", Int(steps.count)))
    }

    /// The name of a line; `wire` for a line that its control does not list.
    func name(of line: Int) -> String { names[line] ?? "wire" }

    private mutating func add(_ range: PlanRange, _ words: [String]) {
        for (place, line) in range.places.enumerated() {
            names[line] = place < words.count ? words[place] : "\(place + 1)"
        }
    }

    private static func contacts(_ control: ControlPlan) -> [String] {
        let settings = control.settings
        let count = Int(settings.partContacts)
        let own: [String] =
            switch settings.decoder {
            case .none, .button: ["contact"]
            case .lever: count == 2 ? ["on", "off"] : ["contact"]
            case .selector(let selector): positions(selector, control.valueNames.words, count)
            case .encoder: ["a", "b", "push"]
            case .buttonRow: control.valueNames.words
            case .analog: ["wiper"]
            }
        return settings.hasGuard ? own.prefix(count) + ["cover"] : own
    }

    private static func positions(
        _ selector: SelectorSettings, _ words: [String], _ count: Int
    ) -> [String] {
        switch selector.coding {
        case .contacts:
            words.indices.filter { $0 != Int(selector.nonePosition) }.map { words[$0] }
        case .binary, .gray: (0..<count).map { "bit \($0)" }
        }
    }

    private static func lamps(_ control: ControlPlan) -> [String] {
        let lamps = control.settings.indicator
        switch lamps.style {
        case .single: return numbered("lamp", Int(lamps.lines.count))
        case .perOption:
            let words = control.valueNames.words
            return words.count == Int(lamps.lines.count)
                ? words.map { "lamp \($0)" } : numbered("lamp", Int(lamps.lines.count))
        case .twoColor: return ["red", "green"]
        case .rgb: return ["red", "green", "blue"]
        }
    }

    private static func outputs(_ control: ControlPlan) -> [String] {
        let present = control.settings.outputsPresent
        let words = control.valueNames.words
        guard present != 0 else { return ["output"] }
        return words.indices.filter { $0 < 32 && present & (1 << UInt32($0)) != 0 }
            .map { "output \(words[$0])" }
    }

    private static func numbered(_ word: String, _ count: Int) -> [String] {
        count == 1 ? [word] : (0..<count).map { "\(word) \($0 + 1)" }
    }
}
