import DetentPanel

/// Panels with every kind of control there is, read from text as a user writes it.
enum SimulatedPanel {
    /// Every kind, each with an action that may be slow, fail, hang or be lost.
    static let wild = panel(hasActions: true)
    /// The same without actions: every control confirms itself.
    static let quick = panel(hasActions: false)

    private static func panel(hasActions: Bool) -> PanelPlan? {
        var text = "panel: Simulation\nboard: none\ncontrols:\n"
        for (place, control) in controls.enumerated() {
            text += "  c\(place):\n    label: Control \(place)\n"
            for key in control { text += "    \(key)\n" }
            guard hasActions else { continue }
            let rule = rules[place % rules.count]
            text += "    action: {run: [act, \"{value}\"], timeout: 2s\(rule)}\n"
        }
        return PanelReader.read(SourceText(file: "simulation.yaml", text: text)).plan
    }

    /// What follows a failure, and what an intent does meanwhile: in turn.
    private static let rules = [
        "", ", on-failure: keep, supersede: cancel",
        ", on-failure: {retry: {count: 2, backoff: 100ms}}", ", supersede: ignore",
    ]

    private static let controls: [[String]] = [
        ["kind: switch", "input: A1", "startup: panel"],
        ["kind: switch", "lever: {on: B1, off: B2}", "debounce: 10ms"],
        ["kind: switch", "input: C1", "latch: toggle"],
        ["kind: toggle-button", "input: D1"],
        [
            "kind: switch", "input: E1", "latch: momentary",
            "debounce: {algorithm: defer, time: 8ms}",
        ],
        ["kind: switch", "input: F1", "latch: {tap-or-hold: 300ms}"],
        [
            "kind: button", "input: G1", "click: {within: 400ms, report: postponed}",
            "double-click: 250ms", "hold: 700ms", "repeat: {after: 900ms, every: 200ms}",
        ],
        [
            "kind: button", "input: H1",
            "debounce: {algorithm: asymmetric, press: 5ms, release: 9ms}",
            "multi-click: {count: 3, gap: 200ms}",
        ],
        ["kind: button", "input: I1", "debounce: {algorithm: integrator, time: 6ms, sample: 1ms}"],
        ["kind: radio-group", "selector: [J1, J2, J3, J4]", "options: [a, b, c, d]"],
        [
            "kind: radio-group", "selector: {lines: [K1, K2, K3], code: gray}",
            "options: [a, b, c, d, e, f, g, h]",
        ],
        [
            "kind: radio-group", "selector: {lines: [L1, L2], code: binary}",
            "options: [a, b, c, d]",
        ],
        ["kind: radio-group", "selector: {lines: [M1, M2], none: b}", "options: [a, b, c]"],
        ["kind: three-way", "lever: {up: N1, down: N2}"],
        dial("O", "transitions: 1", "{min: 0, max: 9, wrap: true}"),
        dial("P", "transitions: 2", "{min: -5, max: 5}"),
        dial("Q", "transitions: 4", "{min: 0, max: 30, step: 3}"),
    ]

    private static func dial(_ line: String, _ transitions: String, _ range: String) -> [String] {
        [
            "kind: dial", "encoder: {a: \(line)1, b: \(line)2, push: \(line)3, \(transitions)}",
            "range: \(range)",
        ]
    }
}
