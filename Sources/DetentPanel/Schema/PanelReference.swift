/// The documents of the panel file, made from the table of keys.
public enum PanelReference {
    /// `docs/reference/panel-file.md`; a test compares the file with this.
    public static var text: String { text(of: .builtIn) }

    static func text(of schema: Schema) -> String {
        var text = """
            # The panel file

            A YAML file that describes one panel. This page is made from the table that the parser
            checks by; `detent schema` prints the same as a JSON Schema for editors.

            Times carry a unit (\(units)); a bare number is an error.
            Booleans are `true` and `false`; `on`, `off`, `yes` and `no` are words. Unknown keys,
            keys that stand twice and values out of range are errors. One document a file; anchors,
            aliases, tags and merge keys are not allowed.

            A contact is active low with a pull-up unless it says otherwise (wired to ground, the
            usual way); lamps and outputs are active high.

            [What `detent check` finds](../lint.md) has every rule with examples;
            [the kinds](../kinds/README.md) have a page each, with wiring, events and a recipe.


            """
        text += kinds
        for section in schema.sections { text += self.section(section, of: schema) }
        text += patterns + later(schema) + limits
        return text
    }

    private static var units: String {
        DurationText.units.map { "`\($0.name)`" }.joined(separator: ", ")
    }

    private static var kinds: String {
        var text = "## Kinds\n\n| kind | what it is | needs | takes |\n|---|---|---|---|\n"
        for kind in Kind.all {
            let needs = kind.requires.map { group in
                group.map { "`\($0)`" }.joined(separator: " or ")
            }
            let needed = Set(kind.requires.joined() + ["kind", "label"])
            let takes = kind.keys.filter { !needed.contains($0) }.map { "`\($0)`" }
            text +=
                "| `\(kind.word)` | \(kind.summary) | \(needs.joined(separator: ", ")) | "
                + "\(takes.joined(separator: ", ")) |\n"
        }
        return text + "\n"
    }

    private static func section(_ section: Section, of schema: Schema) -> String {
        "## \(section.title)\n\n\(section.summary)\n\n" + table(schema.supported(in: section))
            + "\n"
    }

    /// A row for each key, with its default.
    static func table(_ keys: [KeySpec]) -> String {
        var text = "| key | value | default | meaning |\n|---|---|---|---|\n"
        for key in keys {
            let standard =
                key.isRequired ? "required" : key.standard.isEmpty ? "—" : key.standard
            text += "| `\(key.name)` | \(key.shape.summary) | \(standard) | \(key.summary) |\n"
        }
        return text
    }

    private static var patterns: String {
        """
        A lamp shows the value steadily: lit for on, dark for off. In any other condition it shows
        that condition's pattern, which has an on and an off variant.


        """
    }

    private static func later(_ schema: Schema) -> String {
        var text = "## Not supported yet\n\nThese words are known, and refused by this version:\n\n"
        var words: [String] = []
        for key in schema.keys where key.isLater && !words.contains("`\(key.name)`") {
            words.append("`\(key.name)`")
        }
        text += "Keys: \(words.joined(separator: ", ")).\n\n"
        return text
    }

    private static var limits: String {
        """
        ## Limits

        | what | most |
        |---|---|
        | bytes of a file | \(Limits.fileBytes) |
        | nesting | \(Limits.depth) |
        | values in a file | \(Limits.nodes) |
        | controls | \(Limits.controls) |
        | options of a choice | \(Limits.options) |
        | arguments of a program | \(Limits.arguments) |
        | characters of an argument | \(Limits.argumentCharacters) |
        | characters of other texts | \(Limits.textCharacters) |
        | characters of an id | \(Limits.idCharacters) |
        | decimals of a dial | \(Limits.decimals) |
        | problems that are shown | \(Limits.problems) |

        """
    }
}
