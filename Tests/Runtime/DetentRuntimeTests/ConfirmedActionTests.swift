import DetentActions
import DetentCore
import DetentPanel
import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// Actions whose answer says which value the device has.
@Suite struct ConfirmedActionTests {
    private func rig(_ control: String) throws -> LoopRig {
        let text = """
            {panel: P, board: none, controls: {c: {label: C, \(control), action: {
            http: {put: "http://host/{value}", headers: {X-Value: "{previous}"},
            confirm: {pointer: /state}}, timeout: 60s}}}}
            """
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        expectEqual(ProblemRenderer.text(reading.problems.filter { $0.severity == .error }), "")
        let rig = try LoopRig(try #require(reading.plan), ScriptedBackend())
        _ = rig.open()
        rig.start()
        return rig
    }

    private static let dial =
        "kind: dial, range: {min: 0, max: 100, step: 1}, "
        + "encoder: {a: A, b: B}"
    private static let toggle = "kind: toggle-button, input: A"

    private func ask(_ rig: LoopRig, _ value: Value) -> Bool {
        rig.inbox.send(.intent(rig.control("c"), value, .web)) && rig.turn() == nil
            && rig.runner.waitForBegun(1)
    }

    @Test func placeholdersAreReplacedInAllTexts() throws {
        let rig = try rig(Self.toggle)
        #expect(ask(rig, .on))
        let request = try #require(rig.runner.begun.first)
        #expect(request.keepsAnswer)
        expectEqual(
            request.payload,
            .fields([
                ActionField("put", .text("http://host/on")),
                ActionField("headers", .pairs([TextPair("X-Value", "unknown")])),
                ActionField("confirm.pointer", .text("/state")),
            ]))
        rig.runner.end(request.run, answer: "{\"state\": true}")
        #expect(rig.turn { rig.snapshot("c")?.actual == .on })
    }

    /// What is sent and what is answered are words of the device.
    @Test func theWordsOfTheDeviceAreSaidAndUnderstood() throws {
        let rig = try rig(Self.toggle + ", words: {on: \"1\", off: \"0\"}")
        #expect(ask(rig, .on))
        let request = try #require(rig.runner.begun.first)
        guard case .fields(let fields) = request.payload else {
            Issue.record("\(request.payload)")
            return
        }
        expectEqual(fields.text("put"), "http://host/1")
        rig.runner.end(request.run, answer: "{\"state\": 1}")
        #expect(rig.turn { rig.snapshot("c")?.actual == .on })
    }

    @Test func theNumbersOfTheDeviceAreSaidAndUnderstood() throws {
        let rig = try rig(Self.dial + ", scale: 0.01")
        #expect(ask(rig, Value(50)))
        guard case .fields(let fields) = rig.runner.begun[0].payload else { return }
        expectEqual(fields.text("put"), "http://host/0.50")
        rig.runner.end(rig.runner.begun[0].run, answer: "{\"state\": 0.8}")
        #expect(rig.turn { rig.snapshot("c")?.actual == Value(80) })
    }

    /// A lamp that can only reach 80 is at 80, whatever was asked for.
    @Test func theValueOfTheDeviceIsShown() throws {
        let rig = try rig(Self.dial)
        #expect(ask(rig, Value(100)))
        rig.runner.end(rig.runner.begun[0].run, answer: "{\"state\": 80}")
        #expect(rig.turn { rig.snapshot("c")?.actual == Value(80) })
        expectEqual(rig.snapshot("c")?.desired, Value(80))
        expectEqual(rig.snapshot("c")?.phase, .idle)
    }

    @Test(arguments: ["{\"state\": \"ON\"}", "{}", "<html>"])
    func withoutAValueItHasFailed(answer: String) throws {
        let rig = try rig(Self.toggle)
        #expect(ask(rig, .on))
        let run = rig.runner.begun[0].run
        rig.runner.end(run, answer: answer)
        #expect(rig.turn { rig.kinds("c").contains(.phase(.failed, .failed(.invalidAnswer))) })
        expectEqual(rig.snapshot("c")?.desired, .off)
        expectEqual(rig.dispatcher.details[run]?.explanation.contains("answer"), true)
    }
}
