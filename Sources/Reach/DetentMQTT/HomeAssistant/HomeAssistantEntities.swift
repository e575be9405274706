import DetentCore
import DetentPanel
import DetentTypes

/// The entities of one control at Home Assistant.
///
/// A text that is no known word leaves the old state shown there, so every template turns what is
/// not a value into `None`, which is shown as unknown.
struct HomeAssistantEntities {
    typealias Entity = (key: String, members: [(String, JSONValue)])

    let plan: PanelPlan
    let topics: MQTTTopics
    let id: ControlID

    private var control: ControlPlan { plan[id] }
    private var name: String { control.label }

    /// Whether Home Assistant may operate it: it cannot confirm a destructive control.
    private func canOperate(_ value: Value? = nil) -> Bool {
        topics.broker.role == .operate && plan.confirmation(of: id, for: value) == nil
    }

    /// All of them; the first one shows the value or the events.
    var all: [Entity] {
        main + gestures + [problem] + (control.valueNames == .none ? [] : [phase])
    }

    private var main: [Entity] {
        switch control.valueNames {
        case .none: control.settings.nature.input == .fire ? button : knob
        case .commands(let words): commands(words)
        case .several(let words): several(words)
        case .options(let words): choice(words)
        case .threeWay: choice(["up", "center", "down"])
        case .number(let decimals): [number(decimals)]
        case .onOff: onOff
        }
    }

    // MARK: Values

    private static let known = "value_json.value if value_json.value in ['on', 'off'] else None"
    /// What an indicator shows of a device that is not heard is an old value.
    private static let heard =
        "value_json.actual if value_json.actual in ['on', 'off'] "
        + "and 'stale' not in value_json.flags and 'fault' not in value_json.flags else None"
    private static let word = "{{ None if value_json.value == 'unknown' else value_json.value }}"

    private var onOff: [Entity] {
        let role = control.settings.nature.role
        let isIndicator = role == .mirror || control.settings.isReported
        let isShown = role == .form || isIndicator
        let onOff: [(String, JSONValue)] = [
            ("val_tpl", .string("{{ \(isIndicator ? Self.heard : Self.known) }}")),
            ("pl_on", .string("on")),
            ("pl_off", .string("off")),
        ]
        guard role != .group || control.look != .checkbox else {
            let values = choiceSensor("_value", "\(name) members", ["on", "off", "mixed"])
            return [canOperate() ? entity("switch", onOff, isSet: true) : sensor(onOff), values]
        }
        return [canOperate() && !isShown ? entity("switch", onOff, isSet: true) : sensor(onOff)]
    }

    private func sensor(_ members: [(String, JSONValue)]) -> Entity {
        entity("binary_sensor", members)
    }

    private func choiceSensor(_ suffix: String, _ name: String, _ words: [String]) -> Entity {
        entity(
            "sensor", suffix: suffix, name: name,
            [
                ("dev_cla", .string("enum")), ("options", .array(words.map(JSONValue.string))),
                ("val_tpl", .string(Self.word)),
            ])
    }

    private func choice(_ words: [String]) -> [Entity] {
        guard canOperate() else { return [choiceSensor("", name, words)] }
        return [
            entity(
                "select",
                [
                    ("options", .array(words.map(JSONValue.string))),
                    ("val_tpl", .string(Self.word)),
                ], isSet: true)
        ]
    }

    private func number(_ decimals: Int) -> Entity {
        guard canOperate(), let range = control.settings.nature.range else {
            return entity("sensor", [("val_tpl", .string(Self.word))])
        }
        let names = control.valueNames
        // Home Assistant has no step below a thousandth.
        let step = decimals > 3 && range.step < 10 ? "0.001" : names.name(of: Value(range.step))
        return entity(
            "number",
            [
                ("val_tpl", .string(Self.word)),
                ("min", .number(names.name(of: Value(range.minimum)))),
                ("max", .number(names.name(of: Value(range.maximum)))),
                ("step", .number(step)), ("mode", .string("slider")),
            ], isSet: true)
    }

    private func several(_ words: [String]) -> [Entity] {
        words.enumerated().map { place, word in
            let quoted = word.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            let template =
                "{{ None if value_json.value == 'unknown' else "
                + "'on' if '\(quoted)' in value_json.value else 'off' }}"
            let suffix = "_\(place + 1)"
            let title = "\(name) \(word)"
            guard canOperate() else {
                return entity(
                    "binary_sensor", suffix: suffix, name: title,
                    [
                        ("val_tpl", .string(template)), ("pl_on", .string("on")),
                        ("pl_off", .string("off")),
                    ])
            }
            return entity(
                "switch", suffix: suffix, name: title,
                [
                    ("val_tpl", .string(template)), ("stat_on", .string("on")),
                    ("stat_off", .string("off")), ("pl_on", .string("+\(word)")),
                    ("pl_off", .string("-\(word)")),
                ], isSet: true)
        }
    }

    // MARK: Events

    private var button: [Entity] {
        let events = [event(MQTTEvents.buttonTypes, class: "button")]
        return events + (canOperate() ? [press("_press", name, "press")] : []) + triggers
    }

