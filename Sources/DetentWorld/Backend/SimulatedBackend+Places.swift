import DetentHAL
import DetentPanel
import DetentTypes

/// Where a line is that somebody asks for.
extension SimulatedBackend {
    /// The pin of a line; the plan that the world was made of knows every one.
    func place(of settings: LineSettings) throws(HALError) -> Int {
        let wanted = settings.location
        let locations = world.locations
        let index = Int(settings.line.index)
        guard index < locations.count else {
            throw HALError(
                code: .noSuchLine, line: settings.name,
                cause: "the simulated panel has no line \(index)",
                remedy: "simulate the panel that is run")
        }
        if case .input(_, _, .some) = settings.direction {
            throw HALError(
                code: .unsupported, line: settings.name,
                cause: "simulated chips have no debounce of their own",
                remedy: "leave debounce to the core")
        }
        if locations[index] == wanted { return index }
        if let place = locations.firstIndex(of: wanted) { return place }
        let labels = locations.flatMap(\.chipLabels)
        if !wanted.chipLabels.isEmpty, wanted.chipLabels.allSatisfy({ !labels.contains($0) }) {
            throw HALError(
                code: .noSuchChip, line: settings.name,
                cause: "no simulated chip is labelled "
                    + wanted.chipLabels.map { "\"\($0)\"" }.joined(separator: " or "),
                remedy: "simulate the panel that is run")
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
            cause: "no simulated line is named \"\(asked)\"",
            remedy: nearest.map { "did you mean \"\($0)\"?" } ?? "simulate the panel that is run")
    }
}

extension HALError {
    static func absentChip(_ settings: LineSettings) -> HALError {
        HALError(
            code: .noSuchChip, line: settings.name, cause: "the simulated chip is unplugged",
            remedy: "plug it in; the line works as soon as it is back")
    }

    static func busy(_ settings: LineSettings, holder: String) -> HALError {
        HALError(
            code: .busy, line: settings.name, errno: 16, holder: holder,  // EBUSY
            cause: "the simulated line is held by \"\(holder)\"",
            remedy: "let it go; the line works as soon as it is free")
    }
}
