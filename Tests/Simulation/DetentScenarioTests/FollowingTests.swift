import DetentCore
import DetentPanel
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentScenario

/// A panel that follows another one by a reload, in virtual time.
@Suite struct FollowingTests {
    private static let parts = [
        "power: {kind: switch, label: Power, input: P, output: PO, indicator: PL, "
            + "action: {run: [psu], timeout: 5s}}",
        "range: {kind: radio-group, label: Range, selector: [R1, R2, R3], options: [a, b, c], "
            + "outputs: {a: OA, b: OB, c: OC}, transition: break-before-make, dead-time: 20ms, "
            + "enabled-when: power is on}",
        "jog: {kind: dial, label: Jog, encoder: {a: EA, b: EB}, range: {min: 0, max: 50}}",
        "go: {kind: button, label: Go, input: G, indicator: GL, hold: 500ms, "
            + "action: {sequence: [{output: {line: GO, pulse: 300ms}}, {wait: 200ms}, "
            + "{set: {latch: on}}], timeout: 9s}}",
        "latch: {kind: toggle-button, label: Latch, input: L, indicator: LL, auto-off: 3s}",
    ]

    private func plan(_ parts: [String]) throws -> PanelPlan {
        let text = "panel: Test\nboard: none\ncontrols:\n" + parts.map { "  \($0)\n" }.joined()
        let (plan, problems) = PanelReader.read(SourceText(file: "p.yaml", text: text))
        return try #require(plan, "\(ProblemRenderer.text(problems))")
    }

    /// A panel with a finger, and everything that it told, as text with the names of its own plan.
    private final class Desk {
        let panel: VirtualPanel
        var told: [String] = []
        var writes: [String] = []

        init(_ plan: PanelPlan, seed: UInt64) throws {
            var scripts: [ControlID: ActionScript] = [:]
            if let power = plan.control(named: "power") {
                scripts[power] = ActionScript(takes: .milliseconds(400))
            }
            panel = try VirtualPanel(
                plan, seed: seed, bounce: BounceSelection.named("worn").choice ?? .all(.none),
                actions: scripts,
                keepsState: true)
            take()
        }

        func take() {
            let plan = panel.plan
            panel.takeRecord { record in
                for entry in VirtualRecord.ordered(record.entries) {
                    told.append(EventLine.text(entry.report, plan: plan, at: entry.at))
                }
                for write in record.writes {
                    writes.append("\(write.at.nanoseconds) \(plan[write.line].name) \(write.level)")
                }
            }
        }

        func run(_ milliseconds: UInt64) {
            panel.run(until: panel.now + .milliseconds(milliseconds))
            take()
        }

        func follow(_ plan: PanelPlan) throws -> PanelDifference {
            let difference = PanelDifference(from: panel.plan, to: plan)
            let errors = try panel.replacePlan(plan, difference, scripts: [:])
            expectEqual(errors, [])
            take()
            return difference
        }

        func make(_ id: String, _ gesture: (ControlID) -> Gesture) throws {
            let control = try #require(panel.plan.control(named: id))
            try panel.begin([PartGesture(gesture(control), control)])
            take()
        }

        func state(_ id: String) throws -> ControlSnapshot {
            let control = try #require(panel.plan.control(named: id))
            return try #require(panel.snapshot(of: control))
        }
    }

    /// A user who does the same on both desks, at the same moments.
    private func act(_ desk: Desk, _ random: inout SplitMix64) throws {
        switch random.below(7) {
        case 0: try? desk.make("power") { .flip($0, to: 1) }
        case 1: try? desk.make("power") { .flip($0, to: 0) }
        case 2:
            let position = Int(random.below(3))
            try? desk.make("range") { .select($0, position) }
        case 3: try? desk.make("jog") { .turn($0, detents: 3, perSecond: 20) }
        case 4: try? desk.make("go") { .click($0, hold: .milliseconds(80)) }
        case 5: try? desk.make("latch") { .click($0, hold: .milliseconds(60)) }
        default: break
        }
        desk.run(random.below(40) + 1)
    }

    /// Reloads that only move controls change no event and no write, whatever is under way.
    @Test(arguments: TestLength.seeds(1...60)) func anotherOrderChangesNothing(seed: UInt64)
        throws
    {
        let orders = try [
            plan(Self.parts), plan(Self.parts.reversed()),
            plan(Array(Self.parts[2...] + Self.parts[..<2])),
        ]
        let still = try Desk(orders[0], seed: seed)
        let moved = try Desk(orders[0], seed: seed)
        var hands = [SplitMix64(seed: seed, stream: 1), SplitMix64(seed: seed, stream: 1)]
        var when = SplitMix64(seed: seed, stream: 2)
        for _ in 0..<TestLength.size(short: 60, long: 150) {
            try act(still, &hands[0])
            try act(moved, &hands[1])
            if when.chance(percent: 25) {
                let difference = try moved.follow(orders[Int(when.below(3))])
                #expect(difference.changed.isEmpty && difference.added.isEmpty)
            }
        }
        for desk in [still, moved] { desk.run(12_000) }
        // At one instant the order of controls is that of the file.
        expectEqual(moved.told.sorted(), still.told.sorted())
        expectEqual(moved.writes.sorted(), still.writes.sorted())
        #expect(still.told.count > 20)
    }

