@testable import DetentPanel

/// Helps that a machine cannot follow, by how they begin, and why.
enum Unfollowed {
    private static let choice = "it leaves the choice to people"
    private static let parts = "the part on the panel has to change, too"
    private static let other = "it is about another place than that of the problem"
    private static let list = "it lists keys, one of which may be meant"
    private static let form = "it tells a form, without an example that fits"

    static let all: [(help: String, reason: String)] = [
        ("remove one of", choice), ("keep ", choice), ("use ", choice), ("name ", choice),
        ("docs/symbols.md shows", choice),
        ("give ", choice), ("choose another", choice), ("merge ", choice),
        ("leave ", choice), ("move ", choice), ("let one", choice), ("shorten it", choice),
        ("compare with", choice), ("begin with a verb", choice), ("write another", choice),
        ("write a smaller", choice), ("write a shorter", choice), ("sample less", choice),
        ("write a value", choice), ("write a text", choice), ("write the value", choice),
        ("put quotation marks", form),
        ("measure it", parts), ("fit a resistor", parts), ("lines nearby", parts),
        ("J8 has", parts), ("write the current", parts), ("write `kind: switch`", parts),
        ("write `display: ", other), ("write `kind: checkbox` for it", other),
        ("swap them", other), ("remove it, or change its kind", "the list would be empty"),
        ("add the button", parts), ("add the contact", parts), ("add a display", parts),
        ("add one of", list), ("keys: ", list), ("its keys", list), ("valid for", list),
        ("indent ", list), ("write `line`", list), ("allowed: up to", choice),
        ("write text or a map", form), ("write a name", form), ("write each", form),
        ("write what controls", choice),
        ("write one ", form), ("write a number", form),
        ("write a time", form), ("units: ", form), ("an id has", form), ("round it", form),
        ("example: ", form), ("the finest number", form), ("the program name", form),
        ("`min` must", form), ("2 contacts code", form), ("such as", form),
        ("put quotes", form), ("check ", form), ("write what is sent", choice),
        ("add `device:`", parts), ("add `ends:`", parts), ("a ladder has", parts),
        ("write the samples", parts), ("write the bus", form),
        ("set it before the start", "a variable is outside the file"),
        ("ignore this", choice), ("begin with `panel", form), ("add `controls:`", form),
        ("add `multiple:`", form), ("add `after:`", form), ("add `green:`", parts),
        ("add `red:`", parts),
        ("add its `blue` line", parts), ("no shell is used; for one", form),
        ("did you mean `colors`?", "the value is that of another key"),
    ]

    /// Lists that are too long or too short, and keys of which one may be meant.
    private static func isChoice(_ problem: Problem) -> Bool {
        guard problem.help.hasPrefix("allowed: ") else { return false }
        let rules: [Rule] = [.unknownKey, .keyNotForKind]
        return rules.contains(problem.rule) || problem.text.contains("` has ")
    }

    /// The entry for a problem; nil if its help is followed.
    static func reason(for problem: Problem) -> String? {
        if isChoice(problem) || problem.help.contains(": …}`") { return form }
        return all.first { problem.help.hasPrefix($0.help) }?.help
    }
}
