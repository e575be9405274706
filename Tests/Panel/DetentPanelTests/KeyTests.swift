import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

@Suite struct KeyTests {
    /// A new key of the table needs a case; a case needs a key.
    @Test func everyKeyHasACase() {
        // `RuleTests` tries those of `lint`, which change no plan.
        let tried = Schema.builtIn.keys.filter { $0.section != .lint && $0.name != "lint" }
        let keys = tried.map(\.caseName)
        let cases = KeyCase.all.map {
            $0.name.replacing("panel.line.", with: "line.")
                .replacing("panel.layout.", with: "layout.")
                .replacing("panel.group.", with: "group.")
                .replacing("panel.chip.", with: "chip.")
                .replacing("panel.defaults.", with: "defaults.")
                .replacing("panel.history.", with: "history.")
                .replacing("panel.mqtt.", with: "mqtt.")
                .replacing("panel.board.", with: "board.")
                .replacing("panel.indicator.", with: "indicator.")
                .replacing("panel.outputAction.", with: "outputAction.")
        }
        expectEqual(Set(keys).subtracting(cases), [])
        expectEqual(Set(cases).subtracting(keys), [])
        expectEqual(cases.count, Set(cases).count)
    }

    /// A section is known by its heading, and by its anchor in the documents and the schema.
    @Test func noTwoSectionsHaveOneHeading() {
        let sections = Set(Schema.builtIn.keys.map(\.section)).union(Section.common)
        expectEqual(Set(Section.common.map(\.anchor)).count, Section.common.count)
        expectEqual(Set(sections.map(\.anchor)).count, sections.count)
        #expect(sections.allSatisfy { $0.isActionKind != Section.common.contains($0) })
    }

    /// What the value alone shows has no key, and its word changes nothing.
    /// Only what shows others, or a device, blinks because of a value.
    @Test(arguments: [
        ("\(Base.button), indicator: B, patterns: {on: blink}", ["key-not-for-kind"]),
        ("\(Base.button), indicator: {line: B, patterns: {on: blink}}", ["key-not-for-kind"]),
        ("\(Base.button), indicator: B, patterns: {off: blink}", ["unknown-key"]),
        ("\(indicator), show: c is off, patterns: {on: blink}", []),
        ("\(indicator), show: c is off, patterns: {on: off}", ["same-pattern"]),
        // The lamp of another control can be loading, too.
        ("\(indicator), show: c, patterns: {on: blink}", ["same-pattern"]),
        ("\(indicator), show: c, patterns: {on: blink, loading: steady}", []),
        ("\(indicator), feedback: {watch: [x]}, patterns: {on: blink}", []),
        ("\(indicator), feedback: {watch: [x]}, patterns: {on: double-wink}", ["same-pattern"]),
    ]) func aValueHasAPatternOnAnIndicator(keys: String, rules: [String]) {
        let text = KeyCase.panel(keys)
        let reading = PanelReader.read(SourceText(file: "p", text: text))
        expectEqual(reading.problems.map(\.rule.name), rules, "\(reading.problems)")
    }

    private static let indicator =
        "\(Base.lever)}, i: {kind: indicator, label: Alarm, indicator: L"

    @Test func thePanelsPatternsHaveNoneOfOn() {
        let reading = KeyCase.read(
            "panel: P, board: none, patterns: {on: blink}, controls: {c: {\(Base.lever)}}")
        expectEqual(reading.problems.map(\.rule.name), ["key-not-for-kind"])
    }

    @Test(arguments: KeyCase.all) func isAcceptedAndHasItsEffect(_ key: KeyCase) throws {
        let reading = key.read(adding: key.good)
        let errors = reading.problems.filter { $0.severity == .error }
        expectEqual(ProblemRenderer.text(errors), "")
        let plan = try #require(reading.plan)
        #expect(key.effect(plan))
        if let without = key.read(adding: "").plan {
            #expect(!key.effect(without), "the effect is there without the key")
        }
    }

    @Test(arguments: KeyCase.all) func isRejected(_ key: KeyCase) {
        let reading = key.read(adding: key.bad)
        #expect(reading.plan == nil)
        let rules = reading.problems.filter { $0.severity == .error }.map(\.rule.name)
        #expect(rules.contains(key.rule), "\(rules)")
    }

    /// A press that is on while it is held does not come back on with the power.
    @Test(arguments: ["momentary", "tap-or-hold", "{tap-or-hold: 200ms}"])
    func whatIsHeldStartsOff(latch: String) throws {
        for base in [Base.toggle, Base.lever] {
            let text = "panel: P, board: none, controls: {c: {\(base), latch: \(latch)}}"
            let plan = try #require(KeyCase.read(text).plan)
            expectEqual(plan.first.startup.rule, .value(.off))
        }
        let plan = try #require(
            KeyCase.read("panel: P, board: none, controls: {c: {\(Base.latched)}}").plan)
        expectEqual(plan.first.startup.rule, .saved)
    }

    @Test func aBodyHasNoNUL() {
        let reading = KeyCase.read(
            "panel: P, board: none, controls: {c: {\(Base.lever), "
                + "action: {http: {put: \"http://h\", body: \"a\\0b\"}, timeout: 1s}}}")
        expectEqual(reading.problems.map(\.rule.name), ["invalid-argument"])
    }

    /// Each kind refuses the keys that mean nothing for it, and names the kinds that they are for.
    @Test func keysBelongToKinds() {
        let reading = KeyCase.read(
            "panel: P, board: none, controls: {c: {\(Base.button), mismatch: follow}}")
        expectEqual(reading.problems.map(\.rule.name), ["key-not-for-kind"])
        expectEqual(
            reading.problems[0].help,
            "valid for: switch, checkbox, radio-group, segmented, three-way, dial")
    }
}

extension KeySpec {
    /// The name of its `KeyCase`: the heading of its section in one word, such as `multiClick`, and
    /// the key.
    var caseName: String {
        guard !section.isActionKind else { return "\(section.title).\(name)" }
        let words = section.title.split { !$0.isLetter }
        return words.dropFirst().reduce(words[0].lowercased()) {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        } + ".\(name)"
    }
}
