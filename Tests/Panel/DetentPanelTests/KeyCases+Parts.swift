import DetentCore
import DetentHAL
import DetentPanel
import DetentTypes

extension KeyCase {
    static let line: [KeyCase] = [
        KeyCase(
            "line.line", "kind: button, label: Start", "input: {line: A}", bad: "input: {line: {}}",
            "wrong-type"
        ) { $0.lines[0].lineNames == ["A"] },
        KeyCase(
            "panel.line.pin", "panel: P, controls: {c: {kind: button, label: L, input: {pin: 11}}}",
            "board: raspberry-pi-5", bad: "board: none", "unknown-line"
        ) { $0.lines[0].offset == 17 },
        KeyCase(
            "line.chip", "kind: button, label: Start", "input: {chip: pinctrl-rp1, offset: 5}",
            bad: "input: {chip: pinctrl-rp1}", "missing-key"
        ) { $0.lines[0].chipLabels == ["pinctrl-rp1"] },
        KeyCase(
            "line.offset", "kind: button, label: Start", "input: {chip: gpio0, offset: 5}",
            bad: "input: {chip: gpio0, offset: -5}", "out-of-range"
        ) { $0.lines[0].offset == 5 },
        KeyCase(
            "line.active", "kind: button, label: Start", "input: {line: A, active: high}",
            bad: "input: {line: A, active: 1}", "unknown-word"
        ) { !$0.lines[0].isActiveLow },
        KeyCase(
            "line.bias", "kind: button, label: Start", "input: {line: A, bias: pull-down}",
            bad: "input: {line: A, bias: down}", "unknown-word"
        ) { $0.contact?.bias == .pullDown },
        KeyCase(
            "line.poll", "kind: button, label: Start", "input: {line: A, poll: 5ms}",
            bad: "input: {line: A, poll: 5us}", "out-of-range"
        ) { $0.contact?.polledEvery == .milliseconds(5) },
    ]

    static let debounce: [KeyCase] = [
        KeyCase(
            "debounce.algorithm", Base.button, "debounce: {algorithm: defer}",
            bad: "debounce: {algorithm: eagr}", "unknown-word"
        ) { $0.contact?.debounce.algorithm == .defer(time: .milliseconds(20)) },
        KeyCase(
            "debounce.time", Base.button, "debounce: {time: 9ms}",
            bad: "debounce: {algorithm: asymmetric, time: 9ms}", "key-not-for-algorithm"
        ) {
            $0.contact?.debounce.algorithm == .eager(time: .milliseconds(9), window: .restart)
                && $0.contact?.debounce.glitch == .microseconds(100)
        },
        KeyCase(
            "debounce.window", Base.button, "debounce: {window: fixed}",
            bad: "debounce: {algorithm: defer, window: fixed}", "key-not-for-algorithm"
        ) { $0.contact?.debounce.algorithm == .eager(time: .milliseconds(5), window: .fixed) },
        KeyCase(
            "debounce.press", Base.button, "debounce: {algorithm: asymmetric, press: 7ms}",
            bad: "debounce: {algorithm: asymmetric, press: 7}", "invalid-duration"
        ) {
            $0.contact?.debounce.algorithm
                == .asymmetric(press: .milliseconds(7), release: .milliseconds(5))
        },
        KeyCase(
            "debounce.release", Base.button, "debounce: {algorithm: asymmetric, release: 7ms}",
            bad: "debounce: {release: 7ms}", "key-not-for-algorithm"
        ) {
            $0.contact?.debounce.algorithm
                == .asymmetric(press: .milliseconds(5), release: .milliseconds(7))
        },
        KeyCase(
            "debounce.sample", Base.button,
            "debounce: {algorithm: integrator, time: 5ms, sample: 500us}",
            bad: "debounce: {algorithm: integrator, time: 10s, sample: 10us}", "out-of-range"
        ) {
            $0.contact?.debounce.algorithm == .integrator(sample: .microseconds(500), samples: 10)
        },
        KeyCase(
            "debounce.glitch", Base.lever, "debounce: {algorithm: defer, glitch: 1.5us}",
            bad: "debounce: {glitch: 0.5ns}", "invalid-duration"
        ) { $0.contact?.debounce.glitch == TimeSpan(nanoseconds: 1_500) },
        KeyCase(
            "debounce.lockout", Base.button, "debounce: {lockout: 300ms}",
            bad: "debounce: {lockout: 2h}", "out-of-range"
        ) { $0.contact?.debounce.lockout == .milliseconds(300) },
    ]

