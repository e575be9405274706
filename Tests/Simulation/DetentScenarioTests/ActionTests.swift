import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld
import TestSupport
import Testing

/// Actions from the words of a panel file to what is written, asked for and started.
@Suite struct ActionTests {
    /// An attempt that fails without a code ends as its kind does.
    @Test(
        arguments: [
            ("run: [x]", 1, ActionFailure.exit(1)), ("run: [x]", 3, .exit(3)),
            ("tcp: {to: \"h:9\", text: x}", 1, .unreachable),
            ("http: {post: \"http://h/\"}", 1, .unreachable),
            ("http: {post: \"http://h/\"}", 404, .http(status: 404)),
        ] as [(String, Int32, ActionFailure)])
    func aFailureIsThatOfItsKind(_ action: String, _ code: Int32, _ failure: ActionFailure) throws {
        let dialogue = try Dialogue(
            "  a: {kind: switch, label: A, input: A, action: {\(action), timeout: 2s}}\n",
            [0: ActionScript(then: .fail(code: code))])
        try dialogue.ask(0, "on")
        dialogue.run(until: 200)
        let ends = dialogue.runner.record.attempts.compactMap { attempt -> ActionOutcome? in
            if case .ended(let outcome) = attempt.step { outcome } else { nil }
        }
        #expect(!ends.isEmpty && ends.allSatisfy { $0 == .failed(failure) }, "\(ends)")
    }

    /// A panel in virtual time, spoken to by words.
    private struct Dialogue {
        let plan: PanelPlan
        let runner: VirtualRunner
        private var told = 0
        private var written = 0
        private var tried = 0

        init(_ controls: String, _ scripts: [Int: ActionScript] = [:]) throws {
            let text = "panel: P\nboard: none\ncontrols:\n" + controls
            let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
            expectEqual(ProblemRenderer.text(reading.problems), "")
            plan = try #require(reading.plan)
            let keyed = scripts.map { (ControlID(UInt16($0)), $1) }
            runner = try VirtualRunner(
                plan, backend: SimulatedBackend(PhysicalModel(plan, seed: 1, bounce: .all(.none))),
                actions: ActionModel(scripts: Dictionary(uniqueKeysWithValues: keyed)))
            run(until: 100)
            _ = news()
        }

        func run(until milliseconds: UInt64) { runner.run(until: .milliseconds(milliseconds)) }

