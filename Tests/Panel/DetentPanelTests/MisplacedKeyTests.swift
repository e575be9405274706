import TestSupport
import Testing

@testable import DetentPanel

/// What a person sees who has written a key in a wrong place, or forgotten quotes.
@Suite struct MisplacedKeyTests {
    static let misplaced: [(keys: String, help: String)] = [
        ("kind: dial, min: 5", "write `range: {min: 5, max: 100}` and remove `min`; "),
        ("kind: dial, wrap: on", "write `range: {min: 0, max: 100, wrap: on}` and remove `wrap`; "),
        ("kind: dial, range: {min: 0, max: 9}, wrap: true", "`wrap` belongs in `range`; "),
        ("kind: button, input: A, active: low", "`active` belongs in `input` or `indicator`; "),
        ("kind: button, input: A, timeout: 1s", "`timeout` belongs in `action`; "),
        ("kind: switch, input: A, run: [x]", "`run` belongs in `action`; "),
    ]

    @Test(arguments: misplaced) func aKeyIsSentToTheKeyThatHoldsIt(
        _ keys: String, _ help: String
    ) throws {
        let problems = read("{panel: P, board: none, controls: {c: {label: C, \(keys)}}}")
        let problem = try #require(problems.first { $0.rule == .unknownKey })
        #expect(problem.help.hasPrefix(help + "allowed: kind, "), "\(problem.help)")
    }

    @Test(arguments: [
        ("kind: switch, sw: A", "input"), ("kind: button, Pin: A", "input"),
        ("kind: button, input: A, led: B", "indicator"),
        ("kind: switch, input: A, relay: B", "output"),
        ("kind: dial, clk: A", "encoder"), ("kind: button, input: A, command: x", "action"),
        ("kind: button, input: A, title: x", "label"), ("type: button, input: A", "kind"),
        // Near enough to a key, and no other name of one.
        ("kind: button, input: A, lable: x", "label"),
    ])
    func anotherNameOfAKeyIsKnown(_ keys: String, _ key: String) throws {
        let problems = read("{panel: P, board: none, controls: {c: {\(keys)}}}")
        let problem = try #require(problems.first { $0.rule == .unknownKey })
        #expect(problem.help.hasPrefix("did you mean `\(key)`? allowed: "), "\(problem.help)")
    }

    /// A panel itself has no contact.
    @Test func anotherNameOfAKeyThatDoesNotFitIsNotSuggested() throws {
        let problems = read("{panel: P, board: none, pin: A, controls: {}}")
        let problem = try #require(problems.first { $0.rule == .unknownKey })
        #expect(!problem.help.contains("`input`"), "\(problem.help)")
    }

    @Test(arguments: [
        ("kind: dial, range: [0, 100]", "write `range: {min: 0, max: 100}`; keys: min, max, "),
        ("kind: button, input: A, action: [x]", "write `action: {run: …}`; keys: run, "),
    ])
    func aMapThatIsSomethingElseHasAnExample(_ keys: String, _ help: String) throws {
        let problems = read("{panel: P, board: none, controls: {c: {label: C, \(keys)}}}")
        let problem = try #require(problems.first { $0.rule == .wrongType })
        #expect(problem.help.hasPrefix(help), "\(problem.help)")
    }

    @Test func aFileWithoutANameIsCalledAFile() throws {
        let problems = read("{board: none, controls: {}}")
        expectEqual(problems.first?.text, "the file has no `panel`")
    }

    @Test func keysThatAreNotIndentedBelowTheirControlAreNamed() {
        let problems = read(
            """
            panel: P
            board: none
            controls:
              lamp:
              kind: switch
              input: A
            """)
        expectEqual(
            problems.map(\.text),
            [
                "`lamp` must be a map, not nothing",
                "`kind` is not the id of a control",
                "`input` is not the id of a control",
            ])
        expectEqual(problems.first?.help.hasPrefix("indent its keys below it; keys: kind, "), true)
        expectEqual(problems.last?.help.hasPrefix("indent it by two more spaces"), true)
    }

    @Test func aControlThatIsNotIndentedBelowControlsIsNamed() throws {
        let problems = read(
            """
            panel: P
            board: none
            controls:
            lamp:
              kind: switch
            """)
        let problem = try #require(problems.first { $0.rule == .unknownKey })
        #expect(problem.help.hasPrefix("indent `lamp` below `controls`; "))
    }

    @Test func aControlMayHaveTheNameOfAKey() {
        let panel = "{panel: P, board: none, controls: {range: {kind: switch, label: R, input: A}}}"
        #expect(read(panel).isEmpty)
    }

    /// The remedy for a command line is itself accepted when it is written into the file.
    @Test(arguments: [
        "psu {value}", "curl -d {\"a\":1} http://h/", "sh -c - #5 * a:b 'x' ~ null Null on 5",
    ])
    func theListForACommandLineCanBeCopied(_ line: String) throws {
        let text = line.replacing("'", with: "''")
        let problems = read(control("{run: '\(text)', timeout: 1s}"))
        let problem = try #require(problems.first { $0.rule == .wrongType })
        let list = problem.help.split(separator: "`")[1]
        #expect(read(control("{run: \(list), timeout: 1s}")).isEmpty, "\(list)")
    }

    @Test func aPlaceholderWithoutQuotesIsGivenThem() throws {
        let problems = read(control("{run: [x, {value}], timeout: 1s}"))
        expectEqual(try #require(problems.first).help, "write it in quotes: `\"{value}\"`")
    }

    private func control(_ action: String) -> String {
        """
        panel: P
        board: none
        controls:
          c:
            kind: switch
            label: C
            input: A
            action: \(action)
        """
    }

    private func read(_ panel: String) -> [Problem] {
        PanelReader.read(SourceText(file: "panel.yaml", bytes: Array(panel.utf8))).problems
    }
}
