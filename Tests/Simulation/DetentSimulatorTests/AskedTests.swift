import DetentCore
import DetentPanel
import DetentRuntime
import DetentScenario
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentSimulator

/// What the actions of a simulated panel ask for, which the page shows.
@Suite struct AskedTests {
    /// Makes the panel of an action, sets its control on, and takes what was asked.
    private func asked(_ action: String) throws -> String? {
        let text = """
            {panel: P, board: none, mqtt: {url: "mqtt://h"}, controls: {lamp: {kind: toggle-button,
            label: Lamp, input: A, action: {\(action), timeout: 2s}}}}
            """
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        let plan = try #require(reading.plan, "\(reading.problems)")
        let rig = try DeskRig(
            SimulationOptions(plan: plan, bounce: .named("none"), takes: .milliseconds(400)))
        #expect(rig.live.state().asked.isEmpty)
        rig.updates.setWatched(true)
        let lamp = ControlID(0)
        #expect(rig.move(lamp, .click, nil) == nil)
        rig.pass(.seconds(1))
        let told = rig.notes().filter { $0.update == .simulation }.count
        let asked = rig.live.state().asked[lamp]
        // The page hears of the button's two moves, and of the attempt.
        #expect(told >= (asked == nil ? 1 : 2))
        return asked
    }

    @Test(arguments: [
        ("run: [psu, output, \"{value}\", \"{origin}\"]", "run: [psu, output, on, panel]"),
        (
            "http: {put: \"http://h/{control}\", headers: {Key: \"${env:K}\"}, body: \"{value}\"}",
            "http: {put: http://h/lamp, headers: {Key: ${env:K}}, body: on}"
        ),
        (
            "mqtt: {topic: cmnd/x, payload: \"{value}\", retain: true}",
            "mqtt: {topic: cmnd/x, payload: on, retain: true}"
        ),
        (
            "osc: {to: \"h:9\", address: /a, args: [\"{value}\", 7]}",
            "osc: {to: h:9, address: /a, args: [on, 7]}"
        ),
        (
            "tcp: {to: \"h:9\", text: \"OUTP {value};\\\"?\\r\\n\", expect: \"{value}\"}",
            "tcp: {to: h:9, text: \"OUTP on;\\\"?\\r\\n\", expect: {value}}"
        ),
        (
            "tcp: {to: \"h:9\", text: \"VOLT?\\n\", expect: \"VOLT {value} V\"}",
            "tcp: {to: h:9, text: \"VOLT?\\n\", expect: VOLT {value} V}"
        ),
    ])
    func anAttemptSaysWhatItAsksFor(_ action: String, _ expected: String) throws {
        expectEqual(try asked(action), expected)
    }

    /// What the terminal says of a device that the simulator has not been told about.
    @Test func aQueryWithoutAnAnswerIsExplained() throws {
        let text = """
            {panel: P, board: none, controls: {lamp: {kind: toggle-button, label: Lamp, input: A,
            startup: device, query: {http: {get: "http://h", confirm: {pointer: /value}},
            timeout: 3s}, action: {http: {post: "http://h/{value}"}, timeout: 3s}}}}
            """
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        let plan = try #require(reading.plan, "\(reading.problems)")
        let rig = try DeskRig(
            SimulationOptions(plan: plan, bounce: .named("none"), takes: .milliseconds(400)))
        rig.pass(.seconds(1))
        expectEqual(
            rig.words,
            [
                "detent: lamp: its simulated device has no value, so the query fails; set the "
                    + "control once, or the device in the inspector\n"
            ])
    }

    @Test func stepsOfTheCoreAskForNothing() throws {
        #expect(try asked("wait: 10ms") == nil)
    }
}
