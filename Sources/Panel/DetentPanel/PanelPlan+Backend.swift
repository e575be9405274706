import DetentCore
public import DetentHAL
public import DetentTypes

extension PanelPlan {
    /// The settings of every line for a backend; lamps and outputs start inactive.
    public var lineSettings: [LineSettings] {
        lines.enumerated().map { place, line in
            var location = LineLocation(
                lineNames: line.lineNames, chipLabels: line.chipLabels,
                platformDevice: line.platformDevice, offset: line.offset)
            location.channel = line.channel
            return LineSettings(
                line: LineID(UInt16(place)), name: line.name, location: location,
                isActiveLow: line.isActiveLow, direction: line.direction)
        }
    }

    /// The level that a line gets when the panel dies; nil if it keeps its level, is not an output,
    /// or its control has no `on-crash`.
    ///
    /// A lamp with levels goes dark: it is not released with the process that drives it.
    public func crashLevel(of line: LineID) -> Level? {
        let plan = lines[Int(line.index)]
        switch plan.use {
        case .contact: return nil
        case .indicator: return plan.hasLevels ? .inactive : nil
        case .output: return controls[Int(plan.control.index)].crashLevel?.level
        }
    }

    /// The settings of the lines that get a level when the panel dies, at that level. The level
    /// stays when they are released, as far as the driver and the wiring keep it.
    public var crashSettings: [LineSettings] {
        lineSettings.compactMap { settings in
            crashLevel(of: settings.line).map { level in
                var settings = settings
                settings.direction = .output(initial: level, onRelease: nil)
                return settings
            }
        }
    }
}

extension LinePlan {
    /// Whether it is a contact on an expander in which Linux does not switch its resistor on: it
    /// needs one outside.
    public var lacksPull: Bool {
        guard case .contact(let contact) = use else { return false }
        guard let chipModel, chipModel.pull == .absent else { return false }
        return chipModel.fault(of: contact.bias.line, in: "") != nil
    }

    fileprivate var direction: LineDirection {
        switch use {
        case .contact(let contact):
            .input(
                bias: contact.bias.line,
                edges: contact.polledEvery.map { .polled(every: $0) } ?? .interrupt,
                kernelDebounce: nil)
        case .indicator:
            .output(initial: .inactive, onRelease: .inactive)
        case .output(let exit):
            .output(initial: .inactive, onRelease: exit.level)
        }
    }
}

extension ExitLevel {
    fileprivate var level: Level? {
        switch self {
        case .keep: nil
        case .off: .inactive
        case .on: .active
        }
    }
}

extension ContactPlan.Bias {
    /// The bias in the contract of backends.
    package var line: Bias {
        switch self {
        case .asIs: .asIs
        case .disabled: .disabled
        case .pullUp: .pullUp
        case .pullDown: .pullDown
        }
    }
}
