import DetentHAL
import DetentPanel
import DetentTypes

/// Finds the simulated pin of a requested line.
extension SimulatedBackend {
    /// The pin of a line of the plan.
    func pinIndex(of settings: LineSettings) throws(HALError) -> Int {
        let wanted = settings.location
        let locations = world.locations
        let index = Int(settings.line.index)
        guard index < locations.count else {
            throw HALError(
                code: .noSuchLine, line: settings.name,
                cause: "the simulated panel has no line \(index)",
                remedy: "use the simulation of this panel")
        }
        if case .input(_, _, .some) = settings.direction {
            throw HALError(
                code: .unsupported, line: settings.name,
                cause: "simulated chips do not support kernel debounce",
                remedy: "use Detent's debounce")
        }
        if locations[index] == wanted { return index }
        if let place = locations.firstIndex(of: wanted) { return place }
        let labels = locations.flatMap(\.chipLabels)
        if !wanted.chipLabels.isEmpty, wanted.chipLabels.allSatisfy({ !labels.contains($0) }) {
            throw HALError(
                code: .noSuchChip, line: settings.name,
                cause: "there is no simulated chip with the label "
                    + wanted.chipLabels.map { "\"\($0)\"" }.joined(separator: " or "),
                remedy: "use the simulation of this panel")
        }
        let names = locations.flatMap(\.lineNames)
        for name in wanted.lineNames {
            if let place = locations.firstIndex(where: { $0.lineNames.contains(name) }) {
                return place
            }
        }
        let asked = wanted.lineNames.first ?? settings.name
        let nearest = nearestWord(to: asked, among: names)
        throw HALError(
            code: .noSuchLine, line: settings.name,
            cause: "there is no simulated line \"\(asked)\"",
            remedy: nearest.map { "did you mean \"\($0)\"?" } ?? "use the simulation of this panel")
    }
}

extension HALError {
    static func absentChip(_ settings: LineSettings) -> HALError {
        HALError(
            code: .noSuchChip, line: settings.name, cause: "the simulated chip is disconnected",
            remedy: "connect it; the line then recovers")
    }

    static func busy(_ settings: LineSettings, holder: String) -> HALError {
        HALError(
            code: .busy, line: settings.name, errno: 16, holder: holder,  // EBUSY
            cause: "the simulated line is held by \"\(holder)\"",
            remedy: "release it; the line then recovers")
    }
}
