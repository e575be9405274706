import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// `${env:NAME}` in texts that are shown or that say where something is.
@Suite struct VariableTests {
    private static let values = [
        "ROOM": "Hall", "ID": "hall-1", "HOST": "broker.lan", "NUMBER": "7",
    ]

    private static func read(_ text: String) -> PanelReader.Reading {
        PanelReader.read(
            SourceText(file: "panel.yaml", text: text), boards: .builtIn,
            deviceTree: "/nowhere", schema: .builtIn, variable: { values[$0] })
    }

    private static func problems(_ text: String) -> [String] {
        read(text).problems.map {
            "\($0.place.line):\($0.place.column) \($0.text) [\($0.rule.name)]; \($0.help)"
        }
    }

    @Test func oneFileServesManyBoards() throws {
        let reading = Self.read(
            """
            panel: "Lights ${env:ROOM}"
            board: none
            mqtt: {url: "mqtt://${env:HOST}", topic: "detent/${env:ID}", client-id: "${env:ID}"}
            groups:
              - name: "${env:ROOM}"
                help: "Door ${env:NUMBER}"
                controls:
                  lamp:
                    kind: switch
                    label: "${env:ROOM} lamp"
                    input: A
                    action: {mqtt: {topic: "lights/${env:ID}/set", payload: "{value}"}, timeout: 1s}
                    feedback: {mqtt: "lights/${env:ID}"}
            """)
        let plan = try #require(reading.plan, "\(reading.problems)")
        expectEqual(plan.name, "Lights Hall")
        expectEqual(plan.broker?.host, "broker.lan")
        expectEqual(plan.broker?.topic, "detent/hall-1")
        expectEqual(plan.controls[0].label, "Hall lamp")
        expectEqual(plan.controls[0].layout.group, "Hall")
        expectEqual(plan.groupHelps.map(\.help), ["Door 7"])
        guard case .call(let call) = plan.actions[0].command else {
            Issue.record("no message")
            return
        }
        expectEqual(call.fields.text("topic"), "lights/hall-1/set")
        #expect("\(String(describing: plan.controls[0].feedback))".contains("lights/hall-1"))
    }

    /// An error at its place, once, also where several controls have it by default.
    @Test func aMissingVariableIsAnError() {
        let problems = Self.problems(
            """
            panel: P
            board: none
            groups:
              - name: G
                defaults: {kind: switch, help: "in ${env:NOWHERE}"}
                controls:
                  a: {label: A, input: A}
                  b: {label: B, input: B}
            """)
        expectEqual(problems.count, 1, "\(problems)")
        #expect(
            problems[0].hasPrefix("5:36 the variable `NOWHERE` is not set [variable-missing]"),
            "\(problems)")
    }

    /// A secret is read at each attempt. It is refused where it would be shown.
    @Test func aSecretIsNoText() throws {
        let shown = Self.problems(
            "panel: \"${file:/etc/name}\"\nboard: none\n"
                + "controls: {a: {kind: switch, label: \"${env:A B}\", input: A}}\n")
        expectEqual(shown.count, 2, "\(shown)")
        #expect(shown[0].contains("`${file:/etc/name}` is not replaced here"), "\(shown)")
        #expect(shown[1].contains("`${env:A B}` does not name a variable"), "\(shown)")
        let reading = Self.read(
            """
            panel: P
            board: none
            controls:
              a:
                kind: button
                label: "$1 ${x}"
                input: A
                action:
                  http: {post: "http://${env:SECRET_HOST}/", body: "${env:KEY}"}
                  timeout: 1s
            """)
        let plan = try #require(reading.plan, "\(reading.problems)")
        expectEqual(plan.controls[0].label, "$1 ${x}")
        guard case .call(let call) = plan.actions[0].command else {
            Issue.record("no request")
            return
        }
        expectEqual(call.fields.text("body"), "${env:KEY}")
    }

    /// Words that scripts, lists and times are made of are what the file says.
    @Test func namesAndNumbersStayAsTheyAre() {
        for text in [
            "controls: {\"${env:ID}\": {kind: switch, label: A, input: A}}",
            "controls: {a: {kind: switch, label: A, input: A, debounce: \"${env:NUMBER}ms\"}}",
        ] {
            #expect(!Self.problems("panel: P\nboard: none\n" + text + "\n").isEmpty, "\(text)")
        }
    }
}