        func ask(_ control: Int, _ word: String) throws {
            let names = plan.controls[control].valueNames
            let id = ControlID(UInt16(control))
            if let value = names.value(named: word) {
                runner.handle(.intent(id, value, .web))
            } else {
                runner.handle(
                    .fire(id, try #require(names.event(named: word)), .web, isConfirmed: false))
            }
        }

        /// What is new: values, phases, outputs and attempts, each with its millisecond.
        mutating func news() -> [String] {
            var lines: [(at: Instant, text: String)] = []
            for entry in runner.record.entries[told...] {
                let control = plan.controls[Int(entry.report.control.index)]
                switch entry.report.kind {
                case .changed(let value, _):
                    lines.append((entry.at, "\(control.id) \(control.valueNames.name(of: value))"))
                case .phase(let phase, _):
                    lines.append((entry.at, "\(control.id) \(phase)"))
                case .output(let line, let level):
                    let name = plan.lines[Int(line.index)].name
                    lines.append((entry.at, "\(name) \(level == .active ? 1 : 0)"))
                case .refused:
                    lines.append((entry.at, "\(control.id) refused"))
                case _:
                    break
                }
            }
            for attempt in runner.record.attempts[tried...] {
                let id = plan.controls[Int(attempt.control.index)].id
                let step =
                    switch attempt.step {
                    case .started: "starts"
                    case .ended(let outcome): outcome == .succeeded ? "succeeds" : "fails"
                    case .cancelled: "is stopped"
                    }
                lines.append((attempt.at, "\(id) \(step)"))
            }
            told = runner.record.entries.count
            tried = runner.record.attempts.count
            let order = lines.indices.sorted { (lines[$0].at, $0) < (lines[$1].at, $1) }
            return order.map { "\(lines[$0].at.nanoseconds / 1_000_000) \(lines[$0].text)" }
        }
    }

    private static let pump =
        "  pump: {kind: toggle-button, label: Pump, input: B, "
        + "action: {run: [pump], timeout: 2s}}\n"

    @Test func outputIsDoneWhenItIsWritten() throws {
        var panel = try Dialogue(
            "  c: {kind: toggle-button, label: Horn, input: A, action: {on: {output: K}, "
                + "off: {output: {line: K, level: off}}}}\n")
        try panel.ask(0, "on")
        expectEqual(panel.news(), ["100 c on", "100 c pending", "100 K 1", "100 c idle"])
        panel.run(until: 200)
        try panel.ask(0, "off")
        expectEqual(panel.news(), ["200 c off", "200 c pending", "200 K 0", "200 c idle"])
    }

    @Test func pulsesGoOffAfterTheirTime() throws {
        var panel = try Dialogue(
            "  c: {kind: button, label: Ring, input: A, "
                + "action: {output: {line: K, pulse: 200ms}}}\n")
        try panel.ask(0, "press")
        panel.run(until: 1_000)
        expectEqual(
            panel.news(),
            [
                "100 c pending", "100 K 1", "250 c loading", "300 K 0", "300 c idle",
            ])
    }

    /// Cancelled, it goes off at once, and the steps of the new value begin.
    @Test func pulsesEndWhereTheyAreSuperseded() throws {
        var panel = try Dialogue(
            "  c: {kind: toggle-button, label: Ring, input: A, action: {on: {output: {line: K, "
                + "pulse: 1s}, supersede: cancel}, off: {output: L}}}\n")
        try panel.ask(0, "on")
        panel.run(until: 150)
        try panel.ask(0, "off")
        panel.run(until: 2_000)
        let news = panel.news()
        #expect(news.contains("150 K 0"))
        #expect(news.contains("150 L 1"))
        expectEqual(news.last, "150 c idle")
    }

    @Test func setAwaitsEachInTurn() throws {
        var panel = try Dialogue(
            "  c: {kind: toggle-button, label: Plant, input: A, "
                + "action: {set: {pump: \"{value}\", lamp: \"{value}\"}}}\n" + Self.pump
                + "  lamp: {kind: toggle-button, label: Lamp, input: C, output: K}\n",
            [1: ActionScript(takes: .milliseconds(50))])
        try panel.ask(0, "on")
        panel.run(until: 1_000)
        expectEqual(
            panel.news(),
            [
                "100 c on", "100 c pending", "100 pump on", "100 pump pending", "100 pump starts",
                "150 pump idle", "150 lamp on", "150 K 1", "150 c idle", "150 pump succeeds",
            ])
    }

    @Test func setFailsWithTheOther() throws {
        var panel = try Dialogue(
            "  c: {kind: toggle-button, label: Plant, input: A, action: {on: {set: {pump: on}}}}\n"
                + Self.pump, [1: ActionScript(takes: .milliseconds(50), then: .fail(code: 3))])
        try panel.ask(0, "on")
        panel.run(until: 200)
        let news = panel.news()
        #expect(news.contains("150 pump failed"))
        #expect(news.contains("150 c failed"))
        expectEqual(panel.runner.snapshot(of: ControlID(0))?.desired, .off)
    }

    /// Programs of one sequence belong to one attempt; each waits for the one before.
    @Test func programsOfASequenceFollowEachOther() throws {
        var panel = try Dialogue(
            "  c: {kind: button, label: Start, input: A, action: {sequence: [{run: [a]}, "
                + "{wait: 30ms}, {run: [b], timeout: 1s}], timeout: 5s}}\n",
            [0: ActionScript(takes: .milliseconds(40))])
        try panel.ask(0, "press")
        panel.run(until: 1_000)
        let attempts = panel.news().filter { $0.hasSuffix("starts") || $0.hasSuffix("succeeds") }
        expectEqual(
            attempts, ["100 c starts", "140 c succeeds", "170 c starts", "210 c succeeds"])
        expectEqual(Set(panel.runner.record.attempts.map(\.run)).count, 1)
        expectEqual(panel.runner.snapshot(of: ControlID(0))?.phase, .idle)
    }

    @Test func aProgramThatHangsEndsTheSequence() throws {
        var panel = try Dialogue(
            "  c: {kind: button, label: Start, input: A, action: {sequence: [{output: K}, "
                + "{run: [a], timeout: 500ms}, {output: {line: K, level: off}}], timeout: 5s}}\n",
            [0: ActionScript(then: .hang)])
        try panel.ask(0, "press")
        panel.run(until: 1_000)
        let news = panel.news()
        #expect(news.contains("600 c is stopped"))
        #expect(news.contains("600 c failed"))
        #expect(!news.contains { $0.hasSuffix("K 0") })
    }

    /// What the core does by itself is never asked of a program.
    @Test func onlyProgramsLeaveTheCore() throws {
        let file = ScenarioTests.root + "/simulator/scenarios/panels/filling.yaml"
        let plan = try #require(PanelReader.read(file: file).plan)
        let storage = EngineStorage(for: plan.capacity)
        var engine = try plan.makeEngine(in: storage)
        var started: [ActionPlan.Command] = []
        var pending: [Event] = [.start, .fire(ControlID(2), .on, .web, isConfirmed: false)]
        var now = Instant.zero
        for _ in 0..<1_000 {
            let event = pending.isEmpty ? Event.tick : pending.removeFirst()
            if case .tick = event { now = engine.nextDeadline }
            if now == .never { break }
            engine.handle(event, at: now) { effect, _ in
                switch effect {
                case .start(let action, let run, let control, _, _, _):
                    started.append(plan.actions[Int(action.index)].command)
                    pending.append(.actionFinished(control, run, .succeeded))
                case .drive(let line, let level):
                    pending.append(.outputWritten(line, level))
                case .cancel, .adjust, .indicate, .provide, .readLevel, .report, .answer: break
                }
            }
            if now > .zero + .seconds(60) { break }
        }
        let valve = ActionPlan.Command.run(arguments: ["valve-ctl", "{value}"])
        expectEqual(started, [valve, valve, .run(arguments: ["say", "{control} done"])])
    }

    @Test func theRecipeOfTheGuideWorks() throws {
        let panel = try SourceText.read(
            file: ScenarioTests.root + "/simulator/scenarios/panels/filling.yaml")
        let guide = try SourceText.read(file: ScenarioTests.root + "/docs/actions.md")
        let text = String(decoding: panel.bytes, as: UTF8.self)
        #expect(String(decoding: guide.bytes, as: UTF8.self).contains("```yaml\n\(text)```"))
        #expect(text.split(separator: "\n").count <= 40)
        let file = ScenarioTests.root + "/simulator/scenarios/actions.yaml"
        guard case .ran(let result) = ScenarioFile.run(file) else {
            Issue.record("not read: \(ScenarioFile.run(file))")
            return
        }
        #expect(result.isPassed, "\(result.text)")
    }
}
