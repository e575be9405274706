import DetentLanguage
import DetentPanel
import TestSupport
import Testing

@Suite struct LanguageServerTests {
    private let panel = """
        panel: Hall
        board: raspberry-pi-5
        controls:
          main:
            kind: switch
            label: Main
            input: GPIO5
          fan:
            kind: dial
            label: Fan
            encoder: {a: GPIO23, b: GPIO24}
            range: {min: 0, max: 10}
            enabled-when: main is on

        """

    // MARK: Life

    @Test func aServerLivesAsTheProtocolSays() {
        var server = LanguageServer(version: "1.2.3")
        let early = server.handle(["id": .integer(1), "method": "textDocument/hover"])
        expectEqual(early.first?["error"]?["code"], .integer(-32_002))
        let start = server.handle(["id": .integer(2), "method": "initialize", "params": [:]])
        expectEqual(start.first?["result"]?["serverInfo"]?["version"], "1.2.3")
        expectEqual(
            start.first?["result"]?["capabilities"]?["positionEncoding"], "utf-16")
        let unknown = server.handle(["id": "a", "method": "workspace/nothing"])
        expectEqual(unknown.first?["error"]?["code"], .integer(-32_601))
        expectEqual(unknown.first?["id"], "a")
        let cancelled = server.handle(
            ["id": .integer(3), "method": "textDocument/hover"], isCancelled: true)
        expectEqual(cancelled.first?["error"]?["code"], .integer(-32_800))
        let closed = server.handle([
            "id": .integer(4), "method": "textDocument/hover",
            "params": [
                "textDocument": ["uri": "file:///a"],
                "position": ["line": .integer(0), "character": .integer(0)],
            ],
        ])
        expectEqual(closed.first?["error"]?["code"], .integer(-32_602))
        expectEqual(
            server.handle(["id": .integer(5), "method": "shutdown"]).first?["result"], .null)
        let late = server.handle(["id": .integer(6), "method": "textDocument/hover"])
        expectEqual(late.first?["error"]?["code"], .integer(-32_600))
        expectEqual(server.exitCode, nil)
        _ = server.handle(["method": "exit"])
        expectEqual(server.exitCode, 0)
        var impatient = LanguageServer(version: "")
        _ = impatient.handle(["method": "exit"])
        expectEqual(impatient.exitCode, 1)
    }

    // MARK: Problems