    static let gestures: [KeyCase] = [
        KeyCase(
            "click.within", Base.toggle, "click: {within: 150ms}", bad: "click: {within: fast}",
            "invalid-duration"
        ) { $0.button?.clickWithin == .milliseconds(150) },
        KeyCase(
            "click.report", Base.button + ", double-click: 300ms", "click: {report: postponed}",
            bad: "click: {report: later}", "unknown-word"
        ) { $0.button?.isClickPostponed == true },
        KeyCase(
            "click.action", Base.push, "click: {action: {run: [mute], timeout: 1s}}",
            bad: "click: {action: {run: [mute]}}", "action-without-timeout"
        ) { $0.gestures.map(\.gesture) == [.click] && $0.actions.count == 1 },
        KeyCase(
            "doubleClick.gap", Base.button,
            "double-click: {gap: 300ms, action: {run: [b], timeout: 1s}}",
            bad: "double-click: {action: {run: [b], timeout: 1s}}", "missing-key"
        ) { $0.button?.multiClickGap == .milliseconds(300) },
        KeyCase(
            "doubleClick.action", Base.button,
            "double-click: {gap: 300ms, action: {run: [b], timeout: 1s}}",
            bad: "double-click: {gap: 300ms, action: {}}", "missing-key"
        ) { $0.gestures.map(\.gesture) == [.doubleClick] && $0.button?.isExclusive == true },
        KeyCase(
            "multiClick.action", Base.button,
            "multi-click: {count: 3, gap: 300ms, action: {run: [b], timeout: 1s}}",
            bad: "multi-click: {count: 3, gap: 300ms, action: [b]}", "wrong-type"
        ) { $0.gestures.map(\.gesture) == [.multiClick] },
        KeyCase(
            "hold.after", Base.button, "hold: {after: 2s, action: {run: [b], timeout: 1s}}",
            bad: "hold: {action: {run: [b], timeout: 1s}}", "missing-key"
        ) { $0.button?.hold == .seconds(2) },
        KeyCase(
            "hold.action", Base.button, "hold: {after: 2s, action: {run: [b], timeout: 1s}}",
            bad: "hold: {after: 2s, action: {run: [b, \"{steps}\"], timeout: 1s}}",
            "invalid-argument"
        ) { $0.gestures.map(\.gesture) == [.hold] && $0.button?.isExclusive == true },
        KeyCase(
            "repeat.action", Base.button,
            "repeat: {after: 1s, every: 200ms, action: {run: [b], timeout: 1s}}",
            bad: "hold: {after: 1s, action: {run: [a], timeout: 1s}}, "
                + "repeat: {after: 1s, every: 200ms, action: {run: [b], timeout: 1s}}",
            "conflicting-keys"
        ) { $0.gestures.map(\.gesture) == [.repetition] && $0.button?.isExclusive == false },
        KeyCase(
            "multiClick.count", Base.button, "multi-click: {count: 4, gap: 1s}",
            bad: "multi-click: {count: 1, gap: 1s}", "out-of-range"
        ) { $0.button?.multiClickCount == 4 },
        KeyCase(
            "multiClick.gap", Base.button, "multi-click: {count: 4, gap: 250ms}",
            bad: "multi-click: {count: 4, gap: 1}", "invalid-duration"
        ) { $0.button?.multiClickGap == .milliseconds(250) },
        KeyCase(
            "repeat.after", Base.button, "repeat: {after: 2s, every: 1s}",
            bad: "repeat: {after: -2s, every: 1s}", "invalid-duration"
        ) { $0.button?.repeatAfter == .seconds(2) },
        KeyCase(
            "repeat.every", Base.button, "repeat: {after: 2s, every: 1s}",
            bad: "repeat: {after: 2s, every: 0ms}", "out-of-range"
        ) { $0.button?.repeatEvery == .seconds(1) },
        KeyCase(
            "latch.tap-or-hold", Base.lever, "latch: {tap-or-hold: 250ms}",
            bad: "latch: {tap-or-hold: 250}", "invalid-duration"
        ) { $0.first.nature == .onOff(latch: .tapOrHold(within: .milliseconds(250))) },
        KeyCase(
            "states.on", Base.lever, "states: {on: Open, off: Shut}", bad: "states: {off: Shut}",
            "missing-key"
        ) { $0.controls[0].layout.stateNames.last == "Open" },
        KeyCase(
            "states.off", Base.toggle, "states: {on: Open, off: Shut}",
            bad: "states: {on: Open, off: ''}", "empty-text"
        ) { $0.controls[0].layout.stateNames.first == "Shut" },
        positions("up", bad: "states: {up: A, off: B, down: C}", "key-not-for-kind", place: 2),
        positions("center", bad: "states: {up: A, down: C}", "missing-key", place: 1),
        positions("down", bad: "states: {up: A, center: B, down: A}", "duplicate-option", place: 0),
    ]

