import DetentCore
import DetentPanel
import DetentTypes
import Testing

/// One key of the panel file: how it is accepted, what it changes, and how it is rejected.
struct KeyCase: Sendable, CustomTestStringConvertible {
    /// Section and key, such as `control.settle`.
    let name: String
    /// A control without the key, in flow form.
    let base: String
    /// What is added to it.
    let good: String
    /// What must be rejected in its place, and by which rule.
    let bad: String
    let rule: String
    /// Holds with the key and does not hold without it.
    let effect: @Sendable (PanelPlan) -> Bool

    var testDescription: String { name }

    init(
        _ name: String, _ base: String, _ good: String, bad: String, _ rule: String,
        effect: @escaping @Sendable (PanelPlan) -> Bool
    ) {
        self.name = name
        self.base = base
        self.good = good
        self.bad = bad
        self.rule = rule
        self.effect = effect
    }

    /// Reads a panel with the base control and an addition to it.
    func read(adding addition: String) -> PanelReader.Reading {
        PanelReader.read(SourceText(file: "panel.yaml", text: text(adding: addition)))
    }

    /// A panel file with the base control and an addition to it, in flow form.
    func text(adding text: String) -> String {
        let keys = base.isEmpty || text.isEmpty ? base + text : base + ", " + text
        if isPanel { return "{\(keys)}" }
        let panel = Self.panel(keys)
        guard needsBroker else { return panel }
        return panel.replacing("none,", with: Self.brokerKey, maxReplacements: 1)
    }

    private static let brokerKey = "none, mqtt: {url: \"mqtt://hub\"},"

    /// Whether the panel of the case has a broker.
    private var needsBroker: Bool {
        name.hasPrefix("MQTT action.") || name.hasPrefix("MQTT confirmation.")
            || ["action.mqtt", "step.mqtt", "feedback.mqtt", "feedback.panel", "feedback.control"]
                .contains(name)
    }

    /// A panel file with one control `c`, in flow form.
    static func panel(_ keys: String) -> String {
        "{panel: P, board: none, controls: {c: {\(keys)}}}"
    }

    private var isPanel: Bool { name.hasPrefix("panel.") }

    /// Reads a panel whose whole map is given in flow form.
    static func read(_ keys: String) -> PanelReader.Reading {
        PanelReader.read(SourceText(file: "panel.yaml", text: "{\(keys)}"))
    }
}

/// Controls without the key that is looked at.
enum Base {
    static let lever = "kind: switch, label: Lamp, input: A"
    static let acting = lever + ", action: {run: [psu, x], timeout: 1s}"
    static let latched = "kind: switch, label: Lamp, input: A, latch: toggle"
    static let button = "kind: button, label: Start, input: A"
    static let twoColor = "\(button), indicator: {red: L, green: M}"
    static let toggle = "kind: toggle-button, label: Lamp, input: A"
    static let threeWay = "kind: three-way, label: Blinds, lever: {up: A, down: B}"
    static let radio = "kind: radio-group, label: Range, selector: [A, B], options: [x, y]"
    static let coded =
        "kind: radio-group, label: Range, selector: {lines: [A, B], code: contacts}, "
        + "options: [x, y]"
    static let push = dial.replacing("b: B}", with: "b: B, push: P}")
    static let dial = "kind: dial, label: Volume, encoder: {a: A, b: B}, range: {min: 0, max: 9}"
    /// A second control, to which keys are added, beside one that is named `c`.
    static let pump = "kind: switch, label: Main, input: A}, pump: {\(secondLever)"
    static let secondLever = "kind: switch, label: Pump, input: B"
    /// A latched checkbox `c` and a group over it, without members yet.
    static let group =
        "kind: checkbox, label: Hall, input: A, latch: toggle}, all: {kind: checkbox-group, "
        + "label: All, input: B"
    /// A staged checkbox `c`, two buttons, and a form.
    static let form =
        "kind: checkbox, label: Hall, input: A, latch: toggle}, "
        + "save: {kind: button, label: Save, input: B}, drop: {kind: button, label: Discard, "
        + "input: C}, settings: {kind: form, label: Settings"
    static let segmented = "kind: segmented, label: Bus, options: [x, y, z]"
    static let rowOfSegments = "\(segmented), buttons: [A, B, C]"
    static let popUp = "kind: pop-up, label: Band, options: [x, y]"
    static let pullDown = "kind: pull-down, label: System, encoder: {a: A, b: B, push: C}"
    static let erase = "kind: button, label: Erase, input: A"
    static let pushDial =
        "kind: dial, label: Volume, encoder: {a: A, b: B, push: C}, range: {min: 0, max: 9}"
}

extension PanelPlan {
    var first: ControlSettings { controls[0].settings }

    var contact: ContactPlan? {
        guard case .contact(let contact)? = lines.first?.use else { return nil }
        return contact
    }

    /// The settings of the last gesture, if it is one of a row.
    var rowGesture: RowGesture? {
        guard let relation = gestures.last?.settings.relation,
            relations.settings.indices.contains(Int(relation.index))
        else { return nil }
        return relations.settings[Int(relation.index)].acting?.row
    }

    var button: ButtonSettings? {
        guard case .button(let button) = first.decoder else { return nil }
        return button
    }

    var selector: SelectorSettings? {
        guard case .selector(let selector) = first.decoder else { return nil }
        return selector
    }

    var analog: AnalogSettings? {
        guard case .analog(let analog) = first.decoder else { return nil }
        return analog
    }

    var encoder: EncoderSettings? {
        guard case .encoder(let encoder) = first.decoder else { return nil }
        return encoder
    }

    var dial: NumberRange? { first.nature.range }

    var action: ActionSettings? { actions.first?.settings }
}
