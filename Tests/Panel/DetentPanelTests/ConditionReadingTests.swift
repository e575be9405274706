import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// The text of `enabled-when`: its steps in postfix order, or why it is refused.
@Suite struct ConditionReadingTests {
    private static let controls =
        "main: {kind: switch, label: Main, input: A}, "
        + "level: {kind: dial, label: Level, encoder: {a: B, b: C}, range: {min: 0, max: 9}}, "
        + "mode: {kind: radio-group, label: Mode, selector: [D, E, F], "
        + "options: [auto, now and then, two words]}, "
        + "bus: {kind: segmented, label: Bus, buttons: [G, H], selection: multiple, "
        + "options: [x, y]}, "
        + "hall: {kind: checkbox, label: Hall, input: I}, "
        + "all: {kind: checkbox-group, label: All, members: [hall]}, "
        + "dir: {kind: three-way, label: Dir, lever: {up: J, down: K}}, "
        + "go: {kind: button, label: Go, input: L}"

    private static func read(_ condition: String) -> PanelReader.Reading {
        KeyCase.read(
            "panel: P, board: none, mqtt: {url: \"mqtt://hub\"}, controls: {\(controls), "
                + "fan: {kind: switch, label: Fan, input: M, enabled-when: '\(condition)'}}")
    }

    private static let main = ControlID(0)
    private static let level = ControlID(1)
    private static let mode = ControlID(2)
    private static let bus = ControlID(3)
    private static let hall = ControlID(4)
    private static let all = ControlID(5)
    private static let mainIsOn = ConditionStep.compare(main, .equal, .on)
    private static let hallIsOn = ConditionStep.compare(hall, .equal, .on)

    static let conditions: [(text: String, steps: [ConditionStep])] = [
        ("main", [mainIsOn]), ("main is on", [mainIsOn]), (" ( main ) ", [mainIsOn]),
        ("main is not on", [.compare(main, .different, .on)]),
        ("main is off", [.compare(main, .equal, .off)]),
        ("main is unknown", [.compare(main, .equal, .unknown)]),
        ("not main", [mainIsOn, .not]),
        ("main or hall and not main", [mainIsOn, hallIsOn, mainIsOn, .not, .and, .or]),
        ("(main or hall)and main", [mainIsOn, hallIsOn, .or, mainIsOn, .and]),
        ("main or hall or main", [mainIsOn, hallIsOn, .or, mainIsOn, .or]),
        ("main and hall and main", [mainIsOn, hallIsOn, .and, mainIsOn, .and]),
        ("any failed", [.any(.failed)]), ("not any fault", [.any(.fault), .not]),
        ("main and any mismatch", [mainIsOn, .any(.mismatch), .and]),
        ("broker is offline", [.brokerIsOffline]),
        ("(broker is not offline)or main", [.brokerIsOffline, .not, mainIsOn, .or]),
        ("level<3", [.compare(level, .less, Value(3))]),
        ("level <= 3", [.compare(level, .lessOrEqual, Value(3))]),
        ("level>3", [.compare(level, .greater, Value(3))]),
        ("level >=3 and main", [.compare(level, .greaterOrEqual, Value(3)), mainIsOn, .and]),
        ("level is 3", [.compare(level, .equal, Value(3))]),
        ("mode is auto", [.compare(mode, .equal, Value(0))]),
        ("mode is \"now and then\"", [.compare(mode, .equal, Value(1))]),
        (
            "mode is not\"now and then\"and main",
            [
                .compare(mode, .different, Value(1)), mainIsOn, .and,
            ]
        ),
        ("mode is two  words or main", [.compare(mode, .equal, Value(2)), mainIsOn, .or]),
        ("bus has y", [.compare(bus, .contains, Value(1))]),
        ("bus is x+y", [.compare(bus, .equal, Value(3))]),
        ("bus is none", [.compare(bus, .equal, Value(0))]),
        ("all is mixed", [.compare(all, .equal, .mixed)]),
        ("dir is up", [.compare(ControlID(6), .equal, .up)]),
    ]

    @Test(arguments: conditions)
    func isReadInPostfixOrder(text: String, steps: [ConditionStep]) throws {
        let reading = Self.read(text)
        expectEqual(ProblemRenderer.text(reading.problems), "")
        let plan = try #require(reading.plan)
        let rules = try #require(plan.relation(of: plan.controls[8]))
        expectEqual(plan.relations.conditionSteps[rules.condition.places], steps[...])
        expectEqual(plan.controls[8].layout.enabledWhen, text)
        let storage = EngineStorage(for: plan.capacity)
        _ = try plan.makeEngine(in: storage)
    }

