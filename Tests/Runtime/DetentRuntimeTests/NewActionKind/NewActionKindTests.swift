import DetentActions
import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel
@testable import DetentRuntime

/// A new kind of action is a table of keys, a runner and a line for each; the rest follows.
@Suite struct NewActionKindTests {
    private static func panel(_ action: String, _ further: String = "") -> String {
        """
        {panel: P, board: none, controls: {c: {label: C, kind: toggle-button, input: A,
        action: {\(action)}}\(further)}}
        """
    }

    private static let greeting = "greet: {to: \"{control} {value}\", times: 2}, timeout: 60s"

    private func plan(_ text: String) throws -> PanelPlan {
        let reading = PanelReader.readWithGreetings(text)
        expectEqual(ProblemRenderer.text(reading.problems), "")
        return try #require(reading.plan)
    }

    private struct Running {
        let rig: LoopRig
        let runner: GreetingRunner
        let programs: ScriptedRunner

        init(_ plan: PanelPlan) throws {
            runner = try GreetingRunner()
            programs = try ScriptedRunner()
            rig = try LoopRig(
                plan, ScriptedBackend(),
                runners: [ActionKindID("greet"): runner, .run: programs])
            _ = rig.open()
            rig.start()
        }

        func ask(_ value: Value) -> Bool {
            rig.inbox.send(.intent(rig.control("c"), value, .web)) && rig.turn() == nil
        }

        var phases: [Report.Kind] {
            rig.kinds("c").filter { if case .phase = $0 { true } else { false } }
        }
    }

    // MARK: Reading

    @Test func itsKeysAreReadByTheTable() throws {
        let plan = try plan(
            Self.panel(
                "greet: {to: World, times: 3, loud: true, pause: 5ms, names: [A, B]}, timeout: 1s"))
        expectEqual(
            plan.actions.map(\.command),
            [
                .call(
                    ActionCall(
                        kind: "greet",
                        fields: [
                            .init("to", .text("World")), .init("times", .integer(3)),
                            .init("loud", .boolean(true)),
                            .init("pause", .duration(.milliseconds(5))),
                            .init("names", .texts(["A", "B"])),
                        ]))
            ])
        expectEqual(plan.actions.first?.settings.timeout, .seconds(1))
        expectEqual(PanelActions(plan).kinds, [ActionKindID("greet")])
    }

    @Test(arguments: [
        ("greet: {times: 2}, timeout: 1s", "missing-key"),
        ("greet: {to: A, tone: low}, timeout: 1s", "unknown-key"),
        ("greet: {to: A, times: 10}, timeout: 1s", "out-of-range"),
        ("greet: World, timeout: 1s", "wrong-type"),
        ("greet: {to: A}", "action-without-timeout"),
        ("greet: {to: A}, run: [a], timeout: 1s", "conflicting-keys"),
        ("greet: {to: \"{valeu}\"}, timeout: 1s", "unknown-placeholder"),
        ("sequence: [{greet: {to: A}}]", "action-without-timeout"),
    ])
    func whatTheTableForbidsIsAProblem(action: String, rule: String) {
        let problems = PanelReader.readWithGreetings(Self.panel(action)).problems
        expectEqual(problems.map(\.rule.name), [rule])
    }

    /// Without its line in the table the kind is unknown; no action becomes another one silently.
    @Test func aKindThatIsNotListedIsUnknown() {
        let reading = PanelReader.read(
            SourceText(file: "panel.yaml", text: Self.panel(Self.greeting)))
        #expect(reading.plan == nil)
        #expect(reading.problems.map(\.rule.name).contains("unknown-key"))
    }

    @Test func theDocumentsAndTheSchemaHaveItsKeys() {
        let reference = PanelReference.text(of: .withGreetings)
        #expect(reference.contains("\n## Greeting\n\nA greeting that is sent to someone.\n"))
        #expect(reference.contains("| `times` | whole number, 1 to 9 | 1 | How often. |"))
        let schema = JSONSchema.text(of: .withGreetings)
        #expect(schema.contains("\"greet\":") && schema.contains("\"#/$defs/greeting\""))
        #expect(!PanelReference.text.contains("greet") && !JSONSchema.text.contains("greet"))
    }

