import DetentCore
public import DetentPanel
import DetentTypes

@testable import DetentPanel

/// A panel file with a kind that the program does not know: a button that counts.
///
/// This file is all that there is of it. The tests of this folder use it in the panel file, from
/// afar, in conditions, in saved values, on the page and under random faults.
public enum CounterPanel {
    /// Reads a panel file whose `kind` may be `counter`, too.
    public static func read(_ text: String) -> PanelReader.Reading {
        PanelReader.read(
            SourceText(file: "panel.yaml", text: text), boards: .builtIn,
            deviceTree: "/nonexistent", schema: .withCounters)
    }
}

extension Schema {
    /// The line that adds the kind to the table.
    static let withCounters = Schema(kinds: Kind.all + [.counter])
}

extension Kind {
    static let counter = Kind(
        word: "counter", look: .cap,
        summary: "A button that counts from 0 to 99. A hold sets it back.",
        requires: [["input"]],
        allows: ["action", "debounce"] + gestures + values
    ) { draft in
        let range = NumberRange(minimum: 0, maximum: 99, wraps: true)
        let names = ValueNames.number(decimals: 0)
        var settings = ControlSettings(
            nature: ControlNature(
                domain: .number(range), role: .device,
                input: .step(StepRule(stepsOfPress: 1, isResetByHold: true))))
        draft.addButton(to: &settings)
        if case .button(var button) = settings.decoder, button.hold == .zero {
            button.hold = .seconds(1)
            settings.decoder = .button(button)
        }
        settings.indicator = draft.indicator()
        settings.startup = draft.startup(
            hasPosition: false, names: names, default: Value(range.minimum),
            range: range.minimum...range.maximum)
        settings.actions = draft.actions(names)
        return Parts(names: names, settings: settings, layout: draft.layout())
    }
}
