/// The panel file as a JSON Schema (draft 2020-12), made from the table of keys.
///
/// Editors use it to complete keys and to mark mistakes. `detent check` is stricter: it also
/// checks lines against the board, and keys that depend on each other.
public enum JSONSchema {
    /// The schema, ending with a line feed; the same text for the same version.
    public static var text: String { text(of: .builtIn) }

    static func text(of schema: Schema) -> String {
        let sections = schema.sections.filter { $0 != .panel && $0 != .control }
        let kinds = Kind.all.map { ("control-\($0.word)", object($0)) }
        let parts = sections.map { section in
            let choice = schema.choice(in: section)
            return (
                name(section),
                object(
                    schema.supported(in: section), section.summary,
                    further: choice.isEmpty ? [] : [oneOf(choice)])
            )
        }
        let members: [(String, JSONValue)] = [
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string("Detent panel file")),
            ("$ref", .string("#/$defs/panel")),
            (
                "$defs",
                .object(
                    [
                        ("panel", object(schema.supported(in: .panel), Section.panel.summary)),
                        ("control", control),
                    ] + kinds + parts)
            ),
        ]
        return JSONValue.object(members).pretty
    }

    private static func name(_ section: Section) -> String {
        section.title.lowercased().replacing(" ", with: "-")
    }

    private static func reference(_ name: String) -> JSONValue {
        .object([("$ref", .string("#/$defs/\(name)"))])
    }

    /// Selects the schema of the control's kind; otherwise an editor would show the errors of every
    /// kind.
    private static var control: JSONValue {
        let choices = Kind.all.map { kind in
            JSONValue.object([
                (
                    "if",
                    .object([
                        (
                            "properties",
                            .object([("kind", .object([("const", .string(kind.word))]))])
                        ),
                        ("required", .array([.string("kind")])),
                    ])
                ),
                ("then", reference("control-\(kind.word)")),
            ])
        }
        let words = Kind.all.map { JSONValue.string($0.word) }
        return .object([
            ("type", .string("object")),
            ("description", .string(Section.control.summary)),
            ("required", .array([.string("kind"), .string("label")])),
            ("properties", .object([("kind", .object([("enum", .array(words))]))])),
            ("allOf", .array(choices)),
        ])
    }

    private static func object(_ kind: Kind) -> JSONValue {
        let keys = Schema.builtIn.supported(in: .control).filter { kind.keys.contains($0.name) }
        let alone = kind.requires.filter { $0.count == 1 }.map { $0[0] }
        let groups = kind.requires.filter { $0.count > 1 }
        let required = keys.filter { $0.isRequired || alone.contains($0.name) }.map(\.name)
        return object(keys, kind.summary, required: required, further: groups.map(oneOf))
    }

    /// Exactly one of these keys.
    private static func oneOf(_ keys: [String]) -> JSONValue {
        .object([
            ("oneOf", .array(keys.map { .object([("required", .array([.string($0)]))]) }))
        ])
    }

    private static func object(
        _ keys: [KeySpec], _ summary: String, required: [String]? = nil, further: [JSONValue] = []
    ) -> JSONValue {
        let required = required ?? keys.filter(\.isRequired).map(\.name)
        var members: [(String, JSONValue)] = [
            ("type", .string("object")),
            ("description", .string(summary)),
            ("additionalProperties", .bool(false)),
        ]
        if !required.isEmpty { members.append(("required", .array(required.map { .string($0) }))) }
        if !further.isEmpty { members.append(("allOf", .array(further))) }
        members.append(("properties", .object(keys.map { ($0.name, property($0)) })))
        return .object(members)
    }

    private static func property(_ key: KeySpec) -> JSONValue {
        var text = key.summary
        if !key.standard.text.isEmpty { text += " Default: \(key.standard.text)." }
        guard case .object(let members) = value(key.shape) else { return value(key.shape) }
        return .object([("description", .string(text))] + members)
    }

    private static func value(_ shape: Shape) -> JSONValue {
        switch shape {
        case .text, .body:
            return .object([("type", .array([.string("string"), .string("number")]))])
        case .words(let words, _):
            let numbers = words.compactMap { YAMLNode.integer($0) }.map {
                JSONValue.integer(Int64($0))
            }
            return .object([("enum", .array(words.map { .string($0) } + numbers))])
        case .boolean:
            return .object([("type", .string("boolean"))])
        case .integer(let range):
            return .object([
                ("type", .string("integer")), ("minimum", .integer(Int64(range.lowerBound))),
                ("maximum", .integer(Int64(range.upperBound))),
            ])
        case .decimal:
            return .object([("type", .string("number"))])
        case .duration:
            let units = DurationText.units.map(\.name).joined(separator: "|")
            return text(like: "^[0-9]+(\\.[0-9]+)?(\(units))$")
        case .percent:
            return text(like: "^[0-9]+%$")
        case .current:
            return text(like: "^[0-9]+mA$")
        case .length:
            return text(like: "^[0-9]+(\\.[0-9])?mm$")
        case .line:
            return .object([
                ("anyOf", .array([.object([("type", .string("string"))]), reference("line")]))
            ])
        case .arguments:
            return list(value(.text), 1...Limits.arguments)
        case .address(let form):
            return text(like: form.pattern)
        case .texts(let range):
            return byName(value(.text), atMost: range.upperBound)
        case .list(let item, let range):
            return list(value(item), range)
        case .section(let section):
            return reference(name(section))
        case .actions:
            return .object([
                (
                    "anyOf",
                    .array([
                        reference("action"),
                        .object([
                            ("type", .string("object")),
                            ("additionalProperties", reference("action")),
                        ]),
                    ])
                )
            ])
        case .linesByOption:
            let map = JSONValue.object([
                ("type", .string("object")), ("additionalProperties", value(.line)),
            ])
            return .object([("anyOf", .array([map, list(value(.line), 1...Limits.options)]))])
        case .valuesByControl:
            return byName(value(.text), atMost: Limits.steps)
        case .valuesByWord(let range): return byWord(value(.text), range)
        case .controls:
            return byName(reference("control"), atMost: Limits.controls)
        case .named(let section, let range):
            return byName(reference(name(section)), atMost: range.upperBound)
        case .anyOf(let shapes):
            return .object([("anyOf", .array(shapes.map(value)))])
        }
    }

    private static func text(like pattern: String) -> JSONValue {
        .object([("type", .string("string")), ("pattern", .string(pattern))])
    }

    /// A map with names of any form.
    private static func byWord(_ value: JSONValue, _ range: ClosedRange<Int>) -> JSONValue {
        .object([
            ("type", .string("object")), ("minProperties", .integer(Int64(range.lowerBound))),
            ("maxProperties", .integer(Int64(range.upperBound))), ("additionalProperties", value),
        ])
    }

    private static func byName(_ value: JSONValue, atMost count: Int) -> JSONValue {
        .object([
            ("type", .string("object")), ("minProperties", .integer(1)),
            ("maxProperties", .integer(Int64(count))),
            (
                "propertyNames",
                .object([("pattern", .string("^[a-z0-9-]{1,\(Limits.idCharacters)}$"))])
            ),
            ("additionalProperties", value),
        ])
    }

    private static func list(_ item: JSONValue, _ range: ClosedRange<Int>) -> JSONValue {
        .object([
            ("type", .string("array")), ("minItems", .integer(Int64(range.lowerBound))),
            ("maxItems", .integer(Int64(range.upperBound))), ("items", item),
        ])
    }
}
