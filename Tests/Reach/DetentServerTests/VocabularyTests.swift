import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentServer

/// Console, HTTP and scenarios say the same gesture in their own form, and mean the same.
@Suite struct VocabularyTests {
    private static let root =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    private static let panel = "\(root)/panels/lab-supply/panel.yaml"

    private let plan: PanelPlan

    init() throws {
        plan = try #require(PanelReader.read(file: Self.panel).plan)
    }

    private func console(_ text: String) throws -> Gesture? {
        if case .gesture(let gesture) = try GestureTextReader(plan).request(text) {
            gesture
        } else {
            nil
        }
    }

    private func message(_ members: String) throws -> Gesture? {
        let json = try JSONReader.read(Array("{\(members)}".utf8))
        let command = try SimulationCommandReader(plan: plan, body: json).gesture(
            verb: json["verb"]?.text, control: json["control"]?.text, line: json["line"]?.text)
        if case .gesture(let gesture) = command { return gesture }
        return nil
    }

    private func problems(_ step: String) -> [Problem] { read(step).problems }

    private func scenario(_ step: String) -> Gesture? {
        guard case .apply(.gestures(let gestures))? = read(step).scenario?.steps.first?.work
        else { return nil }
        return gestures.first?.gesture
    }

    private func read(_ step: String) -> ScenarioReader.Reading {
        let text = "panel: \(Self.panel)\nsteps:\n  - \(step)\n"
        return ScenarioReader.read(SourceText(file: "vocabulary.yaml", text: text))
    }

    @Test(arguments: [
        ("press calibrate", #""verb": "press", "control": "calibrate""#, "press: calibrate"),
        ("release calibrate", #""verb": "release", "control": "calibrate""#, "release: calibrate"),
        ("click calibrate", #""verb": "click", "control": "calibrate""#, "click: calibrate"),
        (
            "hold calibrate 2s", #""verb": "hold", "control": "calibrate", "for": "2s""#,
            "hold: {calibrate: 2s}"
        ),
        (
            "flip output on", #""verb": "flip", "control": "output", "value": "on""#,
            "flip: {output: on}"
        ),
        (
            "turn set-point -3", #""verb": "turn", "control": "set-point", "value": -3"#,
            "turn: {set-point: -3}"
        ),
        (
            "select range 20 V", #""verb": "select", "control": "range", "value": "20 V""#,
            "select: {range: 20 V}"
        ),
        (
            "stick GPIO17 active", #""verb": "stick", "line": "GPIO17", "value": "active""#,
            "stick: {output: active}"
        ),
        (
            "stick GPIO17 off", #""verb": "stick", "line": "GPIO17", "value": "off""#,
            "stick: {output: inactive}"
        ),
        (
            "stick GPIO17 inactive", #""verb": "stick", "line": "GPIO17", "value": "inactive""#,
            "stick: {output: off}"
        ),
        ("cut GPIO17", #""verb": "cut", "line": "GPIO17""#, "cut: output"),
        ("restore GPIO17", #""verb": "restore", "line": "GPIO17""#, "restore: output"),
        (
            "glitch GPIO17 50us", #""verb": "glitch", "line": "GPIO17", "for": "50us""#,
            "glitch: {output: 50us}"
        ),
    ])
    func oneGestureInThreeForms(_ words: String, _ members: String, _ step: String) throws {
        let gesture = try #require(try console(words))
        expectEqual(try message(members), gesture)
        expectEqual(scenario(step), gesture, "\(problems(step).map(ProblemRenderer.text))")
    }

    @Test(arguments: GestureVerb.allCases) func everyVerbHasAFormAndASubject(verb: GestureVerb) {
        #expect(verb.form.hasPrefix(verb.rawValue + " "))
        #expect(verb.form.contains(verb.subject == .line ? "LINE" : "CONTROL"))
        #expect(GestureTextReader.forms.contains(verb.form))
    }

    @Test(arguments: [(-2, false), (-1, true), (0, true), (599, true), (600, false)])
    func aFailureHasTheSameCodesEverywhere(_ code: Int, _ isPossible: Bool) throws {
        let json = try JSONReader.read(Array(#"{"control": "output", "fail": \#(code)}"#.utf8))
        let command = Result { try SimulationCommandReader(plan: plan, body: json).simulation() }
        expectEqual(((try? command.get()) != nil), isPossible)
        expectEqual(problems("fail-action: {output: \(code)}").isEmpty, isPossible)
    }
}