    @Test func whatIsUnderWayGoesOn() throws {
        let desk = try Desk(try plan(Self.parts), seed: 1)
        desk.run(1_000)
        try desk.make("power") { .flip($0, to: 1) }
        desk.run(200)
        expectEqual(try desk.state("power").phase, .loading)
        desk.writes = []
        let more = ["extra: {kind: checkbox, label: Extra, input: X}"] + Self.parts
        let difference = try desk.follow(try plan(more))
        expectEqual(difference.summary, "1 control added (extra)")
        expectEqual(try desk.state("power").phase, .loading)
        #expect(desk.writes.isEmpty)
        desk.run(600)
        let state = try desk.state("power")
        #expect(state.phase == .idle && state.actual == .on)
    }

    /// Another debounce time: the value stays, and neither the lamp nor the output moves.
    @Test func aChangedControlKeepsItsValueAndItsLevels() throws {
        let before = "fan: {kind: switch, label: Fan, input: F, output: FO, indicator: FL}"
        let after =
            "fan: {kind: switch, label: Fan, input: F, output: FO, indicator: FL, debounce: 9ms}"
        let desk = try Desk(try plan([before]), seed: 1)
        desk.run(1_000)
        try desk.make("fan") { .flip($0, to: 1) }
        desk.run(1_000)
        desk.writes = []
        desk.told = []
        let difference = try desk.follow(try plan([after]))
        expectEqual(difference.changed, ["fan"])
        desk.run(1_000)
        let state = try desk.state("fan")
        #expect(state.desired == .on && state.actual == .on && state.outputs == 1)
        #expect(desk.writes.isEmpty && desk.panel.level(of: LineID(1)) == .active)
        try desk.make("fan") { .flip($0, to: 0) }
        desk.run(1_000)
        expectEqual(try desk.state("fan").desired, .off)
    }

    /// Times of gestures and of settling are not of the part: a finger stays on a button, and what
    /// was turned stays turned.
    @Test(arguments: [
        ("button", "input: A, hold: 1s", "input: A, hold: 3s", "press a"),
        (
            "dial", "encoder: {a: A, b: B, push: C}, hold: 1s, range: {min: 0, max: 9}",
            "encoder: {a: A, b: B, push: C}, hold: 3s, range: {min: 0, max: 9}", "press a"
        ),
        (
            "dial",
            "encoder: {a: A, b: B, push: C, transitions: 1}, hold: 1s, range: {min: 0, max: 9}",
            "encoder: {a: A, b: B, push: C, transitions: 1}, hold: 3s, range: {min: 0, max: 9}",
            "turn a +1"
        ),
        (
            "radio-group", "selector: [A, B, C], options: [x, y, z], settle: 30ms",
            "selector: [A, B, C], options: [x, y, z], settle: 50ms", "select a 2"
        ),
        (
            "three-way", "lever: {up: A, down: B}, settle: 30ms",
            "lever: {up: A, down: B}, settle: 50ms", "flip a 0"
        ),
    ])
    func anotherTimeMovesNoPart(kind: String, before: String, after: String, move: String) throws {
        let desk = try Desk(try plan(["a: {kind: \(kind), label: A, \(before)}"]), seed: 1)
        desk.run(1_000)
        func levels() -> [Level] {
            desk.panel.plan.lines.indices.map { desk.panel.level(of: LineID(UInt16($0))) }
        }
        let rest = levels()
        try desk.make("a") { control in
            switch move {
            case "press a": .press(control, button: 0)
            case "turn a +1": .turn(control, detents: 1, perSecond: 20)
            case "select a 2": .select(control, 2)
            default: .flip(control, to: 0)
            }
        }
        desk.run(500)
        let moved = levels()
        #expect(moved != rest)
        expectEqual(
            try desk.follow(try plan(["a: {kind: \(kind), label: A, \(after)}"])).changed, ["a"])
        desk.run(2_000)
        expectEqual(levels(), moved, "\(move)")
    }

    /// An attempt of a control that changes ends without an effect; one that is removed, too.
    @Test func attemptsOfOtherControlsAreForgotten() throws {
        let power = Self.parts[0]
        let desk = try Desk(try plan([power, Self.parts[4]]), seed: 1)
        desk.run(1_000)
        try desk.make("power") { .flip($0, to: 1) }
        desk.run(200)
        let slower = power.split(separator: "5s").joined(separator: "6s")
        _ = try desk.follow(try plan([slower, Self.parts[4]]))
        desk.run(1_000)
        let state = try desk.state("power")
        #expect(state.desired == .on && state.actual == .unknown && state.phase == .idle)
        #expect(state.flags.contains(.unconfirmed))
        try desk.make("power") { .flip($0, to: 0) }
        desk.run(200)
        _ = try desk.follow(try plan([Self.parts[4]]))
        desk.run(1_000)
        expectEqual(desk.panel.plan.controls.count, 1)
    }

