import DetentCore
import DetentTypes

@testable import DetentPanel

extension KeyCase {
    static let panel: [KeyCase] = [
        KeyCase(
            "panel.panel", "board: none, controls: {c: {\(Base.lever)}}", "panel: P",
            bad: "panel: [P]", "wrong-type"
        ) { $0.name == "P" },
        KeyCase(
            "panel.board", "panel: P, controls: {c: {kind: switch, label: L, input: GPIO17}}",
            "board: raspberry-pi-5", bad: "board: raspberry-pi-6", "unknown-board"
        ) { $0.board == "raspberry-pi-5" },
        KeyCase(
            "panel.patterns", "panel: P, board: none, controls: {c: {\(Base.lever)}}",
            "patterns: {failed: breathe}", bad: "patterns: {failed: pink}", "unknown-word"
        ) { $0.first.indicator.patterns[.failed] == .breathe },
        KeyCase(
            "panel.history", "panel: P, board: none, controls: {c: {\(Base.lever)}}",
            "history: off", bad: "history: none", "unknown-word"
        ) { $0.historyRows == nil },
        KeyCase(
            "panel.history.rows", "panel: P, board: none, controls: {c: {\(Base.lever)}}",
            "history: {rows: 5000}", bad: "history: {rows: 999}", "out-of-range"
        ) { $0.historyRows == 5_000 },
        KeyCase(
            "panel.lamp-current", "panel: P, board: none, controls: {c: {\(Base.lever)}}",
            "lamp-current: 2mA", bad: "lamp-current: 2", "invalid-number"
        ) { $0.lampMilliamperes == 2 },
        KeyCase(
            "panel.colors", "panel: P, board: none, controls: {c: {\(Base.twoColor)}}",
            "colors: {failed: amber}", bad: "colors: {failed: pink}", "unknown-word"
        ) { $0.first.indicator.colors[.failed] == .amber },
        KeyCase(
            "panel.dimmer", "panel: P, board: none, controls: {c: {\(Base.dial)}}", "dimmer: c",
            bad: "dimmer: d", "unknown-word"
        ) { $0.settings.dimmer == ControlID(0) },
        KeyCase(
            "panel.lamp-test", "panel: P, board: none, controls: {c: {\(Base.button)}}",
            "lamp-test: c", bad: "lamp-test: d", "unknown-word"
        ) { $0.settings.lampTest == ControlID(0) },
        KeyCase(
            "panel.board.name",
            "panel: P, controls: {c: {kind: button, label: C, input: GPIO17}}",
            "board: {name: raspberry-pi-5}", bad: "board: {name: raspberry-pi-99}",
            "unknown-board"
        ) { $0.board == "raspberry-pi-5" },
        KeyCase(
            "panel.board.free",
            "panel: P, controls: {c: {kind: button, label: C, input: GPIO17}}",
            "board: {name: raspberry-pi-5, free: [spi0]}",
            bad: "board: {name: raspberry-pi-5, free: [spi]}", "unknown-word"
        ) { $0.freeFunctions == ["spi0"] },
        KeyCase(
            "panel.layout", "panel: P, board: none, controls: {c: {\(Base.lever)}}",
            "layout: {width: 240mm}", bad: "layout: 240mm", "wrong-type"
        ) { $0.plateMillimeters == 240 },
        KeyCase(
            "panel.layout.width", "panel: P, board: none, controls: {c: {\(Base.lever)}}",
            "layout: {width: 240.5mm}", bad: "layout: {width: 240}", "invalid-number"
        ) { $0.plateMillimeters == 240.5 },
        KeyCase(
            "panel.layout.order",
            "panel: P, board: none, controls: {c: {\(Base.lever), group: power}}",
            "layout: {order: [power]}", bad: "layout: {order: [pover]}", "unknown-word"
        ) { $0.groupOrder == ["power"] },
        KeyCase(
            "panel.controls", "panel: P, board: none", "controls: {c: {\(Base.lever)}}",
            bad: "controls: {}", "no-controls"
        ) { $0.controls.count == 1 },
    ]