    static let refused: [(text: String, cause: String)] = [
        ("main) or hall", "expected `and`, `or` or the end, not `)`"),
        ("main \"x\"", "expected `and`, `or` or the end, not `x`"),
        ("(main or hall", "a bracket is not closed"),
        ("mode is \"auto", "a quotation mark is not closed"),
        ("mode is auto\" and main", "a quotation mark is not closed"),
        ("main and", "the condition is incomplete: a control is missing at the end"),
        ("main or", "the condition is incomplete: a control is missing at the end"),
        ("not", "the condition is incomplete: a control is missing at the end"),
        ("(", "the condition is incomplete: a control is missing at the end"),
        ("and main", "expected a control, not `and`"),
        ("main or is", "expected a control, not `is`"),
        ("not )", "expected a control, not `)`"),
        ("any", "after `any` comes what any control can have"),
        ("any is on", "after `any` comes what any control can have, not `is`"),
        ("any failde", "after `any` comes what any control can have, not `failde`"),
        ("any failed fault", "expected `and`, `or` or the end, not `fault`"),
        ("broker", "a condition asks of the broker only whether it is offline"),
        ("broker is online", "a condition asks of the broker only whether it is offline"),
        ("broker offline", "a condition asks of the broker only whether it is offline"),
        ("go is press", "`go` keeps no state, so it cannot be compared"),
        ("main has on", "`main` has only one value; use `is`, not `has`"),
        ("mode < 1", "`mode` is not a number; use `is`, not `<`"),
        ("main >= 1", "`main` is not a number; use `is`, not `>=`"),
        ("level", "`level` has nothing to be compared with"),
        ("level is", "`level` has nothing to be compared with"),
        ("level is and main", "`level` has nothing to be compared with"),
        ("main is mixed", "`mixed` is not a value of `main`"),
        ("main is on off", "`on off` is not a value of `main`"),
        ("mode is autoo", "`autoo` is not a value of `mode`"),
        ("bus has z", "`z` is not a value of `bus`"),
        ("level < low", "`low` is not a value of `level`"),
    ]

    @Test(arguments: refused) func isRefusedWithItsCause(text: String, cause: String) throws {
        let reading = Self.read(text)
        #expect(reading.plan == nil)
        expectEqual(reading.problems.map(\.rule), [.invalidCondition])
        let problem = try #require(reading.problems.first)
        expectEqual(problem.text, cause)
        #expect(!problem.help.isEmpty)
    }

    @Test(arguments: [
        ("mode is autoo", "did you mean `auto`? allowed: auto, now and then, two words"),
        ("level < low", "give a number"),
        (
            "any failde",
            "did you mean `failed`? write `any failed`, `any fault` or `any mismatch`"
        ),
        ("broker is away", "write `broker is offline` or `broker is not offline`"),
        (
            "main has on",
            "example: `main is on and not (mode is "
                + "auto)`"
        ),
    ])
    func theRemedyIsNamed(text: String, help: String) {
        expectEqual(Self.read(text).problems.map(\.help), [help])
    }

    @Test func anUnknownControlIsToldOnce() {
        expectEqual(Self.read("mian is on").problems.map(\.rule), [.unknownControl])
        expectEqual(Self.read("main and (hall or mian)").problems.map(\.rule), [.unknownControl])
    }

    @Test(arguments: [
        ("(", ")", 31, "brackets and `not` are nested more than 32 deep"),
        ("not ", "", 30, "`not` is nested more than 32 deep"),
    ])
    func depthIsBounded(open: String, close: String, most: Int, cause: String) {
        func problems(_ depth: Int) -> [String] {
            Self.read(
                String(repeating: open, count: depth) + "main"
                    + String(repeating: close, count: depth)
            ).problems.map(\.text)
        }
        expectEqual(problems(most), [])
        expectEqual(problems(most + 1), [cause])
        expectEqual(problems(most + 2), [cause])
    }

    /// A comparison that is the same for every number is a slip; that of the ends is not.
    @Test(arguments: [
        ("level < 0", "`level < 0` is never true: `level` goes from 0 to 9"),
        ("level >= 0", "`level >= 0` is always true: `level` goes from 0 to 9"),
        ("level is not 10", "`level not 10` is always true: `level` goes from 0 to 9"),
        ("level > 8", nil), ("level is 9", nil), ("level is unknown", nil), ("level is 0", nil),
    ])
    func constantComparisonsAreWarnedAbout(text: String, cause: String?) {
        let reading = Self.read(text)
        expectEqual(reading.problems.map(\.text), [cause].compactMap { $0 })
        #expect(reading.problems.allSatisfy { $0.rule == .conditionConstant })
        #expect(reading.plan != nil)
    }

    /// A control of that name is meant, and the reader is told.
    @Test(arguments: [
        (
            "any", "any is on",
            "`any` is the control of this name here, not all controls, as in "
                + "`any failed`"
        ),
        (
            "broker", "broker",
            "`broker` is the control of this name here, not the broker, as in "
                + "`broker is offline`"
        ),
    ])
    func aControlOfThatNameWins(id: String, condition: String, warning: String) throws {
        let reading = KeyCase.read(
            "panel: P, board: none, mqtt: {url: \"mqtt://hub\"}, controls: {\(id): "
                + "{\(Base.lever)}, fan: {kind: switch, label: Fan, input: M, "
                + "enabled-when: \(condition)}}")
        expectEqual(reading.problems.map(\.text), [warning])
        expectEqual(
            reading.plan?.relations.conditionSteps, [.compare(ControlID(0), .equal, .on)])
    }

    @Test func theBrokerOfAPanelWithoutOneIsNot() {
        let reading = KeyCase.read(
            "panel: P, board: none, controls: {c: {\(Base.lever), "
                + "enabled-when: broker is not offline}}")
        expectEqual(reading.problems.map(\.text), ["`broker is offline` needs a broker"])
    }

    /// A control depends on no other one by it, so that two may ask.
    @Test func lookingAtAllIsNoCircle() {
        let reading = KeyCase.read(
            "panel: P, board: none, controls: {a: {\(Base.lever), enabled-when: not any fault}, "
                + "b: {\(Base.secondLever), enabled-when: a is on and not any failed}}")
        expectEqual(reading.problems.map(\.text), [])
        expectEqual(reading.plan?.relations.links, [ControlID(1)])
    }
}
