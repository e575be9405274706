import DetentCore
import DetentPanel
import DetentTypes
import DetentWorld

/// A panel with parts of several buttons, covers and menus, made without a file.
enum NewParts {
    static let bus = ControlID(0)
    static let menu = ControlID(1)
    static let arm = ControlID(2)
    static let reboot = ControlID(3)
    static let lamp = ControlID(4)
    static let features = ControlID(5)
    static let left = ControlID(6)
    static let right = ControlID(7)
    static let keys = ControlID(8)

    static let plan: PanelPlan = {
        var builder = Builder()
        builder.add(
            "bus", .radioGroup(options: 3), .options(["CAM 1", "CAM 2", "Black"]), .buttonRow,
            contacts: 3, outputs: 3)
        var navigation = RulesSettings()
        navigation.navigation = NavigationSettings(
            style: .menu(closeAfter: .seconds(10)), hardware: .buttons, count: 3,
            items: PlanRange(first: 0, count: 3))
        builder.items = [
            MenuItem(), MenuItem(), MenuItem(confirm: .hold(.seconds(1))),
        ]
        builder.add(
            "menu", .commands(count: 3), .commands(["Status", "Beep", "Reboot"]), .buttonRow,
            contacts: 4, rules: navigation)
        var guarded = RulesSettings()
        guarded.confirm = .guarded
        builder.add(
            "arm", .button, .none, .button(ButtonSettings()), contacts: 2, rules: guarded,
            hasGuard: true)
        var held = RulesSettings()
        held.confirm = .hold(.seconds(1))
        builder.add(
            "reboot", .button, .none, .button(ButtonSettings()), contacts: 1, rules: held,
            hasAction: true)
        builder.add(
            "lamp", .switch(latch: .toggle), .onOff, .lever, contacts: 2, hasGuard: true)
        builder.add(
            "features", .selection(options: 3, minimum: 0, maximum: 3),
            .several(["A", "B", "C"]), .buttonRow, contacts: 3)
        builder.add("left", .button, .none, .button(ButtonSettings()), contacts: 1)
        builder.add("right", .button, .none, .button(ButtonSettings()), contacts: 1)
        builder.add("keys", .commands(count: 2), .none, .buttonRow, contacts: 2)
        return builder.plan
    }()

    private struct Builder {
        var items: [MenuItem] = []
        private var lines: [LinePlan] = []
        private var controls: [ControlPlan] = []
        private var rules: [RulesSettings] = []

        mutating func add(
            _ id: String, _ kind: ControlKindSettings, _ names: ValueNames,
            _ decoder: DecoderSettings, contacts: Int, outputs: Int = 0,
            rules own: RulesSettings? = nil, hasGuard: Bool = false,
            hasAction: Bool = false
        ) {
            let control = ControlID(UInt16(controls.count))
            let first = UInt16(lines.count)
            for place in 0..<contacts {
                lines.append(
                    LinePlan(
                        name: "\(id)-\(place)", control: control,
                        use: .contact(ContactPlan(bias: .pullUp, debounce: .button)),
                        isActiveLow: true, lineNames: ["\(id)-\(place)"]))
            }
            for place in 0..<outputs {
                lines.append(
                    LinePlan(
                        name: "\(id)-out\(place)", control: control, use: .output(exit: .keep),
                        isActiveLow: false, lineNames: ["\(id)-out\(place)"]))
            }
            var settings = ControlSettings(
                kind: kind, contacts: LineRange(first: first, count: UInt16(contacts)),
                decoder: decoder)
            settings.outputs = LineRange(
                first: outputs == 0 ? 0 : first + UInt16(contacts), count: UInt16(outputs))
            settings.outputsPresent = outputs == 0 ? 0 : (1 << UInt32(outputs)) - 1
            settings.hasGuard = hasGuard
            if hasAction { settings.actions = .any(ActionID(0)) }
            if let own {
                settings.rules = RulesID(UInt16(rules.count))
                rules.append(own)
            }
            controls.append(
                ControlPlan(
                    id: id, label: id, kind: "test", valueNames: names, settings: settings))
        }

        var plan: PanelPlan {
            var relations = RelationsPlan()
            relations.rules = rules
            relations.items = items
            return PanelPlan(
                name: "Parts", lines: lines,
                actions: [
                    ActionPlan(
                        command: .run(arguments: ["act"]),
                        settings: ActionSettings(timeout: .seconds(1)))
                ], controls: controls, relations: relations)
        }
    }
}
