public import DetentHAL
public import DetentTypes

/// Inputs that do not rest at their level, because their chip has no resistor for them.
///
/// They can be requested: Linux does not tell that a driver cannot switch a resistor on.
public struct PullRemark: DescribedError, Equatable {
    /// The names of the lines, in the order of the panel.
    public var lines: [String]
    /// Why they do not rest at their level, with the chip.
    public var cause: String
    /// What to do.
    public var remedy: String

    /// Adds the remark about one line, if there is one: one remark for a chip and a bias.
    static func add(_ settings: LineSettings, on chip: ChipRecord, to remarks: inout [PullRemark]) {
        guard case .input(let bias, _, _) = settings.direction,
            let fault = chip.knownModel?.fault(of: bias, in: chip.nameAndPlace)
        else { return }
        if let known = remarks.firstIndex(where: { $0.cause == fault.cause }) {
            remarks[known].lines.append(settings.name)
        } else {
            remarks.append(
                PullRemark(lines: [settings.name], cause: fault.cause, remedy: fault.remedy))
        }
    }
}

extension GPIODInventory {
    /// The inputs among these lines for which their chips have no resistor. Requests no line.
    ///
    /// Lines that are not found are left out.
    public func pullRemarks(of lines: [LineSettings]) -> [PullRemark] {
        let finder = ChipLineFinder(chips: chips)
        var remarks: [PullRemark] = []
        for settings in lines {
            guard let place = try? finder.location(of: settings) else { continue }
            PullRemark.add(settings, on: chips[place.chip], to: &remarks)
        }
        return remarks
    }
}

extension ChipRecord {
    /// What is known of its model: by the label, or by the name of the device where the driver
    /// takes another label.
    var knownModel: ChipModel? { ChipModel(named: label) ?? ChipModel(named: model) }

    /// The label, and the parent device if that is something else.
    public var nameAndPlace: String {
        parent.isEmpty || parent == label ? label : "\(label) at \(parent)"
    }
}
