import DetentCore
import DetentPanel
import DetentTypes

/// Which line is what: all that a page without a server needs of a panel, apart from its compiled
/// form and from what the HTTP interface says of it.
struct Wires {
    let plan: PanelPlan

    init(_ plan: PanelPlan) {
        self.plan = plan
    }

    var json: JSONValue {
        .object([
            ("dimmer", place(plan.settings.dimmer)),
            ("lines", .array(plan.lines.map { .string($0.name) })),
            ("controls", .array(plan.controls.map(control))),
        ])
    }

    private func control(_ control: ControlPlan) -> JSONValue {
        let settings = control.settings
        let lamps = settings.indicator
        var members: [(String, JSONValue)] = [
            ("id", .string(control.id)), ("contacts", lines(settings.contacts)),
            ("outputs", lines(settings.outputs)), ("query", number(settings.query?.index)),
            ("needsConfirmation", .bool(needsConfirmation(control))),
            ("brightness", .integer(Int64(lamps.brightness))),
            ("kind", .string(kind(control))),
        ]
        members += decoder(settings.decoder)
        let hasColors = lamps.style == .twoColor || lamps.style == .rgb
        members.append(("colors", hasColors ? colors(lamps) : .null))
        return .object(members)
    }

    private func needsConfirmation(_ control: ControlPlan) -> Bool {
        guard let place = plan.controls.firstIndex(of: control) else { return false }
        return plan.confirmation(of: ControlID(UInt16(place))) != nil
    }

    /// What values mean: a word, several words, a number or nothing.
    private func kind(_ control: ControlPlan) -> String {
        switch control.valueNames {
        case .none, .commands: "none"
        case .onOff, .threeWay, .options: "one"
        case .several: "several"
        case .number: "number"
        }
    }

    private func decoder(_ settings: DecoderSettings) -> [(String, JSONValue)] {
        switch settings {
        case .none: return [("decoder", "none")]
        case .button: return [("decoder", "button")]
        case .buttonRow: return [("decoder", "buttons")]
        case .lever: return [("decoder", "lever")]
        case .selector(let selector):
            let coding =
                switch selector.coding {
                case .contacts: "contacts"
                case .binary: "binary"
                case .gray: "gray"
                }
            return [
                ("decoder", "selector"), ("coding", .string(coding)),
                ("positions", .integer(Int64(selector.positions))),
                ("none", .integer(Int64(selector.nonePosition))),
            ]
        case .analog(let analog):
            return [
                ("decoder", "analog"), ("first", .integer(Int64(analog.scale.first))),
                ("last", .integer(Int64(analog.scale.last))),
                ("positions", .integer(Int64(analog.positions))),
            ]
        case .encoder(let encoder):
            return [
                ("decoder", "encoder"), ("transitions", .integer(Int64(encoder.transitions))),
                ("rest", .integer(Int64(encoder.rest))),
            ]
        }
    }

    /// The colour of each condition, with the pattern that shows it.
    private func colors(_ lamps: IndicatorSettings) -> JSONValue {
        .array(
            LampCondition.allCases.map { condition in
                .array([
                    .integer(Int64(lamps.patterns[condition].rawValue)),
                    .integer(Int64(lamps.colors[condition].rawValue)),
                ])
            })
    }

    private func lines(_ range: PlanRange) -> JSONValue {
        .array(range.places.map { .integer(Int64($0)) })
    }

    private func place(_ control: ControlID?) -> JSONValue { number(control?.index) }

    private func number(_ index: UInt16?) -> JSONValue {
        index.map { .integer(Int64($0)) } ?? .null
    }
}
