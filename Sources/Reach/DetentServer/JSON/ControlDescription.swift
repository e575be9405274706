import DetentCore
import DetentPanel
import DetentTypes

/// The description of a control for pages and programs: the members of `panel.controls`.
struct ControlDescription {
    private let plan: PanelPlan
    private let id: ControlID
    private let control: ControlPlan

    init(_ control: ControlID, of plan: PanelPlan) {
        self.plan = plan
        id = control
        self.control = plan[control]
    }

    var json: JSONValue {
        let layout = control.layout
        return [
            "id": .string(control.id), "label": .string(control.label),
            "kind": .string(control.kind), "part": .string(part),
            "look": .string(control.look.rawValue), "domain": .string(domain),
            "group": .text(layout.group), "row": .whole(layout.row),
            "symbol": .text(layout.symbol), "role": .string(layout.role.rawValue),
            "activeLabel": .text(layout.activeLabel),
            "showsLabel": .bool(layout.showsLabel), "caption": .text(layout.caption),
            "subtitle": .text(layout.subtitle), "style": .string(layout.style.rawValue),
            "size": .string(layout.size.rawValue), "help": .text(layout.help),
            "latch": .text(latch), "tapWait": .text(plan.tapWait(of: id)),
            "mismatch": .text(mismatch),
            "values": .strings(control.valueNames.words),
            "titles": .strings(control.titles),
            "symbols": .array(symbols.map(JSONValue.text)),
            "captions": .array(perValue(layout.optionCaptions).map(JSONValue.text)),
            "selection": .text(selection),
            "bounds": bounds, "items": .array(items), "range": range,
            "members": .array(members.map { .string(plan[$0].id) }),
            "parent": parent, "apply": button(.apply(id)), "cancel": button(.cancel(id)),
            "buttons": .strings(buttons),
            "confirm": confirm(), "hold": hold, "cover": .bool(control.settings.hasGuard),
            "tray": .bool(!layout.isOnPlate),
            "enabledWhen": .text(layout.enabledWhen),
            "hasAction": .bool(!control.settings.actions.indices.isEmpty),
            "answers": .bool(plan.readsAnswers(of: id)),
            "reports": .bool(plan.hasReports(id)),
            "lamp": lamp, "lines": .array(lines),
        ]
    }

    private var part: String {
        switch control.settings.decoder {
        case .none: "none"
        case .button: "button"
        case .buttonRow: "buttons"
        case .lever: "lever"
        case .selector: control.look == .threeWay ? "lever" : "selector"
        case .encoder: "encoder"
        case .analog: control.look == .knob ? "potentiometer" : "selector"
        }
    }

    private var latch: String? {
        guard case .button = control.settings.decoder else { return nil }
        guard case .latch(let latch) = control.settings.nature.input else { return nil }
        switch latch {
        case .toggle: return "toggle"
        case .momentary: return "momentary"
        case .tapOrHold: return "tap-or-hold"
        }
    }

    /// What the position of its part means where it differs from the value.
    private var mismatch: String? {
        guard control.settings.decoder.holdsPosition else { return nil }
        return switch control.settings.mismatch {
        case .follow: "follow"
        case .toggle: "toggle"
        case .catchUp: "catch-up"
        case .detached: "detached"
        }
    }

    private var symbols: [String?] {
        let items = control.layout.items
        return perValue(items.isEmpty ? control.layout.optionSymbols : items.map(\.symbol))
    }

    private func perValue(_ given: [String?]) -> [String?] {
        control.valueNames.words.indices.map { given.indices.contains($0) ? given[$0] : nil }
    }

    /// The button that applies or cancels this form.
    private func button(_ role: RelationSettings.FormRole) -> JSONValue {
        guard control.settings.nature.role == .form else { return .null }
        return .text(plan.controls.first { plan.relation(of: $0)?.form == role }?.id)
    }

    private var selection: String? {
        guard control.look == .segments else { return nil }
        switch control.settings.nature.domain {
        case .options: return control.settings.nature.role == .events ? "momentary" : "single"
        case .subset: return "multiple"
        case .none, .onOff, .number: return nil
        }
    }

    /// What its values are: the page asks it in place of the kind.
    private var domain: String {
        switch control.settings.nature.domain {
        case .none: "none"
        case .onOff: "on-off"
        case .options: control.settings.nature.role == .events ? "commands" : "options"
        case .number: "number"
        case .subset: "subset"
        }
    }

