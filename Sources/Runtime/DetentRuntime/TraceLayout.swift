import DetentCore
import DetentPanel
import DetentTrace
import DetentTypes

/// The signals of a panel's trace, and the signal of each line and control.
struct TraceLayout {
    /// Indices in `signals`; nil for signals that a control does not have.
    struct ControlSignals {
        var value: Int?
        var phase: Int?
        var indicator: Int?
    }

    private(set) var signals: [VCDSignal] = []
    /// Electrical levels, by the index of the line in the plan.
    private(set) var lines: [Int?]
    /// Contacts after debounce, by the index of the line; nil for lamps and outputs.
    private(set) var contacts: [Int?]
    private(set) var controls: [ControlSignals] = []

    init(_ plan: PanelPlan) {
        lines = Array(repeating: nil, count: plan.lines.count)
        contacts = lines
        for (place, control) in plan.controls.enumerated() {
            var taken: Set<String> = []
            for (line, its) in plan.lines.enumerated() where Int(its.control.index) == place {
                lines[line] = add(its.name, .wire, control.id, &taken)
                if its.isContact {
                    contacts[line] = add(its.name + "_contact", .wire, control.id, &taken)
                }
            }
            var own = ControlSignals()
            switch control.valueNames {
            case .none, .commands: break
            case .number: own.value = add("value", .number, control.id, &taken)
            case .onOff, .threeWay, .options, .several:
                own.value = add("value", .text, control.id, &taken)
            }
            own.phase = add("phase", .text, control.id, &taken)
            if control.settings.indicator.lines.count > 0 {
                own.indicator = add("indicator", .text, control.id, &taken)
            }
            controls.append(own)
        }
    }

    /// Adds a signal. If its scope already has the name, `_` is appended.
    private mutating func add(
        _ name: String, _ kind: VCDSignal.Kind, _ scope: String, _ taken: inout Set<String>
    ) -> Int {
        var name = name
        while !taken.insert(name).inserted { name += "_" }
        signals.append(VCDSignal(scope: scope, name: name, kind: kind))
        return signals.count - 1
    }
}

extension LinePlan {
    /// Whether the line is an input.
    var isContact: Bool {
        switch use {
        case .contact: true
        case .indicator, .output: false
        }
    }
}
