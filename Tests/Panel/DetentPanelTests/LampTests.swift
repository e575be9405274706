import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Lamps of a panel file beyond their single keys.
@Suite struct LampTests {
    static func read(_ controls: String, _ keys: String = "") -> PanelReader.Reading {
        KeyCase.read("panel: P, board: none, \(keys) controls: {\(controls)}")
    }

    static func rules(_ controls: String, _ keys: String = "") -> [String] {
        read(controls, keys).problems.map(\.rule.name)
    }

    static let green = "indicator: {red: R, green: G"
    static let lamp = "kind: switch, label: Lamp, input: A"

    @Test func yellowIsAmber() throws {
        let plan = try #require(
            Self.read("c: {\(Self.lamp), \(Self.green), colors: {on: yellow}}}").plan)
        expectEqual(plan.first.indicator.colors[.on], .amber)
    }

    @Test func aThreeWayLeverMayHaveALampForEachPosition() throws {
        let lever = "kind: three-way, label: Gear, lever: {up: U, down: D}"
        let plan = try #require(Self.read("c: {\(lever), indicator: [L0, L1, L2]}").plan)
        expectEqual(plan.first.indicator.style, .perOption)
        expectEqual(plan.first.indicator.lines.count, 3)
        expectEqual(Self.rules("c: {\(lever), indicator: [L0, L1]}"), ["options-do-not-fit"])
    }

    /// A panel's blue is for the lamps that have one; the others keep what they show without it.
    @Test func aPanelsColorsAreForLampsThatCanMakeThem() throws {
        let reading = Self.read(
            "c: {\(Self.lamp), \(Self.green)}}, "
                + "d: {kind: button, label: Go, input: B, indicator: {red: C, green: D, blue: E}}",
            "colors: {loading: blue},")
        #expect(reading.problems.isEmpty)
        let controls = try #require(reading.plan).controls
        expectEqual(controls[0].settings.indicator.colors, ColorChoice())
        expectEqual(controls[1].settings.indicator.colors[.loading], .blue)
        expectEqual(controls[1].settings.indicator.colors[.failed], .red)
    }

    @Test func aLampsColorsComeBeforeThePanels() throws {
        let plan = try #require(
            Self.read(
                "c: {\(Self.lamp), \(Self.green), colors: {fault: green}}}",
                "colors: {fault: amber, failed: amber},"
            ).plan)
        expectEqual(plan.first.indicator.colors[.fault], .green)
        expectEqual(plan.first.indicator.colors[.failed], .amber)
    }

    @Test func linesOfALampMayDiffer() throws {
        let plan = try #require(
            Self.read("c: {\(Self.lamp), indicator: {red: {line: R, active: low}, green: G}}").plan)
        expectEqual(plan.lines.map(\.isActiveLow), [true, true, false])
    }

    @Test(arguments: [
        ("red: R", "missing-key"), ("green: G, blue: B", "missing-key"),
        ("red: R, blue: B", "missing-key"), ("blue: B", "missing-key"),
        ("red: R, green: G, pin: 3", "conflicting-keys"),
        ("red: R, green: G, active: low", "conflicting-keys"),
        ("red: R, green: G, lines: [X, Y]", "conflicting-keys"),
        ("red: R, green: R", "pin-used-twice"),
        ("line: L, brightness: 0%", "out-of-range"), ("line: L, brightness: 101%", "out-of-range"),
        ("line: L, brightness: 4.5%", "invalid-number"),
        ("line: L, brightness: half", "invalid-number"),
    ])
    func whatIsNoLamp(_ keys: String, _ rule: String) {
        #expect(Self.rules("c: {\(Self.lamp), indicator: {\(keys)}}").contains(rule))
    }

    /// Where a pattern or a light makes two conditions one, it is told once, at its place.
    @Test(arguments: [
        ("patterns: {failed: blink}", "same-pattern"),
        ("patterns: {failed: steady}", "same-pattern"),
        ("patterns: {confirm: blink}", "same-pattern"),
        ("patterns: {failed: wink}, \(green)}", "color-only"),
        ("\(green), patterns: {failed: blink, loading: blink}}", "color-only"),
        ("\(green), patterns: {mixed: slow-wink}}, members: [d]", "same-pattern"),
        ("patterns: {loading: breathe}, members: [d]", "same-pattern"),
        // What has no members is never mixed.
        ("patterns: {loading: breathe}", ""),
        ("\(green), patterns: {mixed: slow-wink}}", ""),
        ("\(green), colors: {off: red}}", "color-only"),
        ("\(green), colors: {off: green}}", "same-pattern"),
        ("\(green), colors: {on: off}}", "same-pattern"),
        ("\(green), colors: {fault: off}}", "same-pattern"),
        ("patterns: {failed: breathe, mixed: flash-burst}", ""),
        ("\(green), colors: {failed: amber, loading: red}}", ""),
    ])
    func conditionsThatLookAlike(_ keys: String, _ rule: String) {
        let other = Self.lamp.replacing("A", with: "B").replacing("Lamp", with: "Bulb")
        expectEqual(
            Self.rules("c: {\(Self.lamp), \(keys)}, d: {\(other)}"), rule.isEmpty ? [] : [rule])
    }

    /// A pattern of the panel, and an indicator that shows a control, look at all of them.
    @Test(arguments: [("", []), ("members: [d], ", ["same-pattern"])])
    func onlyAPanelWithMembersIsMixed(members: String, rules: [String]) {
        let other = Self.lamp.replacing("A", with: "B").replacing("Lamp", with: "Bulb")
        let two = "c: {\(members)\(Self.lamp)}, d: {\(other)}"
        expectEqual(Self.rules(two, "patterns: {loading: breathe},"), rules)
        let third = ", e: {kind: indicator, label: Sign, show: c, indicator: L, "
        expectEqual(Self.rules("\(two)\(third)patterns: {loading: breathe}}"), rules)
    }

    @Test func aPanelsPatternsAndColorsAreLookedAtOnce() {
        let other = Self.lamp.replacing("A", with: "B").replacing("Lamp", with: "Bulb")
        let two = "c: {\(Self.lamp), indicator: L}, d: {\(other)}"
        expectEqual(Self.rules(two, "patterns: {stale: wink},"), ["same-pattern"])
        expectEqual(Self.rules(two, "colors: {off: red},"), ["color-only"])
    }

    @Test func theDimmerIsADialAndTheTestAButton() {
        let both =
            "b: {\(Base.button)}, v: {kind: dial, label: V, encoder: {a: X, b: Y}, "
            + "range: {min: 0, max: 9}}"
        expectEqual(Self.rules(both, "dimmer: v, lamp-test: b,"), [])
        expectEqual(Self.rules(both, "dimmer: b, lamp-test: v,"), ["unknown-word", "unknown-word"])
        let problem = Self.read(both.replacing("v:", with: "volume:"), "dimmer: volum,").problems[0]
        expectEqual(problem.text, "`dimmer` must be the id of a `dial`, not `volum`")
        expectEqual(problem.help, "did you mean `volume`? allowed: volume")
        expectEqual(
            Self.read("b: {\(Base.button)}", "dimmer: b,").problems[0].help, "add such a control")
    }

    /// The engine of a panel file dims and tests.
    @Test func theEngineFollows() throws {
        let plan = try #require(
            Self.read(
                "b: {\(Base.button), indicator: L}, v: {kind: dial, label: V, "
                    + "encoder: {a: X, b: Y}, range: {min: 0, max: 10}, default: 5, indicator: M}",
                "dimmer: v, lamp-test: b,"
            ).plan)
        let storage = EngineStorage(for: plan.capacity)
        var engine = try plan.makeEngine(in: storage)
        var lit: Set<UInt16> = []
        func take(_ effect: Effect) {
            guard case .indicate(let line, let level) = effect else { return }
            if level == .active { lit.insert(line.index) } else { lit.remove(line.index) }
        }
        engine.handle(.start, at: .zero) { effect, _ in take(effect) }
        expectEqual(lit, [4])
        expectEqual(engine.nextDeadline, .zero + .milliseconds(5), "half of 10 ms")
        let pressed = Instant.zero + .milliseconds(7)
        engine.handle(.edge(LineID(0), .active, sequence: 0), at: pressed) { effect, _ in
            take(effect)
        }
        engine.handle(.tick, at: pressed + .milliseconds(1)) { effect, _ in take(effect) }
        expectEqual(lit, [1, 4])
    }
}
