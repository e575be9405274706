import DetentLanguage
import DetentPanel
import DetentTypes
import TestSupport
import Testing

@Suite struct CompletionTests {
    private let panel = """
        panel: Hall
        board: raspberry-pi-5
        controls:
          main:
            kind: switch
            label: Main
            input: GPIO5
          mode:
            kind: radio-group
            label: Mode
            selector: [GPIO6, GPIO13]
            options: [Auto Pilot, Manual]

        """

    /// The labels offered in a panel that goes on with this text.
    private func offered(_ more: String, path: String = "/panel.yaml") -> [String] {
        var editor = Editor()
        return editor.ask("completion", panel + more, path: path).labels
    }

    @Test(arguments: [
        // Keys that are allowed and not used, in lines and in brackets.
        ("│", ["dimmer", "mqtt", "layout"], ["controls", "panel", "kind"]),
        ("  x:\n    │", ["kind", "label"], ["controls"]),
        ("  x:\n    kind: switch\n    la│", ["label", "latch"], ["range", "kind"]),
        ("  x: {kind: dial, │}", ["encoder", "range", "turn"], ["kind", "latch"]),
        ("  x: {kind: dial, │", ["encoder", "range", "turn"], ["kind", "latch"]),
        ("  x: {kind: dial, range: {min: 0, max: 9}, │}", ["encoder"], ["turn", "range"]),
        ("  x: {kind: switch, input: GPIO20, │}", ["latch"], ["hold", "lever", "input"]),
        ("  x:\n    debounce: {│}", ["algorithm", "time"], ["kind"]),
        ("  x:\n    kind: button\n    action:\n      │", ["run", "set", "timeout"], ["kind"]),
        // Words, booleans and units.
        ("  x:\n    kind: │", ["switch", "dial", "pull-down"], []),
        ("  x:\n    kind: d│\n    label: X", ["dial"], []),
        ("  x: {kind: switch, mismatch: │}", ["follow", "detached"], ["true"]),
        ("  x: {kind: switch, startup: │}", ["panel", "saved", "on", "off"], ["follow"]),
        ("  x: {kind: button, exclusive: │}", ["true", "false"], ["on"]),
        ("  x: {kind: button, hold: 20│}", ["20ms", "20s"], ["20min", "20h", "20"]),
        // Pins that are free; on a board, `pin` and names.
        ("  x: {kind: switch, label: X, input: │}", ["GPIO20", "GPIO2"], ["GPIO5", "GPIO6"]),
        ("  x: {kind: dial, encoder: {a: GPIO20, b: │}}", ["GPIO21"], ["GPIO20", "GPIO5"]),
        // Controls, and their values.
        ("lamp-test: │", ["main"], ["mode"]),
        ("  x: {kind: button, action: {set: {│}}}", ["main", "mode"], ["x"]),
        ("  x: {kind: button, action: {set: {mode: │}}}", ["Manual", "Auto Pilot"], ["on"]),
        ("  x: {kind: button, enabled-when: │}", ["main is on", "mode is Manual"], []),
        ("  x: {kind: button, enabled-when: main is on and m│}", ["mode is Manual"], []),
        ("  x: {kind: button, enabled-when: main is │}", ["on", "off"], ["Manual"]),
        ("  x: {kind: button, symbol: │}", ["fan", "pump"], []),
        (
            "  x: {kind: button, action: {run: [a, \"{│\"], timeout: 1s}}", ["{control}"],
            ["main"]
        ),
    ])
    func whatIsOfferedFits(more: String, wanted: [String], unwanted: [String]) {
        let labels = offered(more)
        for word in wanted {
            expectEqual(labels.contains(word), true, "\(more): \(word) not in \(labels)")
        }
        for word in unwanted {
            expectEqual(labels.contains(word), false, "\(more): \(word) is offered")
        }
    }

    @Test(arguments: [
        ("  - │", ["flip", "press", "expect"]), ("  - flip: │", ["main"]),
        ("  - flip: {│}", ["main"]), ("  - expect: {main: {│}}", ["value", "phase"]),
        ("  - expect: {main: {phase: │}}", ["idle", "pending"]),
        ("  - select: {mode: │}", ["Manual"]), ("  - flip: main\n    │", ["at"]),
    ])
    func scenariosAreCompleted(more: String, wanted: [String]) {
        var editor = Editor()
        editor.open("/panel.yaml", panel)
        let text = "panel: panel.yaml\nsteps:\n" + more
        let labels = editor.ask("completion", text, path: "/a.scenario.yaml").labels
        for word in wanted {
            expectEqual(labels.contains(word), true, "\(more): \(word) not in \(labels)")
        }
    }

