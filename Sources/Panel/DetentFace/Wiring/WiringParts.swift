import DetentCore
import DetentPanel

/// The list of parts of a panel.
enum WiringParts {
    static func list(_ plan: PanelPlan, _ wires: [Wiring.Wire]) -> [Wiring.Part] {
        var parts: [Wiring.Part] = []
        func add(_ name: String, _ count: Int, _ id: String) {
            guard let place = parts.firstIndex(where: { $0.name == name }) else {
                return parts.append(Wiring.Part(count: count, name: name, controls: [id]))
            }
            parts[place].count += count
            if parts[place].controls.last != id { parts[place].controls.append(id) }
        }
        for control in plan.controls {
            if let (part, count) = control.facePart { add(part.word, count, control.id) }
        }
        for wire in wires {
            switch wire.through {
            case .contact(.external): add(pull, 1, wire.id)
            case .contact, .wiper: break
            case .lamp(_, let ohms):
                addLamp(wire, plan.controls[wire.control])
                add("resistor \(Resistor.text(ohms)), for a lamp", 1, wire.id)
            case .lampDriver:
                addLamp(wire, plan.controls[wire.control])
                add("NPN transistor, such as 2N3904 or BC547", 1, wire.id)
                add("resistor \(Resistor.text(Resistor.base)), for a base", 1, wire.id)
                add("resistor for a lamp behind a transistor, see its data sheet", 1, wire.id)
            case .load(let hold):
                add("relay board input, or transistor with diode", 1, wire.id)
                if hold != nil { add(pull, 1, wire.id) }
            }
        }
        return parts

        func addLamp(_ wire: Wiring.Wire, _ control: ControlPlan) {
            switch control.settings.indicator.style {
            // A lamp alone is the part of its control.
            case .single, .perOption:
                if control.facePart?.part.family != .lamp { add("LED", 1, wire.id) }
            case .twoColor: if wire.use == "red" { add("LED, red and green", 1, wire.id) }
            case .rgb: if wire.use == "red" { add("LED, red, green and blue", 1, wire.id) }
            }
        }
    }

    private static let pull = "resistor \(Resistor.text(Resistor.pull)), to hold a level"
}
