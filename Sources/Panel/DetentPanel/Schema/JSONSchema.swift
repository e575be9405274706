import DetentTypes

/// The panel file as a JSON Schema (draft 2020-12), made from the table of keys.
///
/// Editors use it to complete keys and to mark mistakes. `detent check` is stricter: it also
/// checks lines against the board, and keys that depend on each other.
public enum JSONSchema {
    /// The schema, ending with a line feed; the same text for the same version.
    public static var text: String { text(of: .builtIn) }

    static func text(of schema: Schema) -> String {
        let sections = schema.sections.filter { $0 != .panel && $0 != .control }
        let kinds = schema.kinds.map { ("control-\($0.word)", object($0, schema)) }
        let defaults = schema.kinds.map { kind in
            let keys = schema.keys(in: .control).filter { schema.keys(of: kind).contains($0.name) }
            return ("keys-\(kind.word)", object(keys, kind.summary, required: []))
        }
        let parts = sections.map { section in
            let choice = schema.choice(in: section)
            return (
                name(section),
                object(
                    schema.keys(in: section), section.summary,
                    further: choice.isEmpty ? [] : [oneOf(choice)])
            )
        }
        let first = [
            ("panel", panel(schema)), ("control", control(schema.kinds)),
            ("member", member(schema.kinds)),
            ("keys", object(schema.keys(in: .control), Section.control.summary, required: [])),
        ]
        let document: JSONValue = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Detent panel file", "$ref": "#/$defs/panel",
            "$defs": .object(first + kinds + defaults + parts),
        ]
        return document.pretty
    }

    private static func name(_ section: Section) -> String {
        section.title.lowercased().replacing(" ", with: "-")
    }

    private static func reference(_ name: String) -> JSONValue {
        ["$ref": .string("#/$defs/\(name)")]
    }

    /// The whole file. With defaults, no control can be said to lack a key.
    private static func panel(_ schema: Schema) -> JSONValue {
        let hasControls: JSONValue = [
            "anyOf": [["required": ["controls"]], ["required": ["groups"]]]
        ]
        let complete: JSONValue = [
            "if": ["not": ["required": ["defaults"]]],
            "then": [
                "properties": ["controls": byName(reference("control"), atMost: Limits.controls)]
            ],
        ]
        let keys = schema.keys(in: .panel)
        return object(keys, Section.panel.summary, further: [hasControls, complete])
    }

    /// A control that can have keys by default.
    private static func member(_ kinds: [Kind]) -> JSONValue {
        let choices = kinds.map { kind -> JSONValue in
            let isKind: JSONValue = ["kind": ["const": .string(kind.word)]]
            return [
                "if": ["properties": isKind, "required": ["kind"]],
                "then": reference("keys-\(kind.word)"),
            ]
        }
        return [
            "type": "object", "description": .string(Section.control.summary),
            "required": ["label"],
            "properties": ["kind": ["enum": strings(kinds.map(\.word))]],
            "allOf": .array(choices + [reference("keys")]),
        ]
    }

    /// Selects the schema of the control's kind; otherwise an editor would show the errors of every
    /// kind.
    private static func control(_ kinds: [Kind]) -> JSONValue {
        let choices = kinds.map { kind -> JSONValue in
            let isKind: JSONValue = ["kind": ["const": .string(kind.word)]]
            return [
                "if": ["properties": isKind, "required": ["kind"]],
                "then": reference("control-\(kind.word)"),
            ]
        }
        return [
            "type": "object", "description": .string(Section.control.summary),
            "required": ["kind", "label"],
            "properties": ["kind": ["enum": strings(kinds.map(\.word))]],
            "allOf": .array(choices),
        ]
    }

    private static func object(_ kind: Kind, _ schema: Schema) -> JSONValue {
        let own = schema.keys(of: kind)
        let keys = schema.keys(in: .control).filter { own.contains($0.name) }
        let parts = kind.requires.filter {
            kind.canLackPart && $0.contains(where: Kind.contacts.contains)
        }
        let alone = kind.requires.filter { $0.count == 1 && !parts.contains($0) }.map { $0[0] }
        let groups = kind.requires.filter { $0.count > 1 && !parts.contains($0) }
        let required = keys.filter { $0.isAlwaysRequired || alone.contains($0.name) }
            .map(\.name)
        return object(
            keys, kind.summary, required: required,
            further: groups.map(oneOf) + parts.map(contactOrNoPart))
    }

    /// Exactly one of these contacts, or `part: none`.
    private static func contactOrNoPart(_ keys: [String]) -> JSONValue {
        let contacts: [JSONValue] = keys.map { ["required": [.string($0)]] }
        let noPart: JSONValue = [
            "required": ["part"], "properties": ["part": ["const": .string(FacePart.noPart)]],
        ]
        return ["oneOf": .array(contacts + [noPart])]
    }

    /// Exactly one of these keys.
    private static func oneOf(_ keys: [String]) -> JSONValue {
        ["oneOf": .array(keys.map { ["required": [.string($0)]] })]
    }

    private static func object(
        _ keys: [KeySpec], _ summary: String, required: [String]? = nil, further: [JSONValue] = []
    ) -> JSONValue {
        let required = required ?? keys.filter(\.isAlwaysRequired).map(\.name)
        return [
            "type": "object", "description": .string(summary), "additionalProperties": false,
            "required": required.isEmpty ? nil : strings(required),
            "allOf": further.isEmpty ? nil : .array(further),
            "properties": .object(keys.map { ($0.name, property($0)) }),
        ]
    }

    private static func property(_ key: KeySpec) -> JSONValue {
        var text = key.summary
        if !key.defaultValue.text.isEmpty { text += " Default: \(key.defaultValue.text)." }
        guard case .object(let members) = value(key.shape) else { return value(key.shape) }
        return .object([("description", .string(text))] + members)
    }

    private static func value(_ shape: Shape) -> JSONValue {
        switch shape {
        case .text, .body, .raw, .expectation:
            return ["type": ["string", "number"]]
        case .words(let words):
            let numbers = words.compactMap { YAMLNode.integer($0) }.map {
                JSONValue.integer(Int64($0))
            }
            return ["enum": .array(words.map { .string($0) } + numbers)]
        case .boolean: return ["type": "boolean"]
        case .integer(let range):
            return [
                "type": "integer", "minimum": .whole(range.lowerBound),
                "maximum": .whole(range.upperBound),
            ]
        case .decimal: return ["type": "number"]
        case .duration:
            let units = DurationText.units.map(\.name).joined(separator: "|")
            return text(like: "^[0-9]+(\\.[0-9]+)?(\(units))$")
        case .measure(let measure, _):
            return text(like: "^[0-9]+\(measure.hasDecimal ? "(\\.[0-9])?" : "")\(measure.unit)$")
        case .line: return ["anyOf": [["type": "string"], reference("line")]]
        case .arguments: return list(value(.text), 1...Limits.arguments)
        case .address(let form): return text(like: form.pattern)
        case .texts(let range): return byName(value(.text), atMost: range.upperBound)
        case .list(let item, let range): return list(value(item), range)
        case .section(let section): return reference(name(section))
        case .actions:
            return [
                "anyOf": [["enum": ["none"]], reference("action"), map(reference("action"))]
            ]
        case .linesByOption:
            return ["anyOf": [map(value(.line)), list(value(.line), 1...Limits.options)]]
        case .valuesByControl:
            return byName(value(.anyOf([.text, .section(.change)])), atMost: Limits.steps)
        case .valuesByWord(let range), .wordsByValue(let range):
            return byWord(value(.text), range)
        case .controls: return byName(reference("member"), atMost: Limits.controls)
        case .defaults(let kind): return reference("keys" + (kind.map { "-\($0)" } ?? ""))
        case .named(let section, let range):
            return byName(reference(name(section)), atMost: range.upperBound)
        case .anyOf(let shapes): return ["anyOf": .array(shapes.map(value))]
        }
    }

    private static func strings(_ texts: [String]) -> JSONValue {
        .strings(texts)
    }

    private static func text(like pattern: String) -> JSONValue {
        ["type": "string", "pattern": .string(pattern)]
    }

    private static func map(_ value: JSONValue) -> JSONValue {
        ["type": "object", "additionalProperties": value]
    }

    /// A map with names of any form.
    private static func byWord(_ value: JSONValue, _ range: ClosedRange<Int>) -> JSONValue {
        [
            "type": "object", "minProperties": .whole(range.lowerBound),
            "maxProperties": .whole(range.upperBound), "additionalProperties": value,
        ]
    }

    private static func byName(_ value: JSONValue, atMost count: Int) -> JSONValue {
        [
            "type": "object", "minProperties": 1,
            "maxProperties": .whole(count),
            "propertyNames": ["pattern": .string("^[a-z0-9-]{1,\(Limits.idCharacters)}$")],
            "additionalProperties": value,
        ]
    }

    private static func list(_ item: JSONValue, _ range: ClosedRange<Int>) -> JSONValue {
        [
            "type": "array", "minItems": .whole(range.lowerBound),
            "maxItems": .whole(range.upperBound), "items": item,
        ]
    }
}
