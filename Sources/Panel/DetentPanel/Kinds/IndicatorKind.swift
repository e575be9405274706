import DetentCore
import DetentTypes

extension Kind {
    /// A lamp or an output without an input.
    static let indicator = Kind(
        word: "indicator",
        look: .lamp,
        summary: "A lamp or an output without an input: it shows another control with all its "
            + "conditions, or whether an expression is true, or what a device reports.",
        requires: [["show", "feedback"]],
        allows: ["output", "pulse", "on-exit", "on-crash", "words"]
    ) { draft in
        var settings = ControlSettings(nature: .mirror)
        if draft["feedback"] != nil {
            settings.nature = .onOff(latch: .toggle)
            settings.isReported = true
        }
        settings.indicator = draft.indicator()
        draft.addOutput(to: &settings)
        draft.later { relations in
            guard let node = draft["show"] else { return }
            let place = Int(draft.control.index)
            let isControl = ConditionReader.isControl(node.text ?? "")
            if isControl, let shown = relations.control(named: node) {
                relations.look(place, at: shown, place: node.place)
                relations.change(place) { draft in
                    draft.settings.shows = ControlID(UInt16(clamping: shown))
                }
            } else if !isControl, let condition = ConditionReader.read(node, relations) {
                for source in condition.sources {
                    relations.look(place, at: source, place: node.place)
                }
                relations.change(place) { $0.condition = condition.steps }
            }
        }
        return Parts(names: .onOff, settings: settings, layout: draft.layout())
    }
}
