public import DetentHAL
public import DetentPanel
import DetentTypes

extension PanelPlan {
    /// What a backend is asked for to simulate this panel: lamps and outputs begin inactive.
    public var simulatedLines: [LineSettings] {
        lines.enumerated().map { place, line in
            LineSettings(
                line: LineID(UInt16(place)), name: line.name,
                location: LineLocation(lineNames: line.lineNames),
                isActiveLow: line.isActiveLow, direction: line.simulatedDirection)
        }
    }
}

extension LinePlan {
    fileprivate var simulatedDirection: LineDirection {
        switch use {
        case .contact(let contact):
            let bias: Bias =
                switch contact.bias {
                case .asIs: .asIs
                case .disabled: .disabled
                case .pullUp: .pullUp
                case .pullDown: .pullDown
                }
            return .input(bias: bias, edges: .interrupt, kernelDebounce: nil)
        case .indicator:
            return .output(initial: .inactive, onRelease: .inactive)
        case .output(let exit):
            let onRelease: Level? =
                switch exit {
                case .keep: nil
                case .off: .inactive
                case .on: .active
                }
            return .output(initial: .inactive, onRelease: onRelease)
        }
    }
}
