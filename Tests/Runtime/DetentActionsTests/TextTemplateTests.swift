import DetentTypes
import TestSupport
import Testing

@testable import DetentActions

/// Words of values in the texts of actions.
@Suite struct TextTemplateTests {
    private func filled(
        _ text: String, _ value: String, in language: TextTemplate.Language = .plain
    ) -> String {
        TextTemplate(text, in: language).filled(
            with: ActionWords(value: value, previous: "{value}", control: "c", origin: "panel"))
    }

    /// The names of a control and of its group, encoded as a value is.
    @Test func controlsAndGroupsAreNamed() {
        let words = ActionWords(
            value: "on", previous: "off", control: "pump-1", origin: "panel", group: "Pump Room")
        func filled(_ text: String, in language: TextTemplate.Language = .plain) -> String {
            TextTemplate(text, in: language).filled(with: words)
        }
        expectEqual(filled("{group}/{control}/{CONTROL}"), "Pump Room/pump-1/PUMP_1")
        expectEqual(filled("http://h/{group}", in: .address), "http://h/Pump%20Room")
        expectEqual(filled(#"{"g": "{group}"}"#, in: .json), #"{"g": "Pump Room"}"#)
    }

    @Test func onlyPlaceholdersAreReplaced() {
        expectEqual(filled("{value}-{other}-{control}", "a"), "a-{other}-c")
        expectEqual(filled("{previous}", "a"), "{value}", "a word is not read again")
    }

    @Test(arguments: [
        (
            TextTemplate.Language.address, "http://h/s/{value}?v={value}", "R&B",
            "http://h/s/R%26B?v=R%26B"
        ),
        (.address, "http://h/{value}", "Scene #2/50 %", "http://h/Scene%20%232%2F50%20%25"),
        (.address, "http://h/{value}", "Küche", "http://h/K%C3%BCche"),
        (.address, "http://h/{value}", "a-b.c_d~1", "http://h/a-b.c_d~1"),
        (.json, #"{"t": "{value}"}"#, #"The "Live" \ Show"#, #"{"t": "The \"Live\" \\ Show"}"#),
        (.json, #"{"t": "a\"{value}"}"#, #"""#, #"{"t": "a\"\""}"#),
        (.json, #"["{value}", {value}]"#, "1\u{1}", "[\"1\\u0001\", 1\u{1}]"),
        (.json, #"{"t": {value}}"#, "12", #"{"t": 12}"#),
        (.json, "{value}", #"a"b"#, #"a"b"#), (.json, "set {value}", #"a"b"#, #"set a"b"#),
        (.json, "{power {value}}", #"a"b"#, #"{power a"b}"#),
        (.plain, #"{"t": "{value}"}"#, #"a"b"#, #"{"t": "a"b"}"#),
    ])
    func wordsObeyTheLanguageAroundThem(
        language: TextTemplate.Language, text: String, value: String, expected: String
    ) {
        expectEqual(filled(text, value, in: language), expected)
    }

    @Test func namesOfOtherControlsAreReplaced() {
        let words = ActionWords(
            value: "v", previous: "", control: "c", origin: "panel", others: ["X", "R&B"])
        func filled(_ text: String, _ language: TextTemplate.Language = .plain) -> String {
            TextTemplate(text, in: language, others: ["axis", "long-name-of.shown"])
                .filled(with: words)
        }
        expectEqual(filled("{axis}{value}{step}"), "Xv{step}")
        expectEqual(filled("${axis}"), "${axis}", "a variable of a shell")
        expectEqual(filled("http://h/{long-name-of.shown}", .address), "http://h/R%26B")
    }

    @Test func namesThatCanBeThoseOfControlsAreFound() {
        expectEqual(
            TextTemplate.names(in: "{axis} {axis.shown} ${HOME} {value} {1} {a b} {} {{deep}}"),
            ["axis", "axis.shown", "deep"])
        expectEqual(TextTemplate.names(in: #"{"power": {level}, "x": {"y": 1}}"#), ["level"])
    }
}