    @Test func problemsFollowChanges() {
        var editor = Editor()
        editor.open("/panel.yaml", panel)
        var said = editor.published()
        expectEqual(said.map(\.uri), ["file:///panel.yaml"])
        expectEqual(said.first?.problems, [])
        let line: JSONValue = [
            "start": ["line": .integer(6), "character": .integer(11)],
            "end": ["line": .integer(6), "character": .integer(16)],
        ]
        editor.change("/panel.yaml", line, "GPIO99")
        editor.change("/panel.yaml", nil, editor.texts["/panel.yaml"]?.text ?? "")
        said = editor.published()
        expectEqual(said.map(\.version), [3])
        let problem = said.first?.problems.first
        expectEqual(problem?["code"], "unknown-line")
        expectEqual(problem?["severity"], .integer(1))
        expectEqual(
            problem?["range"],
            [
                "start": ["line": .integer(6), "character": .integer(11)],
                "end": ["line": .integer(6), "character": .integer(17)],
            ])
        expectEqual(problem?["message"]?.text?.contains("help: did you mean `GPIO9`?"), true)
        editor.note(
            "textDocument/didClose", ["textDocument": ["uri": "file:///panel.yaml"]])
        expectEqual(editor.published().first?.problems, [])
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func placesCountUnitsOfUTF16InLinesOfAnyEnd(end: String) {
        var editor = Editor()
        // A line separator ends a line of YAML, and none of the editor.
        let text = [
            "\u{FEFF}panel: \"🎛️ é\"", "board: none # 🎛\u{2028}# more", "controls:",
            "  a: {label: \"😀😀\", kind: swtch, input: X}", "",
        ].joined(separator: end)
        editor.open("/panel.yaml", text)
        let problem = editor.published().first?.problems.first
        expectEqual(problem?["code"], "unknown-word")
        expectEqual(
            problem?["range"],
            [
                "start": ["line": .integer(3), "character": .integer(27)],
                "end": ["line": .integer(3), "character": .integer(32)],
            ])
        let actions = editor.request(
            "textDocument/codeAction",
            [
                "textDocument": ["uri": "file:///panel.yaml"], "range": problem?["range"],
                "context": ["diagnostics": []],
            ])
        let edit = actions.items?.first?["edit"]?["changes"]?["file:///panel.yaml"]
        expectEqual(
            Editor.edited(text, edit), text.replacing("swtch", with: "switch"))
    }

    @Test func problemsNameTheOtherPlace() {
        var editor = Editor()
        editor.open("/panel.yaml", panel.replacing("GPIO23", with: "GPIO5"))
        let problem = editor.published().first?.problems.first
        expectEqual(problem?["code"], "pin-used-twice")
        let other = problem?["relatedInformation"]?.items?.first?["location"]
        expectEqual(other?["uri"], "file:///panel.yaml")
        expectEqual(other?["range"]?["start"]?["line"], .integer(6))
    }

    @Test(arguments: [
        ("/boards/x.yaml", "id: x\nsoc: y\nheaders: {}\nfoo: 1\n", "unknown-key"),
        ("/bounce/x.yaml", "id: x\ncloses: 3\n", "invalid-duration"),
        ("/a.scenario.yaml", "panel: /nowhere.yaml\nsteps: []\n", "unreadable-file"),
    ])
    func filesOfEachKindAreRead(path: String, text: String, rule: String) {
        var editor = Editor()
        editor.open(path, text)
        let rules = editor.published().first?.problems.compactMap { $0["code"]?.text } ?? []
        expectEqual(rules.contains(rule), true, "\(rules)")
    }

    @Test func aScenarioFollowsItsOpenPanel() {
        var editor = Editor()
        editor.open("/panel.yaml", panel)
        editor.open("/a.scenario.yaml", "panel: panel.yaml\nsteps:\n  - flip: {main: on}\n")
        expectEqual(editor.published().map(\.problems.count), [0, 0])
        editor.change("/panel.yaml", nil, panel.replacing("main", with: "other"))
        let said = editor.published()
        expectEqual(said.map(\.uri), ["file:///panel.yaml", "file:///a.scenario.yaml"])
        expectEqual(said.last?.problems.first?["code"], "unknown-control")
    }

    // MARK: Controls

    @Test func controlsAreFoundAndRenamedInThePanelAndItsScenarios() {
        var editor = Editor()
        editor.open("/panel.yaml", panel)
        let scenario = "panel: panel.yaml\nsteps:\n  - flip: {main: on}\n  - expect: {main: on}\n"
        editor.open("/a.scenario.yaml", scenario)
        let place: JSONValue = [
            "textDocument": ["uri": "file:///panel.yaml"],
            "position": ["line": .integer(12), "character": .integer(20)],
            "newName": "master", "context": ["includeDeclaration": true],
        ]
        let definition = editor.request("textDocument/definition", place)
        expectEqual(definition["range"]?["start"]?["line"], .integer(3))
        expectEqual(
            editor.request("textDocument/prepareRename", place)["placeholder"], "main")
        let uses = editor.request("textDocument/references", place)
        expectEqual(uses.items?.count, 4)
        let changes = editor.request("textDocument/rename", place)["changes"]
        expectEqual(
            Editor.edited(panel, changes?["file:///panel.yaml"]),
            panel.replacing("main", with: "master"))
        expectEqual(
            Editor.edited(scenario, changes?["file:///a.scenario.yaml"]),
            scenario.replacing("main", with: "master"))
        for (name, cause) in [("fan", "duplicate key"), ("No Id", "is not an id")] {
            let refused = editor.request(
                "textDocument/rename",
                [
                    "textDocument": ["uri": "file:///panel.yaml"],
                    "position": ["line": .integer(3), "character": .integer(3)],
                    "newName": .string(name),
                ])
            expectEqual(refused["code"], .integer(-32_803))
            expectEqual(refused["message"]?.text?.contains(cause), true, "\(refused.line)")
        }
    }

    @Test func controlsOfGroupsAreFound() {
        var editor = Editor()
        let text = """
            panel: P
            board: none
            groups:
              - {name: G, controls: {main: {kind: switch, label: Main, input: X}}}
            controls:
              fan: {kind: button, label: Fan, input: Y, enabled-when: ma│in is on}
            """
        let definition = editor.ask("definition", text)
        expectEqual(definition["range"]?["start"]?["line"], .integer(3))
        let file: JSONValue = ["textDocument": ["uri": "file:///panel.yaml"]]
        let symbols = editor.request("textDocument/documentSymbol", file).items ?? []
        let groups = symbols.first { $0["name"] == "groups" }?["children"]?.items ?? []
        expectEqual(groups.compactMap { $0["name"]?.text }, ["main"])
        let keys = editor.ask(
            "completion", text.replacing("│", with: "") + "\ndefaults: {switch: {│}}"
        ).labels
        expectEqual(keys.contains("debounce"), true, "\(keys)")
    }

    @Test func theDefinitionIsInThePanelOfAScenario() {
        var editor = Editor()
        editor.open("/p/panel.yaml", panel)
        let text = "panel: ../p/panel.yaml\nsteps:\n  - flip: {ma│in: on}\n"
        let control = editor.ask("definition", text, path: "/s/a.scenario.yaml")
        expectEqual(control["uri"], "file:///p/panel.yaml")
        expectEqual(control["range"]?["start"]?["line"], .integer(3))
        let file = editor.ask(
            "definition", text.replacing("│", with: "").replacing("../p/pa", with: "../p/pa│"),
            path: "/s/a.scenario.yaml")
        expectEqual(file["uri"], "file:///p/panel.yaml")
    }

    // MARK: Hover

    @Test(arguments: [
        ("    inp│ut: GPIO5", "The contact"), ("    input: GPI│O5", "Used by Main"),
        ("    input: GPI│O5", "pin 29 of J8"), ("    kind: swi│tch", "On or off"),
        ("    ki│nd: switch", "What the control is"), ("enabled-when: ma│in", "**Main**, switch"),
        ("board: rasp│berry-pi-5", "Raspberry Pi 5"), ("{min: │0", "The lowest number"),
        ("range: {m│in", "The lowest number"),
    ])
    func hoverSaysWhatAWordMeans(marked: String, wanted: String) {
        var editor = Editor()
        let plain = marked.replacing("│", with: "")
        expectEqual(panel.contains(plain), true, Comment(rawValue: plain))
        let found = editor.ask("hover", panel.replacing(plain, with: marked))
        let text = found["contents"]?["value"]?.text ?? ""
        expectEqual(text.contains(wanted), true, Comment(rawValue: text))
    }

    // MARK: Outline

    @Test func symbolsAndFoldsFollowTheFile() {
        var editor = Editor()
        editor.open("/panel.yaml", panel)
        let file: JSONValue = ["textDocument": ["uri": "file:///panel.yaml"]]
        let symbols = editor.request("textDocument/documentSymbol", file).items ?? []
        expectEqual(symbols.compactMap { $0["name"]?.text }, ["panel", "board", "controls"])
        let controls = symbols.last?["children"]?.items ?? []
        expectEqual(controls.compactMap { $0["name"]?.text }, ["main", "fan"])
        expectEqual(controls.compactMap { $0["detail"]?.text }, ["Main, switch", "Fan, dial"])
        let folds = editor.request("textDocument/foldingRange", file).items ?? []
        expectEqual(
            folds.map { "\($0["startLine"]?.whole ?? -1)-\($0["endLine"]?.whole ?? -1)" },
            ["2-12", "3-6", "7-12"])
    }

    // MARK: Hostile editors

    @Test func oddMessagesEndNothing() {
        var editor = Editor()
        let far: JSONValue = [
            "line": .integer(.max), "character": .integer(.max),
        ]
        editor.open("/panel.yaml", "panel: x\n\u{1F600}")
        editor.change("/panel.yaml", ["start": far, "end": ["line": .integer(0)]], "x")
        editor.change(
            "/panel.yaml",
            ["start": far, "end": ["line": .integer(0), "character": .integer(0)]], "y")
        editor.note("textDocument/didOpen", ["textDocument": ["uri": .integer(3)]])
        editor.note("textDocument/didChange", [])
        for method in [
            "completion", "hover", "definition", "references", "rename", "prepareRename",
            "codeAction", "documentSymbol", "foldingRange",
        ] {
            for position in [far, .null, ["line": "x"]] {
                _ = editor.request(
                    "textDocument/" + method,
                    [
                        "textDocument": ["uri": "file:///panel.yaml"], "position": position,
                        "range": ["start": position, "end": position], "newName": "x",
                    ])
            }
        }
        expectEqual(editor.published().count, 1)
        for number in 0..<70 { editor.open("/\(number).yaml", "panel: x\n") }
        let last = editor.ask("hover", "pan│el: x\n", path: "/70.yaml")
        expectEqual(last["code"], .integer(-32_602))
    }
}