    /// A knob that only acts.
    private var knob: [Entity] { [event(["stepped"], class: nil)] }

    /// What hands do to a button that has a value, too, if the panel file names a gesture of it.
    private var gestures: [Entity] {
        let pushed: ButtonSettings? =
            switch control.settings.decoder {
            case .button(let button): button
            case .encoder(let encoder): encoder.push
            case .none, .lever, .selector, .buttonRow, .analog: nil
            }
        guard control.valueNames != .none || control.settings.nature.input != .fire,
            plan.relation(of: control)?.navigation == nil,
            pushed.map({
                $0.hold != .zero || $0.multiClickGap != .zero || $0.repeatAfter != .zero
                    || plan.gestures.contains { $0.owner == id && !$0.gesture.isTurn }
            }) ?? plan.gesturesOfRow(id)
        else { return [] }
        let name = "\(name) button"
        return [event(MQTTEvents.buttonTypes, class: "button", suffix: "_button", name: name)]
            + triggers
    }

    /// Those of the button; of a row, those of each button, which carry its option.
    private var triggers: [Entity] {
        guard control.settings.decoder == .buttonRow else { return triggers() }
        return plan.buttonWords(of: id).enumerated().flatMap { place, word in
            triggers("_\(place + 1)", of: word)
        }
    }

    private func triggers(_ place: String = "", of option: String? = nil) -> [Entity] {
        let template = option == nil ? "" : " ~ ' ' ~ value_json.value"
        return [
            ("_short", "button_short_press", "press_end"),
            ("_long", "button_long_press", "long_press_start"),
        ].map { suffix, type, word in
            (
                control.id + suffix + place,
                [
                    ("p", .string("device_automation")), ("atype", .string("trigger")),
                    ("t", .string(topics.topic(control.id, .event))), ("type", .string(type)),
                    ("stype", .string(option.map { "\(control.id) \($0)" } ?? control.id)),
                    ("val_tpl", .string("{{ value_json.event_type\(template) }}")),
                    ("pl", .string(option.map { "\(word) \($0)" } ?? word)),
                ]
            )
        }
    }

    private func commands(_ words: [String]) -> [Entity] {
        let buttons = words.enumerated().filter { canOperate(Value(Int32($0.offset))) }
        return [event(words, class: nil)]
            + buttons.map { place, word in press("_\(place + 1)", "\(name) \(word)", word) }
    }

    private func event(
        _ types: [String], class device: String?, suffix: String = "", name: String? = nil
    ) -> Entity {
        var members = start("event", suffix, name ?? self.name)
        members.append(("stat_t", .string(topics.topic(control.id, .event))))
        if let device { members.append(("dev_cla", .string(device))) }
        members.append(("evt_typ", .array(types.map(JSONValue.string))))
        return (control.id + suffix, members)
    }

    private func press(_ suffix: String, _ name: String, _ payload: String) -> Entity {
        (
            control.id + suffix,
            start("button", suffix, name) + command + [("pl_prs", .string(payload))]
        )
    }

    // MARK: Diagnosis

    private var problem: Entity {
        let template =
            "{{ 'ON' if value_json.phase == 'failed' or 'fault' in value_json.flags else 'OFF' }}"
        return entity(
            "binary_sensor", suffix: "_problem", name: "\(name) problem",
            [
                ("val_tpl", .string(template)), ("dev_cla", .string("problem")),
                ("ent_cat", .string("diagnostic")),
            ], hasAttributes: false)
    }

    private var phase: Entity {
        entity(
            "sensor", suffix: "_phase", name: "\(name) phase",
            [
                ("val_tpl", .string("{{ value_json.phase }}")), ("dev_cla", .string("enum")),
                ("options", .array(Phase.allCases.map { .string($0.word) })),
                ("ent_cat", .string("diagnostic")), ("en", .bool(false)),
            ], hasAttributes: false)
    }

    // MARK: Parts of entities

    private func entity(
        _ component: String, suffix: String = "", name: String? = nil,
        _ members: [(String, JSONValue)], isSet: Bool = false, hasAttributes: Bool = true
    ) -> Entity {
        let state = JSONValue.string(topics.topic(control.id, .state))
        var all = start(component, suffix, name ?? self.name)
        all.append(("stat_t", state))
        if hasAttributes, suffix.isEmpty { all.append(("json_attr_t", state)) }
        if isSet { all += command }
        return (control.id + suffix, all + members)
    }

    private func start(
        _ component: String, _ suffix: String, _ name: String
    ) -> [(String, JSONValue)] {
        let unique = "\(topics.object)_\(control.id)\(suffix)"
        // Home Assistant takes no two `_` in a row, and makes ids that are equal different itself.
        let entityID = unique.lowercased().split { $0 == "-" || $0 == "_" }.joined(separator: "_")
        return [
            ("p", .string(component)), ("uniq_id", .string(unique)), ("name", .string(name)),
            ("def_ent_id", .string("\(component).\(entityID)")),
        ]
    }

    /// A command expires if the panel does not get it within five seconds.
    private var command: [(String, JSONValue)] {
        [("cmd_t", .string(topics.topic(control.id, .set))), ("msg_exp_int", .integer(5))]
    }
}
