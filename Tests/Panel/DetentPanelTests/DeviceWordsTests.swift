import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// What devices call values: to them, and back.
@Suite struct DeviceWordsTests {
    private static func reading(_ keys: String) -> PanelReader.Reading {
        KeyCase.read("panel: P, board: none, controls: {c: {\(keys)}}")
    }

    private static func control(_ keys: String) throws -> ControlPlan {
        let reading = reading(keys)
        return try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))").controls[0]
    }

    private static let run = "action: {run: [x, \"{value}\"], timeout: 1s}"
    private static let bus =
        "kind: segmented, label: Bus, buttons: [A, B, C], options: [x, y, z], \(run), "
        + "selection: {multiple: {}}"

    @Test(arguments: [
        (Base.acting, "words: {on: \"1\", off: \"0\"}", ["off": "0", "on": "1"]),
        // The others keep their own.
        (
            "\(Base.threeWay), \(run)", "words: {up: AUF}",
            [
                "up": "AUF", "center": "center", "down": "down",
            ]
        ),
        ("\(Base.radio), \(run)", "words: {x: y, y: x}", ["x": "y", "y": "x"]),
        (bus, "words: {x: A, y: B}", ["none": "none", "x": "A", "x+z": "A+z", "x+y": "A+B"]),
    ])
    func wordsGoBothWays(base: String, keys: String, words: [String: String]) throws {
        let control = try Self.control("\(base), \(keys)")
        for (own, device) in words {
            let value = try #require(control.value(named: own))
            expectEqual(control.deviceWord(of: value), device)
            expectEqual(control.value(ofDevice: device), value)
            // Files and events keep their words.
            expectEqual(control.valueNames.name(of: value), own)
        }
        expectEqual(control.deviceWord(of: .unknown), "unknown")
    }

    @Test func aNumberIsTheSameInAnyForm() throws {
        let control = try Self.control(Base.acting + ", words: {on: \"1\", off: \"0.0\"}")
        expectEqual(control.value(ofDevice: "1.0"), .on)
        expectEqual(control.value(ofDevice: "0"), .off)
        expectEqual(control.value(ofDevice: "2"), nil)
        // What the device does not use means what it means anywhere.
        expectEqual(control.value(ofDevice: "on"), .on)
    }

    @Test func aCommandHasAWord() throws {
        let control = try Self.control(
            Base.pullDown + ", items: [{name: Restart, \(Self.run)}, {name: Stop, \(Self.run)}], "
                + "words: {Restart: reboot}")
        expectEqual(control.deviceWord(of: Value(0)), "reboot")
        expectEqual(control.deviceWord(of: Value(1)), "Stop")
    }

    @Test func aMapAddsAndOverrides() throws {
        let control = try Self.control(
            Base.acting + ", words: {on: \"ON\", off: \"OFF\"}, "
                + "feedback: {watch: [x], map: {\"OFF\": on, \"AUS\": off}}")
        let feedback = try #require(control.feedback)
        for (word, value) in ["ON": Value.on, "OFF": .on, "AUS": .off, "off": .off] {
            expectEqual(feedback.value(of: word, for: control), value, "\(word)")
        }
        expectEqual(feedback.word(of: .on, for: control), "OFF")
        expectEqual(control.deviceWord(of: .off), "OFF")
    }

    /// Another panel has the words of its control.
    @Test func anotherPanelIsNoDevice() throws {
        let reading = KeyCase.read(
            "panel: P, board: none, mqtt: {url: \"mqtt://hub\"}, controls: {c: {\(Base.acting), "
                + "words: {on: \"off\", off: \"on\"}, feedback: {panel: Q, control: c}}}")
        let control = try #require(reading.plan).controls[0]
        let feedback = try #require(control.feedback)
        expectEqual(feedback.value(of: "on", for: control), .on)
        expectEqual(feedback.word(of: .on, for: control), "on")
        expectEqual(control.value(ofDevice: "on"), .off)
    }

    // MARK: Numbers

    private static func dial(_ range: String, _ keys: String) -> String {
        "kind: dial, label: Level, encoder: {a: A, b: B}, range: {\(range)}, \(run), \(keys)"
    }

    @Test(arguments: [
        ("min: 0, max: 100", "scale: 2.54", [0: "0", 33: "84", 50: "127", 100: "254"]),
        ("min: 0, max: 100", "scale: 0.01", [0: "0.00", 5: "0.05", 100: "1.00"]),
        ("min: 0, max: 100", "scale: -1, offset: 100", [0: "100", 99: "1", 100: "0"]),
        ("min: -40, max: 6, step: 0.5", "offset: 40", [-400: "0.0", 5: "40.5", 60: "46.0"]),
        ("min: 0, max: 9", "scale: 1.5, offset: -0.5", [0: "-0.5", 1: "1.0", 3: "4.0"]),
        ("min: 0, max: 10", "scale: 0.1", [3: "0.3", 10: "1.0"]),
        ("min: 0, max: 1, step: 0.01", "scale: 255", [50: "127.50", 100: "255.00"]),
        ("min: 0, max: 9", "scale: 0.333333", [1: "0.3", 9: "3.0"]),
    ])
    func numbersAreExact(range: String, keys: String, texts: [Int32: String]) throws {
        let control = try Self.control(Self.dial(range, keys))
        for (raw, text) in texts {
            expectEqual(control.deviceWord(of: Value(raw)), text)
            expectEqual(control.value(ofDevice: text), Value(raw))
        }
    }

    /// Each number of a dial is one of the device, and that means it again.
    @Test func everyNumberComesBack() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<300 {
            let decimals = Int(random.below(4))
            let scale = Int64(random.below(4_000)) - 2_000
            guard scale != 0 else { continue }
            let scaleText = DecimalNumber.text(units: scale, decimals: Int(random.below(4)))
            let offset = DecimalNumber.text(
                units: Int64(random.below(4_000)) - 2_000, decimals: Int(random.below(4)))
            let step = DecimalNumber.text(units: 1, decimals: decimals)
            let keys = "scale: \(scaleText), offset: \(offset)"
            let control = try Self.control(
                Self.dial("min: -3, max: 5, step: \(step)", keys))
            let range = try #require(control.settings.nature.range)
            for raw in range.minimum...range.maximum {
                let word = control.deviceWord(of: Value(raw))
                expectEqual(control.value(ofDevice: word), Value(raw), "\(keys), \(word)")
            }
        }
    }

    @Test(arguments: [
        ("126.9", Value(50)), ("128.26", Value(50)), ("128.28", Value(51)), ("1.27e2", Value(50)),
        ("255", Value(100)), ("256", nil), ("-1", Value(0)), ("-2", nil), ("loud", nil),
        ("83.820000", Value(33)), ("84", Value(33)), ("99999999999999999999", nil),
    ])
    func theNearestNumberIsMeant(text: String, value: Value?) throws {
        let control = try Self.control(Self.dial("min: 0, max: 100", "scale: 2.54"))
        expectEqual(control.value(ofDevice: text), value)
        expectEqual(control.deviceChoices, "a number from 0 to 254")
    }

    @Test func aFallingScaleHasItsSmallestNumberFirst() throws {
        let control = try Self.control(Self.dial("min: 0, max: 9", "scale: -1"))
        expectEqual(control.deviceChoices, "a number from -9 to 0")
        expectEqual(control.deviceWord(of: Value(9)), "-9")
    }

    // MARK: Refusals

    @Test(arguments: [
        (
            "\(Base.radio), \(run), words: {xx: A}",
            "unknown-word: `xx` is not a value of this control; did you mean `x`? values: x, y"
        ),
        (
            "\(Base.radio), \(run), words: {x: A, y: A}",
            "same-word: `x` and `y` are both `A` for the device; "
                + "give each value another word; a report of the device must mean one of them"
        ),
        (
            "\(Base.radio), \(run), words: {x: \"1\", y: \"1.0\"}",
            "same-word: `x` and `y` are both `1.0` for the device; "
                + "give each value another word; a report of the device must mean one of them"
        ),
        (
            "\(bus), words: {x: none}",
            "same-word: `x` and no option at all are both `none` for the device; "
                + "give the option another word; a report of the device must mean one of them"
        ),
        (
            "\(Base.radio), \(run), words: {x: unknown}",
            "reserved-option: the word of `x` cannot be `unknown`, which means that the value is "
                + "not known; write another word, or remove it where the device says `unknown` for "
                + "no value"
        ),
        // `y` keeps its own word.
        (
            "\(Base.radio), \(run), words: {x: y}",
            "same-word: `x` and `y` are both `y` for the device; "
                + "give each value another word; a report of the device must mean one of them"
        ),
        (
            "\(Base.radio), words: {x: A}",
            "missing-key: `words` has no effect: nothing is said to a device, and nothing is heard "
                + "of one; add `action:`, or `feedback:` from a program, a service or messages, or "
                + "remove `words`"
        ),
        (
            "\(Base.dial), \(run), words: {\"1\": A}, scale: 2",
            "key-not-for-kind: `words` is not a valid key for `dial`; "
                + "a dial has numbers, not names: `scale` and `offset` translate them"
        ),
        (
            "\(Base.radio), \(run), words: {x: A}, scale: 2",
            "key-not-for-kind: `scale` is not a valid key for `radio-group`; "
                + "only the numbers of a `dial` have it; named values have `words`"
        ),
        (
            "\(Base.dial), \(run), scale: 0.0",
            "out-of-range: `scale` is 0, so every number would be the same; "
                + "write by what a number of the dial is multiplied, such as `2.54`"
        ),
        (
            "\(Base.dial), \(run), scale: 999999999999999",
            "out-of-range: the numbers of the device have more than 15 digits; "
                + "write a smaller `scale` or `offset`, or fewer decimals"
        ),
    ])
    func whatIsWrongIsSaid(keys: String, problem: String) {
        let problems = Self.reading(keys).problems.filter { $0.severity == .error }
        expectEqual(problems.map { "\($0.rule.name): \($0.text); \($0.help)" }, [problem])
    }

    @Test func theDevicesWordsAreTriedInAddresses() {
        let action = "action: {mqtt: {topic: \"a/{value}\", payload: x}, timeout: 1s}"
        let reading = KeyCase.read(
            "panel: P, board: none, mqtt: {url: \"mqtt://hub\"}, controls: {c: {\(Base.radio), "
                + "\(action), words: {x: \"#1\"}}}")
        expectEqual(
            reading.problems.map(\.text),
            ["the value `#1` makes `a/#1`, which is not a topic"])
    }
}
