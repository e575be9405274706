import DetentPanel
import Testing

@testable import DetentBench

/// Programs that a panel needs and that its package does not bring.
@Suite struct NeededProgramsTests {
    private func plan(_ action: String) throws -> PanelPlan {
        let text = """
            panel: Test
            board: none
            controls:
              power:
                kind: switch
                label: Power
                input: {chip: test, offset: 0}
                action: \(action)
            """
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        return try #require(reading.plan, "\(reading.problems)")
    }

    @Test func requestsNeedCurl() throws {
        let plan = try plan("{http: {put: \"http://127.0.0.1/\", body: \"{value}\"}, timeout: 3s}")
        #expect(
            NeededPrograms.findings(plan, hasCurl: false) == [
                .problem(
                    "the panel has `http` actions, and `curl` is not in PATH",
                    "run `sudo apt install curl`")
            ])
        #expect(NeededPrograms.findings(plan, hasCurl: true).map(\.weight) == [.fine])
    }

    @Test func aPanelWithoutRequestsNeedsNothing() throws {
        let plan = try plan("{run: [\"true\"], timeout: 3s}")
        #expect(NeededPrograms.findings(plan, hasCurl: false).isEmpty)
    }
}
