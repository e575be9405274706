/// The documents of the panel file, made from the table of keys.
public enum PanelReference {
    /// `docs/reference/panel-file.md`; a test compares the file with this.
    public static var text: String { text(of: .builtIn) }

    static func text(of schema: Schema) -> String {
        var text = """
            # The panel file

            A YAML file that describes one panel. This page is generated from the parser's
            table; `detent schema` prints the same as a JSON Schema for editors.

            Times need a unit (\(units)); a bare number is an error.
            Booleans are `true` and `false`; `on`, `off`, `yes` and `no` are words. Unknown keys,
            duplicate keys and values out of range are errors. A file has one document; anchors,
            aliases, tags and merge keys are not allowed.

            By default, a contact is active low with a pull-up (wired to ground, as usual); lamps
            and outputs are active high.

            [What `detent check` finds](../lint.md) lists every rule; each of
            [the kinds](../kinds/README.md) has a page with wiring, events and a recipe.


            """
        text += kinds(of: schema)
        for section in schema.sections { text += self.section(section, of: schema) }
        text += patterns + limits
        return text
    }

    private static var units: String {
        DurationText.units.map { "`\($0.name)`" }.joined(separator: ", ")
    }

    private static func kinds(of schema: Schema) -> String {
        var text = "## Kinds\n\n| kind | description | requires | allows |\n|---|---|---|---|\n"
        for kind in schema.kinds {
            let needs = kind.requires.map { group in
                group.map { "`\($0)`" }.joined(separator: " or ")
            }
            let needed = Set(kind.requires.joined() + ["kind", "label"])
            let takes = schema.keys(of: kind).filter { !needed.contains($0) }.map { "`\($0)`" }
            text +=
                "| `\(kind.word)` | \(kind.summary) | \(needs.joined(separator: ", ")) | "
                + "\(takes.joined(separator: ", ")) |\n"
        }
        return text + "\n"
    }

    private static func section(_ section: Section, of schema: Schema) -> String {
        "## \(section.title)\n\n\(section.summary)\n\n" + table(schema.keys(in: section))
            + "\n"
    }

    /// A row for each key, with its default.
    static func table(_ keys: [KeySpec]) -> String {
        var text = "| key | value | default | meaning |\n|---|---|---|---|\n"
        for key in keys {
            let fallback =
                key.isRequired
                ? "required" : key.defaultValue.text.isEmpty ? "—" : key.defaultValue.text
            text += "| `\(key.name)` | \(key.shape.summary) | \(fallback) | \(key.summary) |\n"
        }
        return text
    }

    private static var patterns: String {
        """
        A lamp shows the value steadily: lit for on, dark for off. In any other condition it shows
        the pattern of that condition, which has an on and an off variant.


        """
    }

    private static var limits: String {
        """
        ## Limits

        | item | limit |
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
