import DetentCore
import DetentPanel
import DetentTypes
import DetentWorld

/// Panels of a single control, made without a file.
enum Panels {
    static func plan(
        _ decoder: DecoderSettings, contacts: Int, kind: ControlKindSettings,
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
        let range = LineRange(first: 0, count: UInt16(contacts))
        let settings = ControlSettings(kind: kind, contacts: range, decoder: decoder)
        return PanelPlan(
            name: "Test", lines: lines,
            controls: [
                ControlPlan(
                    id: "it", label: "It", kind: "test", valueNames: names, settings: settings)
            ])
    }

    static func lever(_ debounce: DebounceSettings = .lever) -> PanelPlan {
        plan(
            .lever, contacts: 1, kind: .switch(latch: .toggle), names: .onOff, debounce: debounce)
    }
}
