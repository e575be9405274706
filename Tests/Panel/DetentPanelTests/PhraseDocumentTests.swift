import TestSupport
import Testing

@testable import DetentPanel

/// The table of docs/from-other-projects.md: each line is a control that is read without a problem.
@Suite struct PhraseDocumentTests {
    /// The controls that the lines name.
    private static let others = """
          lamp: {kind: toggle-button, label: Lamp, input: A}
          scene: {kind: radio-group, label: Scene, buttons: [B, C], options: [Reading, Film]}
          level: {kind: dial, label: Level, encoder: {a: D, b: E}, range: {min: 0, max: 100}}
          axis: {kind: radio-group, label: Axis, selector: [F, G], options: [X, Y]}

        """

    private static func rows() throws -> [String] {
        let bytes = try SourceText.read(file: Repository.path("docs/from-other-projects.md")).bytes
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && $0.contains("`kind:") }
            .compactMap { $0.split(separator: "|").last { $0.contains("`kind:") } }
            .map { String($0.drop { $0 == " " }.dropFirst().prefix { $0 != "`" }) }
    }

    @Test func everyLineIsRead() throws {
        let rows = try Self.rows()
        #expect(rows.count >= 30)
        for row in rows {
            let text =
                "panel: P\nboard: none\nmqtt: {url: \"mqtt://broker.lan\"}\ncontrols:\n"
                + Self.others + "  it: {\(row)}\n"
            let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
            expectEqual(ProblemRenderer.text(reading.problems), "", "\(row)")
        }
    }
}
