import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Names of options that mean no value where values are read.
@Suite struct OptionNameTests {
    @Test(arguments: [
        ("", "unknown", ["reserved-option"]),
        ("selection: multiple", "unknown", ["reserved-option"]),
        ("selection: multiple", "none", ["reserved-option"]), ("", "Unknown", []),
        ("selection: momentary", "unknown", []), ("selection: multiple", "None", []),
        ("", "none", ["option-at-home-assistant"]), ("", "NONE", ["option-at-home-assistant"]),
        ("", "unavailable", ["option-at-home-assistant"]),
        ("", "\" Radio\"", ["option-at-home-assistant"]), ("", "Nones", []),
    ])
    func aNameThatMeansNoValueIsTold(selection: String, name: String, rules: [String]) {
        func names(_ discovery: String) -> [String] {
            let text =
                "panel: P, board: none, mqtt: {url: \"mqtt://hub\", discovery: \(discovery)}, "
                + "controls: {c: {kind: segmented, label: Source, buttons: [A, B], "
                + "options: [Line, \(name)]\(selection.isEmpty ? "" : ", " + selection)}}"
            return KeyCase.read(text).problems.map(\.rule.name).filter {
                $0 == "reserved-option" || $0 == "option-at-home-assistant"
            }
        }
        expectEqual(names("homeassistant"), rules)
        expectEqual(names("off"), rules.filter { $0 == "reserved-option" })
    }
}