    @Test(arguments: [
        ("/boards/x.yaml", "id: x\nsoc: y\nheaders: {J: {pins: {1: {kind: │}}}}", "gpio"),
        ("/boards/x.yaml", "id: x\nsoc: y\n│", "chips"),
        ("/bounce/x.yaml", "closes: 3ms\n│", "opens"),
        ("/bounce/x.yaml", "closes: 3ms\ntransition: │", "make-before-break"),
    ])
    func boardsAndProfilesAreCompleted(path: String, text: String, wanted: String) {
        var editor = Editor()
        let labels = editor.ask("completion", text, path: path).labels
        expectEqual(labels.contains(wanted), true, "\(labels)")
    }

    @Test func aPinSaysWhereItIsAndWhatElse() {
        var editor = Editor()
        let found = editor.ask(
            "completion", panel + "  x: {kind: switch, label: X, input: │}")
        let pin = found.items?.first { $0["label"] == "GPIO2" }
        expectEqual(pin?["detail"]?.text?.contains("pin 3 of J8, also I2C1"), true)
    }

    /// A panel with two port expanders; a control of a group has the rest of its line.
    private func expanders(board: String, _ rest: String) -> String {
        """
        panel: Overhead
        board: \(board)
        chips:
          left: {i2c: 1-0020, model: pca9555, interrupt: \(board == "none" ? "INT" : "GPIO4")}
          right: {i2c: 1-0021, model: pcf8574}
          far: {i2c: 1-0022}
        controls:
          galley: {kind: switch, label: Galley, input: left.0}
          crossfeed: {kind: switch, label: Crossfeed, input: {chip: 1-0020, offset: 7}}
        groups:
          - name: Fuel
            controls:
              pump: {kind: switch, label: Pump, \(rest)
        """
    }

    @Test(arguments: [
        ("none", "input: │}"), ("none", "input: left.│}"), ("none", "input: {line: │}}"),
        ("raspberry-pi-4b", "input: │}"), ("raspberry-pi-4b", "indicator: │}"),
    ])
    func freeLinesOfChipsAreOffered(board: String, rest: String) {
        var editor = Editor()
        let found = editor.ask("completion", expanders(board: board, rest))
        let chips = found.labels.filter { !$0.hasPrefix("GPIO") }
        let free = (0..<16).filter { ![0, 7].contains($0) }
        expectEqual(chips, free.map { "left.\($0)" } + (0..<8).map { "right.\($0)" })
        expectEqual(found.labels.contains("GPIO5"), board != "none")
        let line = found.items?.first { $0["label"] == "left.3" }
        expectEqual(line?["detail"], "line 3 of pca9555 at 1-0020")
        expectEqual(
            line?["documentation"]?["value"]?.text,
            "**left.3**: line 3 of pca9555 at 1-0020.\n\nIn use:\n\n- `left.0`: Galley\n"
                + "- `left.7`: Crossfeed")
        let other = found.items?.first { $0["label"] == "right.3" }
        expectEqual(other?["documentation"]?["value"]?.text?.contains("chip is free"), true)
    }

    @Test func aLineOfAChipSaysWhoUsesTheChip() {
        var editor = Editor()
        let text = expanders(board: "none", "input: le│ft.12}")
        let hover = editor.ask("hover", text)["contents"]?["value"]?.text ?? ""
        expectEqual(hover.hasPrefix("**left.12**: line 12 of pca9555 at 1-0020."), true)
        expectEqual(hover.contains("- `left.0`: Galley"), true)
        expectEqual(hover.contains("- `left.12`: Pump"), true)
    }

    @Test func theInterruptOfAChipIsALineOfTheBoard() {
        var editor = Editor()
        let text = expanders(board: "raspberry-pi-4b", "input: left.1}")
            .replacing("model: pcf8574}", with: "model: pcf8574, interrupt: │}")
        let labels = editor.ask("completion", text).labels
        expectEqual(labels.contains("GPIO5"), true)
        expectEqual(labels.contains { $0.hasPrefix("left.") }, false)
    }

