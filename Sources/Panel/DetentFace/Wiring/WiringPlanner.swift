import DetentCore
import DetentPanel
import DetentTypes

/// Chooses the pins, resistors and drivers of a panel's wires.
struct WiringPlanner {
    private let plan: PanelPlan
    private let board: Board
    /// How many wires each ground and supply pin has so far, by header and number.
    private var loads: [String: Int] = [:]

    init(_ plan: PanelPlan, _ board: Board) {
        self.plan = plan
        self.board = board
    }

    mutating func wires() -> [Wiring.Wire] {
        var wires: [Wiring.Wire] = []
        for (place, control) in plan.controls.enumerated() {
            let names = WireNames(control)
            let lines = plan.lines.indices.filter {
                Int(plan.lines[$0].control.index) == place
                    && (plan.lines[$0].channel == nil || plan.lines[$0].isAnalog)
            }
            // One common wire for the contacts of a part, and one for its lamps.
            var commons: [String: Wiring.Pin?] = [:]
            for index in lines {
                var wire = self.wire(plan.lines[index], control, names.name(of: index))
                wire.control = place
                if let rail = rail(of: plan.lines[index], wire) {
                    let key = "\(rail) \(plan.lines[index].isContact)"
                    let common = commons[key] ?? nearest(rail, to: wire.pin)
                    commons[key] = common
                    wire.common = common
                }
                wires.append(wire)
            }
        }
        return wires
    }

    private mutating func wire(
        _ line: LinePlan, _ control: ControlPlan, _ use: String
    ) -> Wiring.Wire {
        let found = board.pin(of: line)
        let pin = found.map {
            Wiring.Pin(
                header: $0.header.name, number: $0.pin.number,
                name: $0.pin.name)
        }
        let through: Wiring.Through =
            switch line.use {
            case .contact where line.isAnalog: .wiper(supply: nearest(.supply, to: nil))
            case .contact(let contact): .contact(pull(contact, line, found?.pin, at: pin))
            case .indicator: lamp(control, use)
            case .output:
                .load(hold: control.crashLevel.flatMap { hold($0, line, at: pin) })
            }
        return Wiring.Wire(
            control: 0, id: control.id, use: use, line: line.name, pin: pin, common: nil,
            through: through)
    }

    /// The pin that pulls an output to its level of `on-crash`; the pull is a wire of its own.
    private mutating func hold(
        _ level: ExitLevel, _ line: LinePlan, at pin: Wiring.Pin?
    ) -> Wiring.Pin? {
        switch level {
        case .keep: nil
        case .off: nearest(line.isActiveLow ? .supply : .ground, to: pin)
        case .on: nearest(line.isActiveLow ? .ground : .supply, to: pin)
        }
    }

    private mutating func pull(
        _ contact: ContactPlan, _ line: LinePlan, _ found: BoardPin?, at pin: Wiring.Pin?
    ) -> Wiring.Pull {
        if let fixed = found?.fixedPull { return .onBoard(fixed) }
        let rest: Rail = line.isActiveLow ? .supply : .ground
        switch contact.bias {
        case .asIs, .disabled: return .external(nearest(rest, to: pin))
        case .pullUp, .pullDown:
            switch found?.chip.flatMap(board.chip)?.bias {
            case .ignored: return .external(nearest(rest, to: pin))
            case .works, .unknown: return .inside
            case nil:
                return line.lacksPull ? .external(nearest(rest, to: pin)) : .inside
            }
        }
    }

    private func lamp(_ control: ControlPlan, _ use: String) -> Wiring.Through {
        let color = LampColor(rawValue: use) ?? .red
        let known = LampColor(rawValue: use)
        guard let supply = board.logicMillivolts,
            let ohms = Resistor.ohms(
                color, milliamperes: plan.lampMilliamperes, supplyMillivolts: supply)
        else { return .lampDriver(known) }
        return .lamp(color, ohms: ohms)
    }

    /// What the far side of a part is connected to.
    private enum Rail { case ground, supply }

    private func rail(of line: LinePlan, _ wire: Wiring.Wire) -> Rail? {
        switch wire.through {
        case .contact, .lamp: line.isActiveLow == line.isContact ? .ground : .supply
        case .lampDriver, .load, .wiper: .ground
        }
    }

