import DetentCore
import DetentPanel
import DetentTypes
import DetentWorld

/// Writes the state of controls for pages and programs.
struct ControlStateJSON {
    let plan: PanelPlan
    let isSimulated: Bool

    /// The state of a control; values are null while they are not known.
    ///
    /// - Parameters:
    ///   - reason: why it is in its phase.
    ///   - end: how its last action ended; nil if none has ended.
    ///   - chosen: the last chosen item of a menu.
    ///   - dimmer: the dimmer, as a percentage of each lamp's brightness.
    ///   - partPosition: the position of its simulated part.
    func json(
        _ id: ControlID, _ state: ControlSnapshot, reason: Reason, end: ActionEnd?, chosen: Value,
        dimmer: Int, partPosition: SimulationState.PartPosition?
    ) -> JSONValue {
        let control = plan[id]
        let names = control.valueNames
        let failed = state.phase == .failed ? reason.text(in: plan) : nil
        let lamps = control.settings.indicator
        var members: [(String, JSONValue)] = [
            ("value", names.json(state.desired)), ("actual", names.json(state.actual)),
            ("position", position(state.position, control)),
            ("phase", .string(state.phase.word)),
            ("reason", .text(failed)),
            ("outcome", end?.json(of: control, in: plan) ?? .null),
            ("flags", flags(state.flags)),
            ("pressed", pressed(state, control, id)),
            ("pattern", .string(state.pattern.word)), ("color", color(state, lamps)),
            ("lit", lit(state, control)), ("isLit", .bool(state.isLit)),
            ("brightness", .whole(Int(lamps.brightness) * dimmer / 100)),
            ("staged", state.staged == .unknown ? .null : names.json(state.staged)),
            ("focus", item(state.focus, names)),
            ("progress", .integer(Int64(state.progress) * 10)),
            ("outputs", outputs(state.outputs, control)), ("lost", .whole(state.lost)),
        ]
        members.append(("display", display(id, state, chosen)))
        if isSimulated { members.append(("stands", stands(partPosition))) }
        return .object(members)
    }

    private func position(_ position: Value, _ control: ControlPlan) -> JSONValue {
        control.settings.decoder.holdsPosition ? control.valueNames.json(position) : .null
    }

    private func flags(_ flags: Flag) -> JSONValue {
        .array(Flag.words.filter { flags.contains($0.flag) }.map { .string($0.word) })
    }

    private func pressed(
        _ state: ControlSnapshot, _ control: ControlPlan, _ id: ControlID
    ) -> JSONValue {
        let closed = state.closedContacts
        switch control.settings.decoder {
        case .none, .lever, .selector, .analog: return .array([])
        case .button: return .array(closed & 1 != 0 ? [0] : [])
        case .encoder(let encoder):
            return .array(encoder.push != nil && closed & 4 != 0 ? [0] : [])
        case .buttonRow:
            let count = plan.buttonWords(of: id).count
            return .array(
                (0..<count).filter { closed & 1 << UInt32($0) != 0 }.map { .whole($0) })
        }
    }

    /// The colour of the pattern, whether or not the lamp is lit at this moment.
    private func color(_ state: ControlSnapshot, _ lamps: IndicatorSettings) -> JSONValue {
        switch lamps.style {
        case .single, .perOption: return .null
        case .twoColor, .rgb: break
        }
        let patterns = lamps.patterns
        let likely = LampCondition(
            flags: patterns.told(of: state.flags), phase: state.phase, progress: state.progress,
            isLit: state.pattern != .off)
        // A pattern that is shown for a minimum time may belong to the previous condition.
        let order = [likely, .loading] + LampCondition.allCases
        let condition = order.first { patterns[$0] == state.pattern } ?? likely
        let color = lamps.colors[condition]
        return color == .off ? .null : .string(color.word)
    }

    private func lit(_ state: ControlSnapshot, _ control: ControlPlan) -> JSONValue {
        guard control.settings.indicator.style == .perOption, state.pattern != .off else {
            return .null
        }
        if state.focus != .unknown { return .whole(state.focus.raw) }
        switch control.valueNames {
        case .commands:
            guard state.lamps != 0 else { return .null }
            return .whole(state.lamps.trailingZeroBitCount)
        case .onOff, .threeWay, .options:
            let shown = state.staged == .unknown ? state.desired : state.staged
            return shown == .unknown ? .null : .whole(shown.raw)
        case .none, .several, .number:
            return .null
        }
    }

    private func item(_ value: Value, _ names: ValueNames) -> JSONValue {
        guard value != .unknown else { return .null }
        let place = Int(value.raw)
        return names.words.indices.contains(place)
            ? .string(names.words[place]) : .whole(place)
    }

    /// The rows of its display.
    private func display(_ id: ControlID, _ state: ControlSnapshot, _ chosen: Value) -> JSONValue {
        guard let place = plan.display(of: id) else { return .null }
        let text = DisplayText(plan.displays[place], of: plan)
        let rows = text.rows(id, DisplayFacts(state, chosen: chosen))
        return .strings(rows)
    }

    private func outputs(_ outputs: UInt32, _ control: ControlPlan) -> JSONValue {
        .array(
            plan.names(of: control.settings.outputs).enumerated()
                .filter { $0.offset < 32 && outputs & 1 << UInt32($0.offset) != 0 }
                .map { .string($0.element) })
    }

    private func stands(_ partPosition: SimulationState.PartPosition?) -> JSONValue {
        [
            "position": partPosition?.position.map { .whole($0) } ?? .null,
            "cover": partPosition?.isCoverOpen.map(JSONValue.bool) ?? .null,
        ]
    }
}
