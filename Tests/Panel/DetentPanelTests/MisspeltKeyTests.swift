import TestSupport
import Testing

@testable import DetentPanel

/// One mistake is one error: a required key that is misspelt is unknown, and not missing as well.
@Suite struct MisspeltKeyTests {
    static let misspelt: [(panel: String, key: String)] = [
        ("{panle: P, board: none, controls: {c: {kind: switch, label: C, input: A}}}", "panel"),
        ("{panel: P, board: none, contrls: {c: {kind: switch, label: C, input: A}}}", "controls"),
        (control("knid: switch, label: C, input: A"), "kind"),
        (control("kind: switch, lable: C, input: A"), "label"),
        (control("kind: switch, label: C, inputt: A"), "input"),
        (control("kind: switch, label: C, levr: {on: A, off: B}"), "lever"),
        (control("kind: toggle-button, label: C, inptu: A"), "input"),
        (control("kind: three-way, label: C, levver: {up: A, down: B}"), "lever"),
        (control("kind: dial, label: C, encodr: {a: A, b: B}, range: {min: 0, max: 9}"), "encoder"),
        (control("kind: dial, label: C, encoder: {a: A, b: B}, rnge: {min: 0, max: 9}"), "range"),
        (control("kind: radio-group, label: C, buttons: [A, B], optoins: [x, y]"), "options"),
        (control("kind: radio-group, label: C, buttns: [A, B], options: [x, y]"), "buttons"),
        (control("kind: checkbox-group, label: C, input: A, membrs: [d]"), "members"),
        (control("kind: indicator, label: C, indicator: A, shwo: c"), "show"),
    ]

    @Test(arguments: misspelt) func isOneError(_ panel: String, _ key: String) throws {
        let problems = read(panel).filter { $0.severity == .error }
        expectEqual(problems.map(\.rule), [.unknownKey], "\(problems.map(\.text))")
        #expect(try #require(problems.first).help.hasPrefix("did you mean `\(key)`?"))
    }

    /// Another unknown key explains nothing.
    @Test func missingKeyIsStillReported() {
        let rules = read(Self.control("kind: switch, label: C, colour: red")).map(\.rule)
        expectEqual(rules.sorted { $0.name < $1.name }, [.missingKey, .unknownKey])
    }

    /// The key that is there is not the one that is missing.
    @Test func aSecondSpellingExplainsNothing() {
        let rules = read(Self.control("kind: dial, label: C, encoder: {a: A, b: B}, encodr: D"))
        expectEqual(Set(rules.map(\.rule)), [.missingKey, .unknownKey])
    }

    private static func control(_ keys: String) -> String {
        "{panel: P, board: none, controls: {c: {\(keys)}}}"
    }

    private func read(_ panel: String) -> [Problem] {
        PanelReader.read(SourceText(file: "panel.yaml", bytes: Array(panel.utf8))).problems
    }
}
