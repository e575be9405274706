public import DetentCore
public import DetentTypes

@testable public import DetentPanel

/// Adds controls to a plan without a file, for what no file has to say.
public struct PlanBuilder {
    /// The plan so far.
    public private(set) var plan: PanelPlan

    /// Begins with a plan, or with nothing.
    public init(_ plan: PanelPlan = PanelPlan(name: "Test")) {
        self.plan = plan
    }

    /// Adds a control with its lines, `ID-0` and so on, its outputs `ID-out0`.
    @discardableResult
    public mutating func add(
        _ id: String, _ kind: ControlNature, _ names: ValueNames,
        _ decoder: DecoderSettings, contacts: Int, debounce: DebounceSettings = .button,
        outputs: Int = 0, transition: OutputTransition = .none, rules: RelationSettings? = nil,
        hasGuard: Bool = false,
        action: ActionSettings? = nil
    ) -> ControlID {
        let control = ControlID(UInt16(plan.controls.count))
        var settings = ControlSettings(nature: kind, decoder: decoder)
        settings.contacts = addLines(
            id, contacts, .contact(ContactPlan(bias: .pullUp, debounce: debounce)), control)
        settings.outputs = addLines("\(id)-out", outputs, .output(exit: .keep), control)
        settings.outputsPresent = outputs == 0 ? 0 : (1 << UInt32(outputs)) - 1
        settings.transition = transition
        settings.hasGuard = hasGuard
        if let rules {
            settings.relation = RelationID(UInt16(plan.relations.settings.count))
            plan.relations.settings.append(rules)
        }
        if let action {
            settings.actions = .any(ActionID(UInt16(plan.actions.count)))
            plan.actions.append(ActionPlan(command: .run(arguments: ["act"]), settings: action))
        }
        plan.controls.append(
            ControlPlan(
                id: id, label: id, kind: "test", valueNames: names, settings: settings))
        return control
    }

    /// Adds the items of a menu.
    public mutating func menu(_ items: MenuItem...) -> PlanRange {
        defer { plan.relations.items += items }
        return PlanRange(
            first: UInt16(plan.relations.items.count), count: UInt16(items.count))
    }

    private mutating func addLines(
        _ id: String, _ count: Int, _ use: LinePlan.Use, _ control: ControlID
    ) -> PlanRange {
        guard count > 0 else { return .none }
        defer {
            for place in 0..<count {
                let separator = id.hasSuffix("-out") ? "" : "-"
                let name = "\(id)\(separator)\(place)"
                let isContact = separator == "-"
                plan.lines.append(
                    LinePlan(
                        name: name, control: control, use: use, isActiveLow: isContact,
                        lineNames: [name]))
            }
        }
        return PlanRange(first: UInt16(plan.lines.count), count: UInt16(count))
    }
}

extension RelationSettings {
    /// Rules that `change` fills.
    public static func with(_ change: (inout RelationSettings) -> Void) -> RelationSettings {
        var settings = RelationSettings()
        change(&settings)
        return settings
    }
}
