import DetentPanel
import Testing

/// The panel of the tests of saved values: a button `a`, and a dial `b` from 0 to 99.
enum SavedPlan {
    static func make(_ history: String = "", name: String = "P") throws -> PanelPlan {
        let reading = PanelReader.read(
            SourceText(
                file: "p.yaml",
                text: """
                    panel: \(name)
                    board: none
                    \(history)
                    controls:
                      a: {kind: toggle-button, label: A, input: A}
                      b: {kind: dial, label: B, encoder: {a: B, b: C}, range: {min: 0, max: 99}}
                    """))
        return try #require(reading.plan)
    }
}