    private static let derived = [
        "one: {kind: checkbox, label: One, input: A}",
        "two: {kind: checkbox, label: Two, input: B}",
        "both: {kind: checkbox-group, label: Both, members: [one, two]}",
        "shown: {kind: indicator, label: Shown, show: one, indicator: L, output: O}",
        "all: {kind: form, label: All, members: [mode], apply: use}",
        "mode: {kind: toggle-button, label: Mode, input: C}",
        "use: {kind: button, label: Use, input: D}",
    ]

    /// A group, an indicator and a form have no value that could be asked for; they keep theirs.
    @Test(arguments: ["both", "shown", "all"])
    func aDerivedControlThatStartsAgainTellsNothing(id: String) throws {
        let desk = try Desk(try plan(Self.derived), seed: 1)
        desk.run(1_000)
        try desk.make("one") { .flip($0, to: 1) }
        desk.run(1_000)
        let mode = try #require(desk.panel.plan.control(named: "mode"))
        desk.panel.send(.intent(mode, .on, .api))
        desk.run(1_000)
        expectEqual(try desk.state("both").desired, .mixed)
        #expect(try desk.state("shown").desired == .on && desk.state("all").desired == .on)
        desk.told = []
        desk.writes = []
        let control = try #require(desk.panel.plan.control(named: id))
        let before = try desk.state(id)
        expectEqual(try desk.panel.reload(touching: [control]), [])
        desk.run(1_000)
        // Its lamp and its flags are told again, and not its value.
        let values = desk.told.filter { line in
            ["changed", "confirmed"].contains { line.contains("\"event\": \"\($0)\"") }
        }
        expectEqual(values, [])
        expectEqual(desk.writes, [])
        expectEqual(try desk.state(id), before)
    }

    /// The same file: nothing is told, whatever is under way, and everything goes on.
    @Test(arguments: TestLength.seeds(1...20)) func theSameFileChangesNothing(seed: UInt64)
        throws
    {
        let still = try Desk(try plan(Self.parts), seed: seed)
        let moved = try Desk(try plan(Self.parts), seed: seed)
        var hands = [SplitMix64(seed: seed, stream: 1), SplitMix64(seed: seed, stream: 1)]
        for step in 0..<100 {
            try act(still, &hands[0])
            try act(moved, &hands[1])
            guard step % 5 == 0 else { continue }
            let told = moved.told.count
            expectEqual(try moved.panel.reload(touching: []), [])
            moved.take()
            expectEqual(moved.told.count, told)
        }
        for desk in [still, moved] { desk.run(12_000) }
        #expect(moved.told == still.told && moved.writes == still.writes)
        #expect(still.told.count > 20)
    }

    /// A control that is touched starts again, as after another setting: its attempt is forgotten.
    @Test func aTouchedControlStartsAgain() throws {
        let desk = try Desk(try plan([Self.parts[0], Self.parts[4]]), seed: 1)
        desk.run(1_000)
        try desk.make("power") { .flip($0, to: 1) }
        desk.run(200)
        expectEqual(try desk.state("power").phase, .loading)
        expectEqual(try desk.panel.reload(touching: []), [])
        expectEqual(try desk.state("power").phase, .loading)
        expectEqual(try desk.panel.reload(touching: [ControlID(0)]), [])
        desk.run(1_000)
        let state = try desk.state("power")
        #expect(state.desired == .on && state.actual == .unknown && state.phase == .idle)
    }

    /// What was heard before an action is passed on again after a reload, and says nothing of it.
    @Test func anOldReportOverridesNoActionAfterAReload() throws {
        let desk = try Desk(try plan([Self.parts[0], Self.parts[4]]), seed: 1)
        desk.run(1_000)
        let heard = desk.panel.now
        try desk.make("power") { .flip($0, to: 1) }
        desk.run(2_000)
        expectEqual(try desk.state("power").actual, .on)
        expectEqual(try desk.panel.reload(touching: [ControlID(0)]), [])
        desk.panel.send(.feedback(ControlID(0), .off, asked: heard))
        expectEqual(try desk.state("power").desired, .on)
        desk.panel.send(.feedback(ControlID(0), .off, asked: desk.panel.now))
        expectEqual(try desk.state("power").desired, .off)
    }

    /// Options in another order: a saved value is found by its name.
    @Test func savedValuesAreFoundByName() throws {
        func dial(_ options: String) -> String {
            "mode: {kind: pop-up, label: Mode, encoder: {a: A, b: B, push: C}, "
                + "options: [\(options)], startup: saved}"
        }
        let former = try plan([dial("low, mid, high")])
        let next = try plan([dial("high, low, mid")])
        let difference = PanelDifference(from: former, to: next)
        let values = difference.savedValues(of: former, in: next) { _ in Value(2) }
        expectEqual(values.values, [SavedValue(control: ControlID(0), value: Value(0))])
        expectEqual(values.notes, [])
    }
}
