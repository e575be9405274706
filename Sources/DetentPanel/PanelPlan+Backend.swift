public import DetentCore
public import DetentHAL
import DetentTypes

extension PanelPlan {
    /// What a backend is asked for: every line with its settings, lamps and outputs inactive at
    /// first.
    public var lineSettings: [LineSettings] {
        lines.enumerated().map { place, line in
            LineSettings(
                line: LineID(UInt16(place)), name: line.name,
                location: LineLocation(
                    lineNames: line.lineNames, chipLabels: line.chipLabels,
                    platformDevice: line.platformDevice, offset: line.offset),
                isActiveLow: line.isActiveLow, direction: line.direction)
        }
    }
}

extension Event {
    /// What a backend saw, in the engine's words.
    public init(_ event: LineEvent) {
        switch event.kind {
        case .edge(let level, let sequence):
            self = .edge(event.line, level, sequence: sequence)
        case .reading(let level): self = .reading(event.line, level)
        case .written(let level): self = .outputWritten(event.line, level)
        case .overflow: self = .overflow(event.line)
        case .fault: self = .lineFault(event.line)
        case .restored: self = .lineRestored(event.line)
        }
    }
}

extension LinePlan {
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
    fileprivate var line: Bias {
        switch self {
        case .asIs: .asIs
        case .disabled: .disabled
        case .pullUp: .pullUp
        case .pullDown: .pullDown
        }
    }
}