    private static func positions(
        _ key: String, bad: String, _ rule: String, place: Int
    ) -> KeyCase {
        KeyCase(
            "states.\(key)", Base.threeWay, "states: {up: Auto, center: Off, down: Manual}",
            bad: bad, rule
        ) {
            let names = $0.controls[0].layout.stateNames
            return names.count == 3 && names[place] == ["Manual", "Off", "Auto"][place]
        }
    }

    static let contacts: [KeyCase] = [
        KeyCase(
            "lever.up", "kind: three-way, label: B", "lever: {up: A, down: B}",
            bad: "lever: {down: B}", "missing-key"
        ) { $0.lines[1].name == "A" && $0.selector?.nonePosition == 1 },
        KeyCase(
            "lever.down", "kind: three-way, label: B", "lever: {up: A, down: B}",
            bad: "lever: {up: A, down: A}", "pin-used-twice"
        ) { $0.lines[0].name == "B" && $0.selector?.positions == 3 },
        KeyCase(
            "lever.on", "kind: switch, label: L", "lever: {on: A, off: B}", bad: "lever: {off: B}",
            "missing-key"
        ) { $0.lines[0].name == "A" },
        KeyCase(
            "lever.off", "kind: switch, label: L", "lever: {on: A, off: B}", bad: "lever: {on: A}",
            "missing-key"
        ) { $0.lines[1].name == "B" && $0.first.contacts.count == 2 },
        KeyCase(
            "selector.lines", "kind: radio-group, label: R, options: [x, y]",
            "selector: {lines: [A, B]}", bad: "selector: {lines: A}", "wrong-type"
        ) { $0.lines.map(\.name) == ["A", "B"] },
        KeyCase(
            "selector.code", "kind: radio-group, label: R, options: [w, x, y, z]",
            "selector: {lines: [A, B], code: gray}",
            bad: "selector: {lines: [A, B, C, D], code: gray}", "options-do-not-fit"
        ) { $0.selector?.coding == .gray },
        KeyCase(
            "selector.none", "kind: radio-group, label: R, options: [x, y, z]",
            "selector: {lines: [A, B], none: y}", bad: "selector: {lines: [A, B], none: q}",
            "unknown-word"
        ) { $0.selector?.nonePosition == 1 },
        KeyCase(
            "encoder.a", "kind: dial, label: V, range: {min: 0, max: 9}",
            "encoder: {a: A, b: B}", bad: "encoder: {a: B, b: B}", "pin-used-twice"
        ) { $0.lines[0].name == "A" && $0.contact?.debounce == DebounceSettings.none },
        KeyCase(
            "encoder.b", "kind: dial, label: V, range: {min: 0, max: 9}",
            "encoder: {a: A, b: B}", bad: "encoder: {a: A, b: 5, c: B}", "unknown-key"
        ) { $0.lines[1].name == "B" },
        KeyCase(
            "encoder.push", "kind: dial, label: V, range: {min: 0, max: 9}",
            "encoder: {a: A, b: B, push: C}", bad: "encoder: {a: A, b: B, push: []}", "wrong-type"
        ) { $0.encoder?.push != nil && $0.first.contacts.count == 3 },
        KeyCase(
            "encoder.transitions", "kind: dial, label: V, range: {min: 0, max: 9}",
            "encoder: {a: A, b: B, transitions: 2}", bad: "encoder: {a: A, b: B, transitions: 3}",
            "unknown-word"
        ) { $0.encoder?.transitions == 2 },
        KeyCase(
            "encoder.rest", "kind: dial, label: V, range: {min: 0, max: 9}",
            "encoder: {a: A, b: {line: B, active: high}, rest: \"01\"}",
            bad: "encoder: {a: A, b: B, rest: 2}", "unknown-word"
        ) { $0.encoder?.rest == 0b11 },
    ]

