import DetentPanel

extension KeyCase {
    /// Keys of what the page shows of a control.
    static let looks: [KeyCase] = [
        KeyCase(
            "control.show-label", symbol, "show-label: true", bad: "show-label: 1", "wrong-type"
        ) { $0.controls[0].layout.showsLabel },
        KeyCase(
            "control.caption", symbol, "caption: Air", bad: "caption: Air, show-label: true",
            "conflicting-keys"
        ) { $0.controls[0].layout.caption == "Air" },
        KeyCase(
            "control.subtitle", Base.button, "subtitle: Line 2",
            bad: "subtitle: Line 2, symbol: fan", "conflicting-keys"
        ) { $0.controls[0].layout.subtitle == "Line 2" },
        KeyCase(
            "control.style", Base.toggle, "style: prominent", bad: "style: loud", "unknown-word"
        ) { $0.controls[0].layout.style == .prominent },
        KeyCase("control.size", Base.button, "size: large", bad: "size: 12", "unknown-word") {
            $0.controls[0].layout.size == .large
        },
        KeyCase("control.help", Base.radio, "help: Up to 1 kV", bad: "help: ''", "empty-text") {
            $0.controls[0].layout.help == "Up to 1 kV"
        },
        KeyCase(
            "option.caption", "kind: segmented, label: Bus, buttons: [A, B]",
            "options: [{name: x, symbol: sun, caption: Day}, {name: y, symbol: light}]",
            bad: "options: [{name: x, caption: Day}, y]", "missing-key"
        ) { $0.controls[0].layout.optionCaptions == ["Day", nil] },
    ]

    private static let symbol = Base.button + ", symbol: fan"
}
