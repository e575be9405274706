import DetentLanguage
import DetentPanel
import TestSupport
import Testing

@Suite struct QuickFixTests {
    private static let head = "panel: P\nboard: raspberry-pi-5\ncontrols:\n"

    /// The actions for each problem of a text.
    private func actions(_ text: String) -> [JSONValue] {
        var editor = Editor()
        editor.open("/panel.yaml", text)
        let end: JSONValue = ["line": .integer(999), "character": .integer(0)]
        let start: JSONValue = ["line": .integer(0), "character": .integer(0)]
        let found = editor.request(
            "textDocument/codeAction",
            [
                "textDocument": ["uri": "file:///panel.yaml"],
                "range": ["start": start, "end": end], "context": ["diagnostics": []],
            ])
        return found.items ?? []
    }

    @Test(arguments: [
        ("  a: {kind: swich, label: A, input: GPIO5}\n", "Write `switch`", "kind: switch"),
        (
            "  a: {kind: switch, label: A, input: GPIO5, debounce: 20}\n", "Write `20ms`",
            "debounce: 20ms"
        ),
        (
            "  a-b:\n    kind: switch\n    input: GPIO5\n", "Write `label: A B`",
            "    label: A B\n"
        ),
        (
            "  a: {kind: switch, label: A, input: GPIO5, row: 1, row: 2}\n", "Remove it",
            "row: 1, }"
        ),
        (
            "  a: {kind: button, label: A, input: GPIO5, action: {run: [a]}}\n",
            "Write `timeout: 5s`", "timeout: 5s"
        ),
        ("  a: {kind: switch, label: A}\n", "Write `input: GPIO4`", "input: GPIO4"),
    ])
    func aFixDoesWhatTheHelpSays(text: String, title: String, wanted: String) {
        let found = actions(Self.head + text)
        let titles = JSONValue.array(found).labels
        guard let fix = found.first(where: { $0["title"]?.text == title }) else {
            Issue.record("\(titles)")
            return
        }
        let edits = fix["edit"]?["changes"]?["file:///panel.yaml"]
        let new = Editor.edited(Self.head + text, edits)
        expectEqual(new.contains(wanted), true, Comment(rawValue: new))
    }

    /// Every fix of every faulty panel of the tests takes its problem away, and brings no error.
    @Test func everyFixRemovesItsProblem() throws {
        let folder = "Tests/Panel/DetentPanelTests/Fixtures/"
        var fixed = 0
        for source in try Fixtures.faulty(below: Repository.path(folder)) {
            let name = source.file
            let text = String(decoding: source.bytes, as: UTF8.self)
            // The editor has letters where the file has bytes that are none.
            let before = PanelReader.read(SourceText(file: name, text: text)).problems
            for action in actions(text) {
                let edits = action["edit"]?["changes"]?["file:///panel.yaml"]
                let new = Editor.edited(text, edits)
                let after = PanelReader.read(SourceText(file: name, text: new)).problems
                let errors = { (problems: [Problem]) in
                    problems.count { $0.severity == .error }
                }
                let said = action["diagnostics"]?.items?.first?["message"]?.text
                let same = { (problems: [Problem]) in problems.count { $0.text == said } }
                let title = "\(name): \(action["title"]?.text ?? "")"
                #expect(same(after) < same(before), "\(title) removes `\(said ?? "")`")
                #expect(errors(after) <= errors(before), "\(title) brings no error")
                fixed += 1
            }
        }
        #expect(fixed > 50, "\(fixed)")
    }

    @Test func aDifferenceIsOfWholeCharacters() {
        for (old, new) in [
            ("a😀b", "a😁b"), ("é", "è"), ("", "x"), ("x", ""), ("aa", "aaa"), ("ab", "ab"),
            ("a\u{301}", "a"), ("日本", "日木"),
        ] {
            let (range, text) = LanguageServer.difference(Array(old.utf8), Array(new.utf8))
            var bytes = Array(old.utf8)
            let isWhole = String(validating: bytes[range], as: UTF8.self) != nil
            bytes.replaceSubrange(range, with: text.utf8)
            expectEqual(String(decoding: bytes, as: UTF8.self), new)
            expectEqual(isWhole, true, "\(old)")
        }
    }
}
