import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentPanel

/// What is made from the table of keys. `DETENT_RECORD=1` writes the document anew.
@Suite struct DocumentTests {
    @Test func referenceIsUpToDate() throws {
        let path = Repository.path("docs/reference/panel-file.md")
        if getenv("DETENT_RECORD") != nil { Folder.write(PanelReference.text, to: path) }
        let bytes = try SourceText.read(file: path).bytes
        expectEqual(String(decoding: bytes, as: UTF8.self), PanelReference.text)
    }

    @Test func rulesAreUpToDate() throws {
        let path = Repository.path("docs/lint.md")
        if getenv("DETENT_RECORD") != nil { Folder.write(LintDocument.text, to: path) }
        let bytes = try SourceText.read(file: path).bytes
        expectEqual(String(decoding: bytes, as: UTF8.self), LintDocument.text)
    }

    @Test func everyKeyAndRuleIsDocumented() {
        let text = PanelReference.text
        for key in Schema.builtIn.keys { #expect(text.contains("`\(key.name)`"), "\(key.name)") }
        let rules = LintDocument.text
        for rule in Rule.all { #expect(rules.contains("\n| `\(rule.name)` | "), "\(rule.name)") }
        expectEqual(Set(Rule.all.map(\.name)).count, Rule.all.count)
    }

    /// JSON is YAML, so our own reader reads it; a key may have 32 levels, which it has not.
    @Test func schemaIsJSONAndHasEveryKey() throws {
        let source = SourceText(file: "schema.json", text: JSONSchema.text)
        let log = ProblemLog(source)
        let root = try #require(YAMLReader.read(source, log: log))
        #expect(log.problems.isEmpty)
        let parts = try #require(root["$defs"])
        for section in Schema.builtIn.sections where section != .control {
            let name = section.title.lowercased().replacing(" ", with: "-")
            let keys = parts[name]?["properties"]?.entries?.map(\.name)
            expectEqual(keys, Schema.builtIn.keys(in: section).map(\.name), "\(name)")
        }
        for kind in Kind.all {
            let keys = parts["control-\(kind.word)"]?["properties"]?.entries?.map(\.name)
            expectEqual(keys, Schema.builtIn.keys(of: kind))
            let defaults = parts["keys-\(kind.word)"]
            expectEqual(defaults?["properties"]?.entries?.map(\.name), keys)
            #expect(defaults?["required"] == nil)
        }
        for line in JSONSchema.text.split(separator: "\"") where line.hasPrefix("#/$defs/") {
            #expect(parts[String(line.dropFirst(8))] != nil, "\(line)")
        }
    }

    /// Every key of a section can be said only once, and every kind's keys exist.
    @Test func tableIsSound() {
        for (section, keys) in Schema.builtIn.bySection {
            expectEqual(Set(keys.map(\.name)).count, keys.count, "\(section)")
        }
        let control = Set(Schema.builtIn.keys(in: .control).map(\.name))
        for kind in Kind.all {
            expectEqual(Set(kind.requires.joined() + kind.allows).subtracting(control), [])
        }
        let used = Set(Kind.all.flatMap(Schema.builtIn.keys))
        expectEqual(control.subtracting(used), [], "a key that no kind takes")
    }
}
