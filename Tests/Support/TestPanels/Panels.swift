public import DetentCore
import DetentTypes

@testable public import DetentPanel

/// Panels of a single control, made without a file.
public enum Panels {
    /// A panel of any one control.
    public static func plan(
        _ decoder: DecoderSettings, contacts: Int, kind: ControlNature,
        names: ValueNames = .none, debounce: DebounceSettings = .none,
        bias: ContactPlan.Bias = .pullUp, activeLow: Bool = true
    ) -> PanelPlan {
        var lines: [LinePlan] = []
        for place in 0..<contacts {
            lines.append(
                LinePlan(
                    name: "IN\(place)", control: ControlID(0),
                    use: .contact(ContactPlan(bias: bias, debounce: debounce)),
                    isActiveLow: activeLow, lineNames: ["IN\(place)"]))
        }
        let range = PlanRange(first: 0, count: UInt16(contacts))
        let settings = ControlSettings(nature: kind, contacts: range, decoder: decoder)
        return PanelPlan(
            name: "Test", lines: lines,
            controls: [
                ControlPlan(
                    id: "it", label: "It", kind: "test", valueNames: names, settings: settings)
            ])
    }

    /// A panel of one button.
    public static func button(_ debounce: DebounceSettings = .button) -> PanelPlan {
        plan(.button(ButtonSettings()), contacts: 1, kind: .button, debounce: debounce)
    }

    /// A panel of one lever.
    public static func lever(_ debounce: DebounceSettings = .lever) -> PanelPlan {
        plan(
            .lever, contacts: 1, kind: .onOff(latch: .toggle), names: .onOff, debounce: debounce)
    }

    /// A panel of one selector.
    public static func selector(_ settings: SelectorSettings) -> PanelPlan {
        let contacts: Int
        switch settings.coding {
        case .contacts:
            contacts = Int(settings.positions) - (settings.nonePosition == 255 ? 0 : 1)
        case .binary, .gray: contacts = 3
        }
        return plan(
            .selector(settings), contacts: contacts,
            kind: .choice(of: settings.positions),
            names: .options((0..<Int(settings.positions)).map { "p\($0)" }))
    }

    /// A panel of one encoder.
    public static func encoder(transitions: UInt8, rest: UInt8) -> PanelPlan {
        plan(
            .encoder(EncoderSettings(transitions: transitions, rest: rest)), contacts: 2,
            kind: .dial(NumberRange(minimum: -1000, maximum: 1000)), names: .number(decimals: 0))
    }
}