    private var bounds: JSONValue {
        guard case .subset(_, let minimum, let maximum) = control.settings.nature.domain else {
            return .null
        }
        return ["min": .whole(minimum), "max": .whole(maximum)]
    }

    private var items: [JSONValue] {
        control.layout.items.enumerated().map { index, item in
            [
                "role": .string(item.role.rawValue), "group": .whole(item.group),
                "parent": item.parent.map { .whole($0) } ?? .null,
                "confirm": confirm(for: Value(Int32(index))),
            ]
        }
    }

    private var range: JSONValue {
        guard let range = control.settings.nature.range,
            case .number(let decimals) = control.valueNames
        else { return .null }
        let number = { (units: Int32) in
            JSONValue.number(DecimalNumber.text(units: Int64(units), decimals: decimals))
        }
        return [
            "min": number(range.minimum), "max": number(range.maximum),
            "step": number(range.step), "decimals": .whole(decimals),
            "wrap": .bool(range.wraps),
        ]
    }

    private var members: [ControlID] {
        let role = control.settings.nature.role
        return role == .group || role == .form ? plan.members(of: control) : []
    }

    private var parent: JSONValue {
        .text(
            plan.controls.first {
                $0.settings.nature.role == .group && plan.members(of: $0).contains(id)
            }?.id)
    }

    private var buttons: [String] {
        if case .encoder(let encoder) = control.settings.decoder, encoder.push != nil {
            return ["push"]
        }
        return plan.buttonWords(of: id)
    }

    /// After which time a press does something else; null where it does nothing.
    private var hold: JSONValue {
        let gesture = plan.gestures.first { $0.owner == id && $0.gesture == .hold }
        guard gesture != nil, case .button(let button) = control.settings.decoder else {
            return .null
        }
        return .string(DurationText.text(button.hold))
    }

    private func confirm(for value: Value? = nil) -> JSONValue {
        guard let confirmation = plan.confirmation(of: id, for: value) else { return .null }
        let time = confirmation.time
        var members: [(String, JSONValue)] = [
            ("by", .string(confirmation.method.rawValue)),
            ("time", time == .zero ? .null : .string(DurationText.text(time))),
            ("remote", .bool(confirmation.isPossibleRemotely)),
        ]
        if confirmation.method == .chord {
            let ids = confirmation.buttons.map { plan[$0].id }
            members.append(("with", .strings(ids)))
        }
        return .object(members)
    }

    private var lamp: JSONValue {
        let indicator = control.settings.indicator
        guard indicator.lines.count > 0 else { return .null }
        return [
            "style": .string(indicator.style.word),
            "lines": .strings(plan.names(of: indicator.lines)),
        ]
    }

    private var lines: [JSONValue] {
        plan.lines.enumerated().filter { $0.element.control == id }.map { place, line in
            let (use, debounce): (String, String?) =
                switch line.use {
                case .contact(let contact): ("contact", contact.debounce.words)
                case .indicator: ("lamp", nil)
                case .output: ("output", nil)
                }
            return [
                "name": .string(line.name), "use": .string(use),
                "part": .string(LinePart.word(of: place, in: control, plan)),
                "debounce": .text(debounce),
            ]
        }
    }
}

extension PanelPlan {
    /// The names of consecutive lines.
    func names(of range: PlanRange) -> [String] {
        range.places.filter(lines.indices.contains).map { lines[$0].name }
    }
}

extension IndicatorSettings.Style {
    fileprivate var word: String {
        switch self {
        case .single: "single"
        case .perOption: "per-option"
        case .twoColor: "two-color"
        case .rgb: "rgb"
        }
    }
}

extension DebounceSettings {
    /// The algorithm and its times, as text.
    fileprivate var words: String {
        switch algorithm {
        case .none: "none"
        case .eager(let time, let window):
            "eager " + DurationText.text(time) + (window == .fixed ? " fixed" : "")
        case .defer(let time): "defer " + DurationText.text(time)
        case .asymmetric(let press, let release):
            "asymmetric \(DurationText.text(press)) \(DurationText.text(release))"
        case .integrator(let sample, let samples):
            "integrator " + DurationText.text(sample * UInt64(samples))
        }
    }
}