    /// A free pin as near as possible; if none is free, one with the fewest wires.
    private mutating func nearest(_ rail: Rail, to pin: Wiring.Pin?) -> Wiring.Pin? {
        let header =
            pin.flatMap { pin in board.headers.first { $0.name == pin.header } }
            ?? board.headers.first
        guard let header else { return nil }
        let candidates = header.pins.filter { isPin($0, of: rail) }
        func distance(_ other: BoardPin) -> Int {
            guard let pin else { return other.number }
            let rows = (other.number - 1) / 2 - (pin.number - 1) / 2
            return abs(rows) * 2 + (other.number % 2 == pin.number % 2 ? 0 : 1)
        }
        func key(_ number: Int) -> String { "\(header.name).\(number)" }
        let best = candidates.min { one, other in
            let loads = (
                self.loads[key(one.number), default: 0],
                self.loads[key(other.number), default: 0]
            )
            if loads.0 != loads.1 { return loads.0 < loads.1 }
            return (distance(one), one.number) < (distance(other), other.number)
        }
        guard let best else { return nil }
        loads[key(best.number), default: 0] += 1
        return Wiring.Pin(header: header.name, number: best.number, name: best.name)
    }

    private func isPin(_ pin: BoardPin, of rail: Rail) -> Bool {
        switch rail {
        // The ground of an analogue converter is not for switches and lamps.
        case .ground: pin.kind == .ground && !pin.name.contains("ADC")
        // Only a pin with the logic voltage: a line must never see more.
        case .supply: pin.kind == .power && board.logicMillivolts == 3_300 && pin.name == "3V3"
        }
    }

    func notes(for wires: [Wiring.Wire]) -> [String] {
        var notes: [String] = []
        let lost = wires.filter { $0.pin == nil && !$0.isAnalog }
        if !lost.isEmpty {
            notes.append(
                "Not on a header of \(board.id), so their pins are not known: "
                    + lost.map { "\($0.id) \($0.use) (\($0.line))" }.joined(separator: ", ") + ".")
        }
        if wires.contains(where: \.isAnalog) {
            notes.append(
                "The inputs of a converter take no more than its supply: connect both to "
                    + "\(board.logicVoltage).")
        }
        let overlays = plan.chips.compactMap(\.overlayLine)
        if board.id.hasPrefix("raspberry-pi"), !overlays.isEmpty {
            notes.append(
                "For /boot/firmware/config.txt: `" + overlays.joined(separator: "`, `") + "`.")
        }
        let channels = Set(plan.lines.filter { !$0.isAnalog }.compactMap(\.deviceName)).sorted()
        if !channels.isEmpty {
            notes.append(
                "Not wired to a header: " + channels.map { "\"\($0)\"" }.joined(separator: ", ")
                    + ".")
        }
        if board.logicMillivolts != 3_300 {
            notes.append(
                "Logic of this board: \(board.logicVoltage). No header pin is proposed as a "
                    + "supply, because a line must not see more than its logic voltage.")
        }
        let isPullUnknown = wires.contains { wire in
            wire.through == .contact(.inside) && board.pull(of: wire) == .unknown
        }
        if isPullUnknown {
            notes.append(
                "It is not known whether the resistors inside this chip work. If an open input "
                    + "floats, fit \(Resistor.text(Resistor.pull)) to its level at rest.")
        }
        if wires.contains(where: \.isLoad) {
            notes.append(
                "A line cannot drive a relay or a motor. Use a relay board with inputs for "
                    + "the logic voltage, or a transistor with a diode across the coil.")
        }
        return notes
    }
}

extension Wiring.Wire {
    fileprivate var isLoad: Bool {
        switch through {
        case .load: true
        case .contact, .wiper, .lamp, .lampDriver: false
        }
    }
}

extension Board {
    /// The pin of a line of a plan; nil if the line is not on a header.
    fileprivate func pin(of line: LinePlan) -> (header: BoardHeader, pin: BoardPin)? {
        guard let offset = line.offset else { return nil }
        return pins.first { _, pin in
            guard pin.isLine, pin.offset == offset, let chip = pin.chip.flatMap(self.chip) else {
                return false
            }
            return chip.labels == line.chipLabels && chip.platformDevice == line.platformDevice
        }
    }

    fileprivate func pull(of wire: Wiring.Wire) -> BoardChip.BiasSupport? {
        let header = headers.first { $0.name == wire.pin?.header }
        return wire.pin.flatMap { header?.pin($0.number) }?.chip.flatMap(chip)?.bias
    }
}
