import DetentPanel
import DetentTypes
import TestSupport
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
        expectEqual(
            NeededPrograms.findings(plan, hasCurl: false) { _ in true },
            [
                .problem(
                    "the panel has `http` actions, and `curl` is not in PATH",
                    "run `sudo apt install curl`")
            ])
        expectEqual(
            NeededPrograms.findings(plan, hasCurl: true) { _ in true }.map(\.weight), [.fine])
    }

    @Test func requestsToThisMachineNeedNothing() throws {
        let plan = try plan("{http: {put: \"http://127.0.0.1/\", body: \"{value}\"}, timeout: 3s}")
        let findings = NeededPrograms.findings(plan, hasCurl: false) { fields in
            fields.text("put") != "http://127.0.0.1/"
        }
        #expect(findings.isEmpty)
    }

    @Test func feedbackNeedsCurlToo() throws {
        let plan = try plan(
            "{run: [\"true\"], timeout: 3s}\n    feedback: {http: {get: \"http://a/\", every: 9s}}")
        let findings = NeededPrograms.findings(plan, hasCurl: false) { fields in
            fields.text("get") == "http://a/"
        }
        expectEqual(
            findings.map(\.text), ["the panel has `http` feedback, and `curl` is not in PATH"])
    }

    @Test func aPanelWithoutRequestsNeedsNothing() throws {
        let plan = try plan("{run: [\"true\"], timeout: 3s}")
        #expect(NeededPrograms.findings(plan, hasCurl: false) { _ in true }.isEmpty)
    }

    @Test func keysNeedADevice() throws {
        let plan = try plan("{on: {key: KEY_A}, off: {key: KEY_B}}")
        expectEqual(
            NeededPrograms.keys(plan, problem: ("/dev/uinput: it is not there", "load it")),
            [.problem("no `key` action can press a key: /dev/uinput: it is not there", "load it")])
        expectEqual(NeededPrograms.keys(plan, problem: nil).map(\.weight), [.fine])
    }

    @Test func whatPressesNoKeyDoesNotLookForTheDevice() throws {
        let plan = try plan("{run: [\"true\"], timeout: 3s}")
        var looks = 0
        func look() -> (cause: String, remedy: String)? {
            looks += 1
            return ("cause", "remedy")
        }
        expectEqual(NeededPrograms.keys(plan, problem: look()), [])
        expectEqual(looks, 0)
    }
}