    /// A key that no call can carry would be dropped on its way to the runner.
    @Test func everyKeyOfARunnerReachesIt() throws {
        for kind in Schema.withGreetings.actionKinds where kind.work == .runner {
            #expect(!kind.keys.isEmpty || kind.sections.isEmpty)
            for key in kind.keys {
                #expect(key.shape.canBeCarried(.withGreetings), "\(kind.word).\(key.name)")
            }
        }
    }

    // MARK: Running

    @Test func itSucceeds() throws {
        let it = try Running(plan(Self.panel(Self.greeting + ", loading-after: 0ms")))
        #expect(it.ask(.on))
        #expect(it.runner.wait { it.runner.sent.count == 1 })
        let greeting = try #require(it.runner.sent.first?.greeting)
        expectEqual(
            greeting, Greeting(to: "c on", times: 2, isLoud: false, pause: .zero, names: []))
        #expect(it.rig.turn { it.phases.contains(.phase(.loading, .none)) })
        it.runner.end(.succeeded)
        #expect(it.rig.turn { it.rig.snapshot("c")?.actual == .on })
        #expect(it.phases.allSatisfy { $0 != .phase(.failed, .none) })
        #expect(it.programs.begun.isEmpty)
    }

    @Test(arguments: [
        (ActionFailure.unreachable, "unreachable"), (.http(status: 503), "HTTP 503"),
        (.refused, "refused"), (.invalidAnswer, "invalid answer"),
    ])
    func itsFailureHasAReason(failure: ActionFailure, text: String) throws {
        let it = try Running(plan(Self.panel(Self.greeting)))
        #expect(it.ask(.on))
        #expect(it.runner.wait { it.runner.sent.count == 1 })
        it.runner.end(.failed(failure))
        #expect(it.rig.turn { it.phases.contains(.phase(.failed, .failed(failure))) })
        expectEqual(Reason.failed(failure).text(in: PanelPlan(name: "P")), text)
        expectEqual(it.rig.snapshot("c")?.desired, .off, "reverted")
    }

    @Test func itsTimeoutStopsIt() throws {
        let it = try Running(plan(Self.panel("greet: {to: A}, timeout: 20ms")))
        #expect(it.ask(.on))
        #expect(it.runner.wait { it.runner.sent.count == 1 })
        #expect(it.rig.turn { it.phases.contains(.phase(.failed, .timedOut)) })
        let first = try #require(it.runner.sent.first?.run)
        #expect(it.runner.wait { it.runner.cancelled == [first] })
    }

    @Test func aNewRequestCancelsIt() throws {
        let it = try Running(plan(Self.panel(Self.greeting + ", supersede: cancel")))
        #expect(it.ask(.on))
        #expect(it.runner.wait { it.runner.sent.count == 1 })
        #expect(it.ask(.off))
        #expect(it.runner.wait { it.runner.cancelled.count == 1 })
        it.runner.end(.cancelled)
        #expect(it.rig.turn { it.runner.sent.count == 2 })
        expectEqual(it.runner.sent.last?.greeting.to, "c off")
        it.runner.end(.succeeded)
        #expect(it.rig.turn { it.rig.snapshot("c")?.actual == .off })
    }

    @Test func itIsAStepOfASequence() throws {
        let it = try Running(
            plan(Self.panel("sequence: [{greet: {to: A}}, {run: [b]}], timeout: 60s")))
        #expect(it.ask(.on))
        #expect(it.runner.wait { it.runner.sent.count == 1 })
        #expect(it.programs.begun.isEmpty)
        it.runner.end(.succeeded)
        #expect(it.rig.turn { !it.programs.begun.isEmpty })
        it.programs.end(it.programs.begun[0].run)
        #expect(it.rig.turn { it.rig.snapshot("c")?.actual == .on })
    }

    @Test func withoutARunnerItIsNotStarted() throws {
        let plan = try plan(Self.panel(Self.greeting))
        let rig = try LoopRig(plan, ScriptedBackend(), runners: [.run: ScriptedRunner()])
        _ = rig.open()
        rig.start()
        #expect(rig.inbox.send(.intent(rig.control("c"), .on, .web)))
        #expect(rig.turn { rig.kinds("c").contains(.phase(.failed, .failed(.notStarted))) })
        expectEqual(
            rig.dispatcher.details[RunID(1)]?.explanation, "this program has no runner for `greet`")
    }
}
