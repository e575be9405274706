import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Actions that the core does by itself, beyond one key at a time.
@Suite struct StepTests {
    private static let pump = "pump: {kind: switch, label: Pump, input: P, latch: toggle}"
    private static let mode =
        "mode: {kind: radio-group, label: Mode, selector: [X, Y], options: [manual, auto]}"
    private static let heat =
        "heat: {kind: dial, label: Heat, encoder: {a: M, b: N}, "
        + "range: {min: 0, max: 9}}"
    private static let reset = "reset: {kind: button, label: Reset, input: R}"

    private func read(_ controls: String...) -> PanelReader.Reading {
        KeyCase.read("panel: P, board: none, controls: {\(controls.joined(separator: ", "))}")
    }

    /// A switch with an action, then the others.
    private func read(action: String) -> PanelReader.Reading {
        read(
            "main: {kind: switch, label: Main, input: A, action: \(action)}", Self.pump, Self.mode,
            Self.heat, Self.reset)
    }

    private func steps(_ action: String) throws -> [SequenceStep] {
        let reading = read(action: action)
        expectEqual(ProblemRenderer.text(reading.problems), "")
        let plan = try #require(reading.plan)
        let storage = EngineStorage(for: plan.capacity)
        _ = try plan.makeEngine(in: storage)
        return plan.relations.sequenceSteps
    }

    private func errors(_ action: String) -> [String] {
        let errors = read(action: action).problems.filter { $0.severity == .error }
        for problem in errors { #expect(!problem.help.isEmpty) }
        return errors.map { "\($0.rule.name): \($0.text)" }
    }

    @Test func everyKindOfControlIsAskedInItsOwnWords() throws {
        expectEqual(
            try steps("{set: {pump: on, mode: auto, heat: 7, reset: press}}"),
            [
                .set(ControlID(1), .on), .set(ControlID(2), Value(1)),
                .set(ControlID(3), Value(7)), .fire(ControlID(4), .on),
            ])
    }

    /// Each value has an action of its own, because each means another step.
    @Test func ownValueIsPassedOnByItsWord() throws {
        let reading = read(action: "{set: {pump: \"{value}\"}, on-failure: keep}")
        let plan = try #require(reading.plan)
        expectEqual(
            plan.relations.sequenceSteps, [.set(ControlID(1), .off), .set(ControlID(1), .on)])
        expectEqual(plan.first.actions, .perValue(first: ActionID(0), present: 0b11))
        expectEqual(plan.actions.map(\.settings.steps.first), [0, 1])
        #expect(plan.actions.allSatisfy { $0.settings.onFailure == .keep })
        expectEqual(try steps("{on: {set: {pump: \"{value}\"}}}"), [.set(ControlID(1), .on)])
    }

    /// Programs of steps are shared by the actions of all values, and stand behind them.
    @Test func programsOfStepsStandBehindTheActions() throws {
        let reading = read(
            action: "{sequence: [{set: {pump: \"{value}\"}}, {run: [say, \"{value}\"]}], "
                + "timeout: 9s}")
        let plan = try #require(reading.plan)
        expectEqual(
            plan.actions.map(\.command), [.steps, .steps, .run(arguments: ["say", "{value}"])])
        expectEqual(
            plan.relations.sequenceSteps,
            [
                .set(ControlID(1), .off), .run(ActionID(2)), .set(ControlID(1), .on),
                .run(ActionID(2)),
            ])
    }

    @Test func optionsHaveStepsOfTheirOwn() throws {
        let reading = read(
            "speed: {kind: radio-group, label: Speed, selector: [A, B, C], options: [stop, "
                + "{name: slow, action: {output: K}}, "
                + "{name: fast, action: {sequence: [{output: {line: K, pulse: 1s}}, "
                + "{output: L}]}}]}"
        )
        let plan = try #require(reading.plan)
        expectEqual(plan.first.actions, .perValue(first: ActionID(0), present: 0b110))
        expectEqual(plan.first.stepOutputs, PlanRange(first: 3, count: 2))
        expectEqual(plan.lines.map(\.name), ["A", "B", "C", "K", "L"])
        expectEqual(
            plan.relations.sequenceSteps,
            [
                .drive(LineID(3), .active), .pulse(LineID(3), .seconds(1)),
                .drive(LineID(4), .active),
            ])
    }

    /// What becomes of an output at the end is the control's, whoever drives it.
    @Test func exitKeysCountForSteps() throws {
        let plan = try #require(
            read(
                "reset: {kind: button, label: Reset, input: A, on-exit: keep, action: {output: K}}"
            )
            .plan)
        expectEqual(plan.lines.last?.use, .output(exit: .keep))
        let crash = read(
            "reset: {kind: button, label: Reset, input: A, on-crash: off, action: {output: K}}")
        expectEqual(crash.problems.map(\.rule.name), ["crash-level-not-kept"])
        let none = read("reset: {kind: button, label: Reset, input: A, on-exit: keep}")
        expectEqual(none.problems.map(\.rule.name), ["missing-key"])
    }