    static let values: [KeyCase] = [
        KeyCase(
            "range.min", "kind: dial, label: V, encoder: {a: A, b: B}", "range: {min: -5, max: 9}",
            bad: "range: {min: low, max: 9}", "invalid-number"
        ) { $0.dial?.minimum == -5 },
        KeyCase(
            "range.max", "kind: dial, label: V, encoder: {a: A, b: B}", "range: {min: 0, max: 9}",
            bad: "range: {min: 0, max: 99999999999}", "out-of-range"
        ) { $0.dial?.maximum == 9 },
        KeyCase(
            "range.step", "kind: dial, label: V, encoder: {a: A, b: B}",
            "range: {min: 0, max: 9, step: 0.5}", bad: "range: {min: 0, max: 9, step: 0}",
            "out-of-range"
        ) { $0.dial?.step == 5 && $0.controls[0].valueNames == .number(decimals: 1) },
        KeyCase(
            "range.wrap", "kind: dial, label: V, encoder: {a: A, b: B}",
            "range: {min: 0, max: 9, wrap: true}", bad: "range: {min: 0, max: 9, wrap: yes}",
            "wrong-type"
        ) { $0.dial?.wraps == true },
        KeyCase(
            "range.acceleration", "kind: dial, label: V, encoder: {a: A, b: B}",
            "range: {min: 0, max: 9, acceleration: 4}",
            bad: "range: {min: 0, max: 9, acceleration: 0}", "out-of-range"
        ) { $0.dial?.acceleration == 4 },
        KeyCase(
            "option.name", "kind: radio-group, label: R, selector: [A, B]",
            "options: [{name: x}, y]", bad: "options: [{symbol: x}, y]", "missing-key"
        ) { $0.controls[0].valueNames == .options(["x", "y"]) },
        KeyCase(
            "option.symbol", "kind: radio-group, label: R, selector: [A, B]",
            "options: [{name: x, symbol: sun}, y]", bad: "options: [{name: x, symbol: []}, y]",
            "wrong-type"
        ) { $0.controls[0].layout.optionSymbols == ["sun", nil] },
        KeyCase(
            "option.indicator", "kind: radio-group, label: R, selector: [A, B]",
            "options: [{name: x, indicator: L}, {name: y, indicator: M}]",
            bad: "options: [{name: x, indicator: L}, y]", "options-do-not-fit"
        ) {
            $0.first.indicator.style == .perOption
                && $0.first.indicator.lines == PlanRange(first: 2, count: 2)
        },
        KeyCase(
            "option.action", "kind: radio-group, label: R, selector: [A, B]",
            "options: [x, {name: y, action: {run: [go], timeout: 1s}}]",
            bad: "options: [x, {name: y, action: {run: go, timeout: 1s}}]", "wrong-type"
        ) { $0.first.actions == .perValue(first: ActionID(0), present: 0b10) },
        KeyCase(
            "option.hold", row,
            "options: [x, {name: y, hold: {after: 1s, action: {run: [go], timeout: 1s}}}]",
            bad: "options: [x, {name: y, hold: {after: 1s}}]", "missing-key"
        ) { $0.rowGesture == RowGesture(buttons: 0b10, after: .seconds(1), isExclusive: true) },
        KeyCase(
            "option.double-click", row,
            "options: [x, {name: y, double-click: {gap: 300ms, action: {run: [a], timeout: 1s}}}]",
            bad: "options: [x, {name: y, double-click: 300ms}]", "wrong-type"
        ) {
            $0.rowGesture
                == RowGesture(buttons: 0b10, after: .milliseconds(300), isExclusive: true)
        },
        KeyCase(
            "option.repeat", row,
            "options: [x, {name: y, repeat: {after: 1s, every: 200ms, action: {wait: 1s}}}]",
            bad: "hold: {after: 1s, action: {wait: 1s}}, options: [x, {name: y, "
                + "repeat: {after: 1s, every: 200ms, action: {wait: 1s}}}]",
            "conflicting-keys"
        ) {
            $0.rowGesture
                == RowGesture(buttons: 0b10, after: .seconds(1), every: .milliseconds(200))
        },
    ]

    private static let row = "kind: radio-group, label: R, buttons: [A, B]"

