import TestSupport
import Testing

@testable import DetentPanel

/// The default that the documents print is the one that the reader uses.
@Suite struct DefaultTests {
    /// Without the keys of `lint`, which change no plan: `RuleTests` tries them.
    static let keys = Schema.builtIn.keys
        .filter { $0.defaultValue.value != nil && $0.section != .lint }
        .map(\.caseName)

    @Test(arguments: keys) func aMissingKeyMeansItsPrintedDefault(key name: String) throws {
        let key = try #require(Schema.builtIn.keys.first { $0.caseName == name })
        let value = try #require(key.defaultValue.value)
        let example = try #require(
            KeyCase.all.first { $0.name == name || $0.name == "panel.\(name)" })
        // A selector that fits a code has too few contacts for one for each option.
        let text =
            name == "selector.code"
            ? KeyCase.panel(Base.coded) : example.text(adding: example.good)
        let entry = try #require(Self.entry(key.name, in: text), "\(text)")
        let written = Self.plan(text.replacing(entry, with: "\(key.name): \(value)"))
        let missing = Self.plan(Self.without(entry, text))
        expectEqual(try #require(written), (try #require(missing, "\(Self.without(entry, text))")))
    }

    /// Few keys have a rule as their default; a value that is printed as one would not be tested.
    @Test func defaultsInWordsAreNoValues() {
        for key in Schema.builtIn.keys
        where key.defaultValue.value == nil && !key.defaultValue.text.isEmpty {
            let log = ProblemLog(SourceText(file: "", bytes: []))
            let place = SourcePlace(line: 1, column: 1)
            let node = YAMLNode(.scalar(key.defaultValue.text, isPlain: true), at: place)
            switch key.shape {
            case .text, .arguments, .body, .raw, .expectation: continue
            case .words, .boolean, .integer, .decimal, .duration, .measure,
                .line, .list, .address, .texts,
                .section, .actions, .linesByOption, .valuesByControl, .valuesByWord, .wordsByValue,
                .controls, .defaults,
                .named, .anyOf:
                SchemaCheck(log: log, schema: .builtIn).check(node, key.shape, key.name)
                let isLatch = key.name == "latch"
                #expect(log.hasErrors || isLatch, "\(key.caseName)")
            }
        }
    }

    /// Every key that the reader looks up is a key of the schema: a misspelt one would be nil.
    @Test func theReaderLooksUpKeysOfTheSchema() throws {
        let known = Set(Schema.builtIn.keys.map(\.name))
        var count = 0
        for folder in ["Reading", "Kinds", "Lint"] {
            let path = Repository.path("Sources/Panel/DetentPanel/\(folder)")
            for file in Repository.names(in: path) {
                let bytes = try SourceText.read(file: "\(path)/\(file)").bytes
                let text = String(decoding: bytes, as: UTF8.self)
                for match in text.matches(
                    of: /[A-Za-z\])?]\[\"([a-z-]+)\"\]|\.key\(\"([a-z-]+)\"\)/)
                {
                    guard let name = match.output.1 ?? match.output.2 else { continue }
                    count += 1
                    #expect(known.contains(String(name)), "\(file): `\(name)`")
                }
            }
        }
        #expect(count > 100)
    }

    private static func plan(_ text: String) -> PanelPlan? {
        PanelReader.read(SourceText(file: "panel.yaml", text: text)).plan
    }

    /// The last entry of a key in a text in flow form, such as `settle: 150ms`.
    private static func entry(_ key: String, in text: String) -> String? {
        let source = SourceText(file: "", text: text)
        guard let root = YAMLReader.read(source, log: ProblemLog(source)) else { return nil }
        var found: YAMLEntry?
        func search(_ node: YAMLNode) {
            for entry in node.entries ?? [] {
                if entry.name == key { found = entry }
                search(entry.value)
            }
            for item in node.items ?? [] { search(item) }
        }
        search(root)
        guard let found else { return nil }
        let start = found.key.place.column - 1
        let end = found.value.place.column - 1 + found.value.place.length
        return String(text.dropFirst(start).prefix(end - start))
    }

    private static func without(_ entry: String, _ text: String) -> String {
        for separated in [", " + entry, entry + ", "] where text.contains(separated) {
            return text.replacing(separated, with: "")
        }
        return text.replacing(entry, with: "")
    }
}