    @Test func linesHaveOneOwner() {
        expectEqual(
            errors("{sequence: [{output: K}, {output: {line: K, active: low}}]}"),
            [
                "conflicting-keys: `K` is active high at its first use, at line 1, column 109"
            ])
        let two = read(
            "a: {kind: button, label: Start, input: A, action: {output: K}}",
            "b: {kind: button, label: Stop, input: B, action: {output: {line: K, level: off}}}")
        expectEqual(two.problems.map(\.rule.name), ["pin-used-twice"])
        expectEqual(two.problems.map(\.help), ["let `a` drive it, and `set` that control here"])
        let own = read(
            "a: {kind: switch, label: Fan, input: A, output: K, action: {on: {output: K}}}")
        expectEqual(own.problems.map(\.rule.name), ["pin-used-twice"])
        expectEqual(
            own.problems.map(\.help),
            [
                "this line already follows the control's value; remove it in one place"
            ])
        let lines = (0..<33).map { "{output: L\($0)}" }
        let action =
            "{off: {sequence: [\(lines.prefix(20).joined(separator: ", "))]}, "
            + "on: {sequence: [\(lines.suffix(13).joined(separator: ", "))]}}"
        expectEqual(errors(action), ["out-of-range: the actions of this control drive 33 outputs"])
    }

    @Test func valuesThatTheOtherCannotTakeAreNamed() {
        expectEqual(
            errors("{set: {pump: onn}}"),
            [
                "unknown-word: `onn` is not a value of `pump`"
            ])
        expectEqual(
            errors("{set: {mode: \"{value}\"}}"),
            [
                "unknown-word: `off`, a possible `{value}`, is not a value of `mode`",
                "unknown-word: `on`, a possible `{value}`, is not a value of `mode`",
            ])
        expectEqual(errors("{set: {heat: 10}}"), ["out-of-range: `heat` cannot be 10"])
        expectEqual(
            errors("{set: {heat: 1.5}}"),
            [
                "invalid-number: `1.5` is not a number with at most 0 decimals"
            ])
        expectEqual(
            errors("{set: {reset: on}}"),
            [
                "unknown-word: `on` is not a value of `reset`"
            ])
        expectEqual(errors("{set: {main: off}}"), ["action-cycle: `main` sets itself"])
        let lamp = read(
            Self.pump, "lamp: {kind: indicator, label: Lamp, indicator: L, show: pump}",
            "all: {kind: button, label: Reset, input: A, action: {set: {lamp: on}}}")
        expectEqual(lamp.problems.map(\.rule.name), ["wrong-member"])
    }

    @Test func onlyValuesWithWordsArePassedOn() {
        for control in [
            "c: {kind: button, label: Start, input: A, action: {set: {pump: \"{value}\"}}}",
            "c: {kind: dial, label: Heat, encoder: {a: A, b: B}, range: {min: 0, max: 9}, "
                + "action: {set: {pump: \"{value}\"}}}",
        ] {
            expectEqual(read(control, Self.pump).problems.map(\.rule.name), ["wrong-type"])
        }
    }

    @Test func anActionDoesOneThing() {
        expectEqual(
            errors("{output: K, wait: 1s}"),
            [
                "conflicting-keys: `output` and `wait` cannot be in one action"
            ])
        expectEqual(
            errors("{sequence: [{set: {pump: on}, wait: 1s}]}"),
            [
                "conflicting-keys: `set` and `wait` cannot be in one step"
            ])
        expectEqual(errors("{timeout: 1s}"), ["missing-key: the action is empty"])
        expectEqual(errors("{sequence: [{}]}"), ["missing-key: the step is empty"])
    }