    static let lamps: [KeyCase] =
        [
            KeyCase(
                "indicator.line", Base.button, "indicator: {line: L}", bad: "indicator: {line: A}",
                "pin-used-twice"
            ) { $0.lines.last?.name == "L" },
            KeyCase(
                "panel.indicator.pin",
                "panel: P, controls: "
                    + "{c: {kind: button, label: S, input: GPIO17, indicator: {pin: 13}}}",
                "board: raspberry-pi-5", bad: "board: none", "unknown-line"
            ) { $0.lines.last?.offset == 27 },
            KeyCase(
                "indicator.chip", Base.button, "indicator: {chip: c0, offset: 3}",
                bad: "indicator: {line: L, chip: c0, offset: 3}", "conflicting-keys"
            ) { $0.lines.last?.chipLabels == ["c0"] },
            KeyCase(
                "indicator.offset", Base.button, "indicator: {chip: c0, offset: 3}",
                bad: "indicator: {chip: c0, offset: x}", "invalid-number"
            ) { $0.lines.last?.offset == 3 },
            KeyCase(
                "indicator.active", Base.button, "indicator: {line: L, active: low}",
                bad: "indicator: {line: L, active: lo}", "unknown-word"
            ) { $0.lines.last?.name == "L" && $0.lines.last?.isActiveLow == true },
            KeyCase(
                "indicator.led", Base.button, "indicator: {led: ACT, brightness: 40%}",
                bad: "indicator: {led: ACT, line: L}", "conflicting-keys"
            ) { $0.lines.last?.channel?.device == "ACT" && $0.first.indicator.hasLevels },
            KeyCase(
                "indicator.pwm", Base.button, "indicator: {pwm: {chip: x, channel: 0}}",
                bad: "indicator: {pwm: {chip: x, channel: 0}, line: L}", "conflicting-keys"
            ) { $0.lines.last?.channel?.period == .milliseconds(1) },
            KeyCase(
                "indicator.lines", Base.radio, "indicator: {lines: [L, M]}",
                bad: "indicator: {lines: [L]}", "options-do-not-fit"
            ) { $0.first.indicator.style == .perOption },
            KeyCase(
                "indicator.patterns", Base.button,
                "indicator: {line: L, patterns: {failed: breathe}}",
                bad: "indicator: {line: L, patterns: {faild: breathe}}", "unknown-key"
            ) { $0.first.indicator.patterns[.failed] == .breathe },
            KeyCase(
                "indicator.red", Base.button, "indicator: {red: L, green: M}",
                bad: "indicator: {red: L, line: M}", "conflicting-keys"
            ) { $0.first.indicator.style == .twoColor && $0.lines[1].name == "L" },
            KeyCase(
                "indicator.green", Base.button, "indicator: {red: L, green: M}",
                bad: "indicator: {green: L}", "missing-key"
            ) { $0.first.indicator.style == .twoColor && $0.lines[2].name == "M" },
            KeyCase(
                "indicator.blue", Base.button, "indicator: {red: L, green: M, blue: N}",
                bad: "indicator: {red: L, green: M, blue: [N]}", "wrong-type"
            ) {
                $0.first.indicator.style == .rgb
                    && $0.first.indicator.lines == PlanRange(first: 1, count: 3)
            },
            KeyCase(
                "indicator.colors", Base.button,
                "indicator: {red: L, green: M, colors: {on: amber}}",
                bad: "indicator: {line: L, colors: {on: amber}}", "key-not-for-kind"
            ) { $0.first.indicator.colors[.on] == .amber },
            KeyCase(
                "indicator.brightness", Base.button, "indicator: {line: L, brightness: 40%}",
                bad: "indicator: {line: L, brightness: 40}", "invalid-number"
            ) { $0.first.indicator.brightness == 40 },
        ] + patterns + colors

    private static let colors: [KeyCase] = LampCondition.allCases.map { condition in
        KeyCase(
            "colors.\(condition)", Base.button,
            "indicator: {red: L, green: M, blue: N, colors: {\(condition): magenta}}",
            bad: "indicator: {red: L, green: M, colors: {\(condition): magenta}}",
            "color-not-made"
        ) { $0.first.indicator.colors[condition] == .magenta }
    }

    private static let patterns: [KeyCase] =
        LampCondition.allCases
        .filter { $0 != .on && $0 != .off }
        .map { condition in
            KeyCase(
                "patterns.\(condition)", Base.button,
                "patterns: {\(condition): steady}",
                bad: "patterns: {\(condition): stedy}", "unknown-word"
            ) { $0.first.indicator.patterns[condition] == .steady }
        }
        + [
            KeyCase(
                "patterns.on",
                Base.lever + "}, i: {kind: indicator, label: Alarm, "
                    + "indicator: L, show: any failed",
                "patterns: {on: blink}", bad: "patterns: {on: blnik}", "unknown-word"
            ) { $0.controls[1].settings.indicator.patterns[.on] == .blink }
        ]