    @Test func theWordAtTheCursorIsReplaced() {
        for (more, label, wanted) in [
            ("  x:\n    kind: swi│ # a lever", "switch", "  x:\n    kind: switch # a lever"),
            ("  x:\n    ki│: switch", "kind", "  x:\n    kind: switch"),
            ("  x:\n    kind: button\n    act│", "action", "  x:\n    kind: button\n    action:"),
            ("  x: {kind: button, act│}", "action", "  x: {kind: button, action: }"),
            (
                "  x: {kind: button, enabled-when: not ma│}", "main is on",
                "  x: {kind: button, enabled-when: not main is on}"
            ),
            (
                "  x: {kind: button, action: {run: [a, │], timeout: 1s}}", "{control}",
                "  x: {kind: button, action: {run: [a, \"{control}\"], timeout: 1s}}"
            ),
        ] {
            var editor = Editor()
            let (text, _) = Editor.cursor(panel + more)
            let items = editor.ask("completion", panel + more).items ?? []
            let item = items.first { $0["label"]?.text == label }
            let edit = item?["textEdit"].map { JSONValue.array([$0]) }
            expectEqual(Editor.edited(text, edit), panel + wanted, Comment(rawValue: more))
        }
    }

    // MARK: Laws

    /// Errors that say that a file is not finished; a word that was chosen is not their cause.
    private static let unfinished = [
        "missing-key", "label-missing", "no-controls", "too-few-options", "options-do-not-fit",
        "action-without-timeout",
    ]

    private static func errors(_ text: String) -> [String] {
        PanelReader.read(SourceText(file: "/panel.yaml", text: text)).problems.filter {
            $0.severity == .error && !unfinished.contains($0.rule.name)
        }.map { "\($0.rule.name): \($0.text)" }
    }

    /// In place of each value of real panels, and after each of their keys: what is offered makes
    /// no error, but that of a value that is still missing.
    @Test(arguments: ["lab-supply", "kiosk", "model-railway", "greenhouse", "cnc-pendant"])
    func noOfferedWordMakesAnError(panel: String) throws {
        let source = try SourceText.read(file: Repository.path("panels/\(panel)/panel.yaml"))
        let text = String(decoding: source.bytes, as: UTF8.self)
        expectEqual(Self.errors(text), [])
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let plain = lines.indices.compactMap { number -> (Int, Range<String.Index>)? in
            let line = lines[number]
            guard let colon = line.firstRange(of: ": "), !line.contains("#"),
                line[colon.upperBound...].allSatisfy({ !"{}[]\"|>".contains($0) })
            else { return nil }
            return (number, colon)
        }
        var tried = 0
        for (number, colon) in TestLength.some(of: plain, every: 6) {
            let line = lines[number]
            var cut = lines
            cut[number] = line[..<colon.upperBound] + "│"
            tried += Self.tryAll(cut.joined(separator: "\n"), isKey: false)
            cut[number] = line.prefix { $0 == " " } + "│\n" + line
            tried += Self.tryAll(cut.joined(separator: "\n"), isKey: true)
        }
        #expect(tried > 20, "\(tried)")
    }

    /// Puts each offered word into a text; returns how many there were.
    private static func tryAll(_ marked: String, isKey: Bool) -> Int {
        var editor = Editor()
        let (text, position) = Editor.cursor(marked)
        let items = editor.ask("completion", marked).items ?? []
        let place = Editor.position(position)
        for item in items {
            let edit = item["textEdit"].map { JSONValue.array([$0]) }
            let new = Editor.edited(text, edit)
            let found = PanelReader.read(SourceText(file: "/panel.yaml", text: new)).problems
                .filter { problem in
                    guard problem.severity == .error, !unfinished.contains(problem.rule.name)
                    else { return false }
                    // The value of a new key is still to be written.
                    let isValue =
                        isKey && problem.place.line == (place?.line ?? 0) + 1
                        && problem.place.column > (place?.character ?? 0) + 1
                    return !isValue
                }
            expectEqual(
                found.map(\.text), [],
                "\(item["label"]?.line ?? "") in line \(place?.line ?? 0)")
        }
        return items.count
    }
}
