import TestSupport
import Testing

@testable import DetentPanel

/// A rule with the panels of docs/rules.txt.
struct RuleCase: Sendable, CustomTestStringConvertible {
    let rule: Rule
    let breaks: [String]
    let keeps: String

    var testDescription: String { rule.name }

    static let all = RuleExample.all.map {
        RuleCase(rule: $0.rule, breaks: $0.breaks, keeps: $0.keeps)
    }

    /// Further rules that a breaking panel gives, where one mistake is two.
    static let also: [String: Set<String>] = [
        // The one board with such a pin has it from one source.
        "pin-input-only": ["pin-unverified"]
    ]

    /// The rules that a panel may give besides its own.
    var alsoGiven: Set<String> { Self.also[rule.name] ?? [] }

    /// Rules that no small file can show, each with what shows it.
    static let withoutFile: [(rule: Rule, problems: @Sendable () -> [Problem])] = [
        (.unreadableFile, { PanelReader.read(file: "/nonexistent/panel.yaml").problems }),
        (.fileTooLarge, { PanelReader.read(file: "/proc/self/exe").problems }),
        (
            .yamlTooManyNodes,
            { read("panel: [" + String(repeating: "a,", count: 110_000) + "]") }
        ),
        (.tooManyProblems, { read((0..<1_500).map { "key\($0): x\n" }.joined()) }),
        (
            .tooManyControls,
            {
                let controls = (0..<1_001).map {
                    "  c\($0): {kind: button, label: Start, input: A\($0)}\n"
                }
                return read("panel: P\nboard: none\ncontrols:\n" + controls.joined())
            }
        ),
    ]

    /// Reads a panel on a machine that is no known board.
    static func read(_ text: String) -> [Problem] {
        PanelReader.read(
            SourceText(file: "panel.yaml", text: text), deviceTree: "/nonexistent"
        ).problems
    }
}