    static let actions: [KeyCase] = [
        KeyCase(
            "action.run", Base.lever, "action: {run: [psu, \"{value}\"], timeout: 1s}",
            bad: "action: {run: psu on, timeout: 1s}", "wrong-type"
        ) { $0.actions.first?.command == .run(arguments: ["psu", "{value}"]) },
        KeyCase(
            "action.timeout", Base.lever, "action: {run: [a], timeout: 2s}",
            bad: "action: {run: [a], timeout: 2}", "invalid-duration"
        ) { $0.action?.timeout == .seconds(2) },
        KeyCase(
            "action.on-failure", Base.lever, "action: {run: [a], timeout: 2s, on-failure: keep}",
            bad: "action: {run: [a], timeout: 2s, on-failure: retry}", "unknown-word"
        ) { $0.action?.onFailure == .keep },
        KeyCase(
            "action.supersede", Base.lever, "action: {run: [a], timeout: 2s, supersede: cancel}",
            bad: "action: {run: [a], timeout: 2s, supersede: stop}", "unknown-word"
        ) { $0.action?.supersede == .cancel },
        KeyCase(
            "action.loading-after", Base.lever,
            "action: {run: [a], timeout: 2s, loading-after: 50ms}",
            bad: "action: {run: [a], timeout: 2s, loading-after: soon}", "invalid-duration"
        ) { $0.action?.loadingAfter == .milliseconds(50) },
        KeyCase(
            "action.loading-min", Base.lever, "action: {run: [a], timeout: 2s, loading-min: 50ms}",
            bad: "action: {run: [a], timeout: 2s, loading-min: 2h}", "out-of-range"
        ) { $0.action?.loadingMinimum == .milliseconds(50) },
        KeyCase(
            "action.failed-for", Base.lever, "action: {run: [a], timeout: 2s, failed-for: 10s}",
            bad: "action: {run: [a], timeout: 2s, failed-for: 10 s}", "invalid-duration"
        ) { $0.action?.failedFor == .seconds(10) },
        KeyCase(
            "query.run", Base.acting, "query: {run: [psu, state], timeout: 2s}",
            bad: "query: {timeout: 2s}", "missing-key"
        ) { $0.actions.last?.command == .run(arguments: ["psu", "state"]) },
        KeyCase(
            "query.timeout", Base.acting, "query: {run: [psu], timeout: 2s}",
            bad: "query: {run: [psu]}", "missing-key"
        ) { $0.actions.last?.settings.timeout == .seconds(2) },
        retry("afterAFailure.retry", "{count: 2}", bad: "2", "wrong-type"),
        retry("retry.count", "{count: 2}", bad: "{count: 0}", "out-of-range"),
        KeyCase(
            "retry.backoff", Base.lever,
            "action: {run: [a], timeout: 2s, on-failure: {retry: {count: 2, backoff: 5s}}}",
            bad: "action: {run: [a], timeout: 2s, on-failure: {retry: {count: 2, backoff: 5}}}",
            "invalid-duration"
        ) { $0.action?.onFailure == .retry(count: 2, backoff: .seconds(5), thenKeep: false) },
        KeyCase(
            "retry.then", Base.lever,
            "action: {run: [a], timeout: 2s, on-failure: {retry: {count: 2, then: keep}}}",
            bad: "action: {run: [a], timeout: 2s, on-failure: {retry: {count: 2, then: stay}}}",
            "unknown-word"
        ) { $0.action?.onFailure == .retry(count: 2, backoff: .seconds(1), thenKeep: true) },
    ]

    private static func retry(
        _ name: String, _ good: String, bad: String, _ rule: String
    ) -> KeyCase {
        let start = "action: {run: [a], timeout: 2s, on-failure: {retry: "
        return KeyCase(name, Base.lever, start + good + "}}", bad: start + bad + "}}", rule) {
            $0.action?.onFailure == .retry(count: 2, backoff: .seconds(1), thenKeep: false)
        }
    }

    static let all =
        panel + alike + control + line + channels + debounce + gestures + contacts + values + lamps
        + looks + displays + broker + actions + requests + feedbacks + wires + devices + rules
        + choices
        + steps
        + outputSteps + pulses
}