    static let control: [KeyCase] = [
        KeyCase(
            "control.kind", "label: Start, input: A", "kind: button", bad: "kind: buton",
            "unknown-word"
        ) { $0.first.nature == .button },
        KeyCase(
            "control.label", "kind: button, input: A", "label: Start", bad: "label: ''",
            "empty-text"
        ) { $0.controls[0].label == "Start" },
        KeyCase("control.symbol", Base.button, "symbol: fan", bad: "symbol: {}", "wrong-type") {
            $0.controls[0].layout.symbol == "fan"
        },
        KeyCase("control.group", Base.button, "group: power", bad: "group: [a]", "wrong-type") {
            $0.controls[0].layout.group == "power"
        },
        KeyCase("control.row", Base.button, "row: 2", bad: "row: 0", "out-of-range") {
            $0.controls[0].layout.row == 2
        },
        KeyCase(
            "control.at", Base.lever, "at: [40mm, 25.5mm]", bad: "at: [40, 25]", "invalid-number"
        ) { $0.controls[0].layout.place == PlatePoint(x: 40, y: 25.5) },
        KeyCase("control.span", Base.lever, "span: 2", bad: "span: 0", "out-of-range") {
            $0.controls[0].layout.span == 2
        },
        KeyCase(
            "control.part", Base.lever, "part: toggle", bad: "part: knob", "part-does-not-fit"
        ) { $0.controls[0].facePart?.part == .toggle },
        KeyCase(
            "control.input", "kind: button, label: Start", "input: A", bad: "input: [A]",
            "wrong-type"
        ) { $0.lines.map(\.name) == ["A"] },
        KeyCase(
            "control.lever", "kind: switch, label: Lamp", "lever: {on: A, off: B}",
            bad: "lever: {up: A, down: B}", "key-not-for-kind"
        ) { $0.lines.map(\.name) == ["A", "B"] && $0.first.decoder == .lever },
        KeyCase(
            "control.selector", "kind: radio-group, label: R, options: [x, y]",
            "selector: [A, B]", bad: "selector: [A]", "options-do-not-fit"
        ) { $0.first.contacts == PlanRange(first: 0, count: 2) },
        KeyCase(
            "control.encoder", "kind: dial, label: V, range: {min: 0, max: 9}",
            "encoder: {a: A, b: B}", bad: "encoder: {a: A}", "missing-key"
        ) { $0.encoder == EncoderSettings() },
        KeyCase(
            "control.analog", "kind: dial, label: V, range: {min: 0, max: 9}",
            "analog: {device: a, channel: 1, ends: [0, 900]}",
            bad: "analog: {device: a, channel: 1}", "missing-key"
        ) { $0.analog?.maximum == 9 && $0.first.nature.input == .pick },
        KeyCase(
            "control.debounce", Base.lever, "debounce: 5ms", bad: "debounce: 5", "invalid-duration"
        ) { $0.contact?.debounce.algorithm == .defer(time: .milliseconds(5)) },
        KeyCase("control.settle", Base.radio, "settle: 10ms", bad: "settle: 11s", "out-of-range") {
            $0.selector?.settle == .milliseconds(10)
        },
        KeyCase(
            "control.click", Base.button, "click: {within: 200ms}", bad: "click: 200ms",
            "wrong-type"
        ) { $0.button?.clickWithin == .milliseconds(200) },
        KeyCase(
            "control.double-click", Base.button, "double-click: 400ms", bad: "double-click: true",
            "invalid-duration"
        ) { $0.button?.multiClickGap == .milliseconds(400) && $0.button?.multiClickCount == 2 },
        KeyCase(
            "control.multi-click", Base.button, "multi-click: {count: 3, gap: 400ms}",
            bad: "multi-click: {count: 3}", "missing-key"
        ) { $0.button?.multiClickGap == .milliseconds(400) && $0.button?.multiClickCount == 3 },
        KeyCase("control.hold", Base.button, "hold: 1s", bad: "hold: 0s", "out-of-range") {
            $0.button?.hold == .seconds(1)
        },
        KeyCase(
            "control.exclusive",
            "\(Base.button), hold: {after: 1s, action: {run: [b], timeout: 1s}}",
            "exclusive: false", bad: "exclusive: no", "wrong-type"
        ) { $0.button?.isExclusive == false },
        KeyCase(
            "control.turn", "kind: dial, label: Volume, encoder: {a: A, b: B}",
            "turn: {run: [v, \"{steps}\"], timeout: 1s}",
            bad: "turn: {left: {run: [v], timeout: 1s}}", "unknown-word"
        ) { $0.gestures.map(\.gesture) == [.turn] && $0.actions[0].usesSteps },
        KeyCase(
            "control.by",
            "kind: dial, label: Volume, encoder: {a: A, b: B}, "
                + "turn: {run: [v, \"{steps}\"], timeout: 1s}",
            "by: 5", bad: "by: 0", "out-of-range"
        ) { $0.relations.settings.contains { $0.acting?.stepFactor == 5 } },
        KeyCase(
            "control.repeat", Base.button, "repeat: {after: 1s, every: 200ms}",
            bad: "repeat: {after: 1s}", "missing-key"
        ) {
            $0.button?.repeatAfter == .seconds(1) && $0.button?.repeatEvery == .milliseconds(200)
        },
        KeyCase("control.latch", Base.lever, "latch: momentary", bad: "latch: hold", "unknown-word")
        {
            $0.first.nature == .onOff(latch: .momentary) && $0.button != nil
        },
        KeyCase(
            "control.states", Base.lever, "states: {on: Open, off: Shut}",
            bad: "states: {on: Open, off: Open}", "duplicate-option"
        ) { $0.controls[0].layout.stateNames == ["Shut", "Open"] },
        KeyCase(
            "control.range", "kind: dial, label: V, encoder: {a: A, b: B}",
            "range: {min: 1, max: 9}", bad: "range: {min: 9, max: 1}", "out-of-range"
        ) { $0.dial == NumberRange(minimum: 1, maximum: 9) },
        KeyCase(
            "control.options", "kind: radio-group, label: R, selector: [A, B]", "options: [x, y]",
            bad: "options: [x, x]", "duplicate-option"
        ) { $0.controls[0].valueNames == .options(["x", "y"]) },
        KeyCase("control.default", Base.radio, "default: y", bad: "default: z", "unknown-word") {
            $0.first.startup.fallback == Value(1)
        },
        KeyCase(
            "control.mismatch", Base.lever, "mismatch: catch-up", bad: "mismatch: catchup",
            "unknown-word"
        ) { $0.first.mismatch == .catchUp },
        KeyCase("control.startup", Base.lever, "startup: on", bad: "startup: yes", "unknown-word") {
            $0.first.startup.rule == .value(.on) && !$0.first.startup.runsAction
        },
        KeyCase(
            "control.query", Base.acting, "query: {run: [psu, state], timeout: 2s}",
            bad: "query: [psu, state]", "wrong-type"
        ) { $0.first.query == ActionID(1) && $0.first.actions == .any(ActionID(0)) },
        KeyCase(
            "control.startup-runs-action", Base.lever, "startup-runs-action: false",
            bad: "startup-runs-action: off", "wrong-type"
        ) { !$0.first.startup.runsAction },
        KeyCase(
            "control.startup-delay", Base.lever, "startup-delay: 2s", bad: "startup-delay: 2 s",
            "invalid-duration"
        ) { $0.first.startup.delay == .seconds(2) },
        KeyCase(
            "control.indicator", Base.button, "indicator: L", bad: "indicator: {red: L}",
            "missing-key"
        ) { $0.first.indicator.lines == PlanRange(first: 1, count: 1) && !$0.lines[1].isActiveLow },
        KeyCase(
            "control.patterns", Base.button, "patterns: {loading: wink}", bad: "patterns: wink",
            "wrong-type"
        ) { $0.first.indicator.patterns[.loading] == .wink },
        KeyCase("control.output", Base.lever, "output: R", bad: "output: A", "pin-used-twice") {
            $0.first.outputs == PlanRange(first: 1, count: 1)
        },
        KeyCase(
            "control.outputs", Base.radio, "outputs: {y: R}", bad: "outputs: {z: R}",
            "unknown-word"
        ) { $0.first.outputs.count == 1 && $0.first.outputsPresent == 0b10 },
        KeyCase(
            "control.transition", Base.radio + ", outputs: [R, S]",
            "transition: make-before-break", bad: "transition: break", "unknown-word"
        ) { $0.first.transition == .makeBeforeBreak },
        KeyCase(
            "control.dead-time", Base.radio + ", outputs: [R, S]", "dead-time: 80ms",
            bad: "dead-time: 80", "invalid-duration"
        ) { $0.first.transition == .breakBeforeMake(deadTime: .milliseconds(80)) },
        KeyCase(
            "control.on-exit", Base.lever + ", output: R", "on-exit: keep", bad: "on-exit: true",
            "unknown-word"
        ) { $0.lines[1].use == .output(exit: .keep) },
        KeyCase(
            "control.on-crash", Base.lever + ", output: R", "on-crash: keep",
            bad: "on-crash: stay", "unknown-word"
        ) { $0.controls[0].crashLevel == .keep },
        KeyCase(
            "control.action", Base.lever, "action: {run: [true], timeout: 1s}",
            bad: "action: {run: [true]}", "action-without-timeout"
        ) { $0.first.actions == .any(ActionID(0)) },
    ]
}
