import DetentCore
import DetentPanel
import DetentTrace
import DetentTypes

/// Which signals a panel's trace has, and where each line and control finds its own.
struct TraceLayout {
    /// Places in `signals`; nil for what a control has not.
    struct ControlSignals {
        var value: Int?
        var phase: Int?
        var indicator: Int?
    }

    private(set) var signals: [VCDSignal] = []
    /// Electrical levels, by the line's place in the plan.
    private(set) var lines: [Int?]
    /// Contacts after debounce, by the line's place; nil for lamps and outputs.
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

    /// Adds a signal; a name that its scope has already gets a `_` more.
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