    @Test func whatCanHangHasATimeout() {
        expectEqual(
            errors("{sequence: [{set: {pump: on}}, {output: K}]}").map { $0.prefix(22) },
            ["action-without-timeout"])
        expectEqual(errors("{sequence: [{set: {pump: on}}, {output: K}], timeout: 9s}"), [])
        expectEqual(
            errors("{sequence: [{wait: 2s}, {output: {line: K, pulse: 1s}}], timeout: 3s}"),
            [
                "out-of-range: `timeout: 3s` is shorter than the waits and pulses of the action"
            ])
    }

    /// Nobody is there who could confirm.
    @Test func nothingDestructiveIsFired() {
        let wipe =
            "wipe: {kind: button, label: Erase, input: W, role: destructive, "
            + "confirm: {hold: 2s}}"
        let press = "go: {kind: button, label: Start, input: A, action: {set: {wipe: press}}}"
        expectEqual(read(wipe, press).problems.map(\.rule.name), ["wrong-member"])
        expectEqual(read(press, wipe).problems.map(\.rule.name), ["wrong-member"])
        let menu =
            "more: {kind: pull-down, label: More, encoder: {a: M, b: N, push: O}, "
            + "display: {charlcd: /dev/lcd}, items: [{name: Refresh, action: {wait: 1s}}, "
            + "{name: Sub, items: [{name: Sync}, {name: Copy}]}, "
            + "{name: Erase, role: destructive, confirm: {hold: 2s}, action: {output: K}}]}"
        for (item, rules) in [
            ("Refresh", []), ("Erase", ["wrong-member"]), ("Sub", ["wrong-member"]), ("Sync", []),
        ] {
            let go = "go: {kind: button, label: Start, input: A, action: {set: {more: \(item)}}}"
            expectEqual(read(menu, go).problems.map(\.rule.name), rules, "\(item)")
        }
    }

    @Test func membersOfFormsAreLeftToTheForm() {
        let reading = read(
            "hall: {kind: checkbox, label: Hall, input: A, latch: toggle}",
            "save: {kind: button, label: Save, input: B}",
            "settings: {kind: form, label: Settings, members: [hall], apply: save}",
            "all: {kind: button, label: Reset, input: C, action: {set: {hall: on}}}")
        expectEqual(reading.problems.map(\.rule.name), ["wrong-member"])
    }

    /// The other may depend on this one: who is told is no circle, who is asked may be.
    @Test func aControlMaySetOneThatDependsOnIt() {
        let reading = read(
            "main: {kind: switch, label: Main, input: A, action: {off: {set: {pump: off}}}}",
            "pump: {kind: switch, label: Pump, input: B, latch: toggle, enabled-when: main is on}")
        expectEqual(ProblemRenderer.text(reading.problems), "")
    }

    @Test func pulsesOfOutputsNeedOutputsThatTakeTurns() {
        let radio = "r: {kind: radio-group, label: Range, selector: [A, B], "
        let none = read(radio + "options: [x, y], pulse: 1s}")
        expectEqual(none.problems.map(\.rule.name), ["missing-key"])
        let lever = read("c: {kind: switch, label: Lamp, input: A, pulse: 1s}")
        expectEqual(lever.problems.map(\.rule.name), ["missing-key"])
        let both = read(
            radio + "options: [x, y], outputs: [K, L], pulse: 1s, transition: make-before-break}")
        expectEqual(both.problems.map(\.rule.name), ["conflicting-keys"])
        let momentary = read(
            "m: {kind: segmented, label: Jog, buttons: [A, B], selection: momentary, "
                + "options: [{name: Up, output: K}, Down]}")
        expectEqual(momentary.problems.map(\.rule.name), ["conflicting-keys"])
    }

    /// A small file cannot make a plan without bound.
    @Test func stepsOfAPanelAreBounded() {
        let names = (0..<24).map { "o\($0)" }.joined(separator: ", ")
        let lines = (0..<5).map { "L\($0)" }
        let sets = (0..<32).map { _ in "{set: {c0: \"{value}\"}}" }.joined(separator: ", ")
        let controls = (0..<100).map { index in
            let inputs = lines.map { "\($0)x\(index)" }.joined(separator: ", ")
            return "c\(index): {kind: radio-group, label: Range, selector: {lines: [\(inputs)], "
                + "code: binary}, options: [\(names)]"
                + (index == 0 ? "}" : ", action: {sequence: [\(sets)]}}")
        }
        let reading = read(controls.joined(separator: ", "))
        let errors = reading.problems.filter { $0.severity == .error }
        expectEqual(errors.map(\.rule.name), ["out-of-range"])
        #expect(reading.plan == nil)
    }
}
