@testable import DetentPanel

/// `docs/lint.md`, made from the table of rules.
enum LintDocument {
    static var text: String {
        var text = introduction
        text += "| rule | severity | what is wanted |\n|---|---|---|\n"
        for rule in Rule.all {
            text += "| `\(rule.name)` | \(rule.severity) | \(rule.summary) |\n"
        }
        return text
    }

    private static let introduction = """
        # What `detent check` finds

        An **error** keeps a panel from being loaded. A **warning** does not: the panel works, but
        people will stumble over it; `--strict` makes warnings errors. Every message ends with the
        name of its rule in brackets. `--format json` and `--format sarif` say the same to programs:

            detent check --strict --format sarif panels/*.yaml > detent.sarif

        is a step of continuous integration whose file a code host shows beside the lines.

        Rules of wording know English, and only what is surely wrong. A label with letters beyond A
        to Z, or without a small word such as `of`, is taken for another language and left alone.
        Labels in capitals throughout pass. A panel that knows better switches a warning off by the
        name of its rule:

            lint: {label-title-case: off, button-verb: off}

        Some mistakes have no rule, because no file can contain them: a lamp that flashes more than
        three times a second (patterns are words, and none of them is faster), a button that is both
        primary and destructive (`role` is one word), a row that both selects and fires
        (`selection` is one word), and a group of checkboxes on a lever (its `input` is always a
        push button).

        `detent check --explain RULE` shows a rule with its reason, a panel that breaks it, the
        message, and a panel that keeps it. This table is made from the one that the program uses.


        """
}
