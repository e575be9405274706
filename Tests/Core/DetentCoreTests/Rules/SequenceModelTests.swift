import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Random steps over random histories against the plain script.
@Suite struct SequenceModelTests {
    private static func step(_ random: inout SplitMix) -> PlainScript.Step {
        switch random.below(4) {
        case 0: .set(1 + random.below(2), Int32(random.below(2)))
        case 1: .wait(random.below(200))
        case 2: .drive(random.below(2), Level(random.chance(50)))
        case _: .pulse(random.below(2), 1 + random.below(150))
        }
    }

    private static func engineStep(_ step: PlainScript.Step) -> SequenceStep {
        switch step {
        case .set(let control, let value): .set(ControlID(UInt16(control)), Value(value))
        case .wait(let span): .wait(.milliseconds(UInt64(span)))
        case .drive(let line, let level): .drive(LineID(UInt16(line)), level)
        case .pulse(let line, let span):
            .pulse(LineID(UInt16(line)), .milliseconds(UInt64(span)))
        }
    }

    private static func twins(_ random: inout SplitMix) -> (PlainScript, Bench) {
        let steps = (0..<(1 + random.below(5))).map { _ in step(&random) }
        var panel = RuledPanel()
        let lines = panel.lines(2)
        var controls: [PlainControl] = []
        for place in 0..<3 {
            var control = PlainControl()
            control.supersede = [.wait, .cancel, .ignore][random.below(3)]
            control.timeout = 200 + random.below(place == 0 ? 3_000 : 600)
            controls.append(control)
            let settings = ActionSettings(
                timeout: .milliseconds(UInt64(control.timeout)), supersede: control.supersede)
            let action = panel.action(settings, steps: place == 0 ? steps.map(engineStep) : [])
            _ = panel.add(
                ControlSettings(
                    nature: .onOff(latch: .toggle), actions: .any(action),
                    stepOutputs: place == 0 ? lines : .none))
        }
        return (PlainScript(steps: steps, controls: controls), panel.bench())
    }

    @Test(arguments: TestLength.seeds(0..<100))
    func theEngineAgreesWithThePlainScript(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var (model, bench) = Self.twins(&random)
        var history = History(bench)
        history.send(.start, 0)
        var now = 0
        for turn in 0..<300 {
            now = Self.pass(&model, &history, from: now, &random)
            Self.act(&model, &history, now, &random)
            model.settle(now)
            let difference = Self.difference(model, bench, history)
            guard let difference else { continue }
            Issue.record("seed \(seed) turn \(turn) at \(now): \(difference), \(model.steps)")
            return
        }
    }

    /// What the engine did, and what was really written of it.
    private struct History {
        let bench: Bench
        var runs: [[UInt32]] = [[], [], []]
        var commands: [PlainScript.Command] = []
        var writes: [(at: Int, command: PlainScript.Command)] = []
        var random = SplitMix(seed: 99)

        init(_ bench: Bench) {
            self.bench = bench
        }

        mutating func send(_ event: Event, _ now: Int) {
            for (effect, _) in bench.raw(event, at: Instant(millisecond: now)) {
                switch effect {
                case .start(_, let run, let control, _, _, _):
                    runs[Int(control.index)].append(run.number)
                case .drive(let line, let level):
                    let command = PlainScript.Command(line: Int(line.index), level: level)
                    commands.append(command)
                    // Written in the order in which they were told.
                    let latency = random.chance(60) ? 0 : random.below(60)
                    writes.append((max(now + latency, writes.last?.at ?? 0), command))
                case .readLevel, .adjust, .indicate, .provide, .cancel, .report, .answer: break
                }
            }
        }
    }

    /// Lets time pass; the engine wakes only for what was written.
    private static func pass(
        _ model: inout PlainScript, _ history: inout History, from start: Int,
        _ random: inout SplitMix
    ) -> Int {
        let end = start + (random.chance(5) ? random.below(4_000) : random.below(80))
        for now in start...end {
            model.settle(now)
            while let write = history.writes.first, write.at <= now {
                history.writes.removeFirst()
                model.written(write.command.line, write.command.level, now)
                model.settle(now)
                history.send(
                    .outputWritten(LineID(UInt16(write.command.line)), write.command.level), now)
            }
        }
        return end
    }

    private static func act(
        _ model: inout PlainScript, _ history: inout History, _ now: Int,
        _ random: inout SplitMix
    ) {
        let place = random.below(3)
        let id = ControlID(UInt16(place))
        switch random.below(20) {
        case 0:
            let line = random.below(2)
            model.lost(line, now)
            history.send(.lineFault(LineID(UInt16(line))), now)
            model.settle(now)
            history.send(.lineRestored(LineID(UInt16(line))), now)
        case 1, 2, 3, 4, 5:
            let value = Int32(random.below(2))
            model.ask(place, value, now)
            history.send(.intent(id, Value(value), .web), now)
        case 6, 7, 8, 9, 10, 11:
            guard place > 0, let attempt = model.controls[place].attempt,
                attempt.number == history.runs[place].count
            else { return history.send(.tick, now) }
            let outcomes: [ActionOutcome] = [
                .succeeded, .succeeded, .failed(.exit(1)), .lost,
            ]
            let outcome = outcomes[random.below(4)]
            model.finish(place, outcome, now)
            history.send(
                .actionFinished(
                    id, RunID(history.runs[place][attempt.number - 1]), outcome), now)
        case _:
            history.send(.tick, now)
        }
    }

    private static func difference(
        _ model: PlainScript, _ bench: Bench, _ history: History
    ) -> String? {
        if model.commands != history.commands {
            return "driven \(history.commands), not \(model.commands)"
        }
        for (place, control) in model.controls.enumerated() {
            let snapshot = bench.snapshot(UInt16(place))
            let isSame =
                snapshot.desired.raw == control.desired && snapshot.phase == control.phase
                && snapshot.actual == (control.actual.map { Value($0) } ?? .unknown)
            if !isSame { return "c\(place) is \(snapshot), not \(control)" }
        }
        return nil
    }
}
