import DetentTypes

@testable import DetentCore

/// Benches of controls with a contract.
extension Bench {
    /// A destructive control on a button on line 0 with one action; with a guard's contact on
    /// line 1.
    static func destructive(
        _ confirm: ConfirmSettings, hasGuard: Bool = false, isConditional: Bool = false,
        kind: ControlNature = .button
    ) -> Bench {
        var relations = Relations()
        let condition =
            isConditional ? relations.condition(.compare(ControlID(1), .equal, .on)) : .none
        let button = relations.rules {
            $0.confirm = confirm
            $0.condition = condition
        }
        let listeners = relations.link(0)
        let main = relations.rules { $0.listeners = listeners }
        let bench = Bench(
            lines: [DebounceSettings.none, DebounceSettings.none],
            actions: [ActionSettings(timeout: .seconds(5))],
            controls: [
                ControlSettings(
                    nature: kind, contacts: PlanRange(first: 0, count: hasGuard ? 2 : 1),
                    decoder: .button(ButtonSettings()), actions: .any(ActionID(0)),
                    hasGuard: hasGuard, relation: button),
                ControlSettings(
                    nature: .onOff(latch: .toggle), startup: StartupSettings(rule: .value(.on)),
                    relation: main),
            ], relations: relations)
        bench.answersReadings = true
        _ = bench.send(.start, 0)
        return bench
    }

    /// Two buttons on lines 0 and 1, and a destructive control 2 that they fire together, with a
    /// button of its own on line 2 where `hasOwn` says so.
    static func chord(
        hold: TimeSpan = .zero, hasOwn: Bool = false,
        kind: ControlNature = .button, startsHeld: Bool = false
    ) -> Bench {
        var relations = Relations()
        let listeners = relations.link(2)
        let members = relations.link(0, 1)
        let first = relations.rules { $0.listeners = listeners }
        let second = relations.rules { $0.listeners = listeners }
        let condition = relations.condition(.compare(ControlID(3), .equal, .on))
        let chord = relations.rules {
            $0.confirm = .chord(hold: hold)
            $0.members = members
            $0.condition = condition
        }
        let main = relations.rules { $0.listeners = listeners }
        func button(_ line: UInt16, _ rules: RelationID) -> ControlSettings {
            ControlSettings(
                nature: .button, contacts: PlanRange(first: line, count: 1),
                decoder: .button(ButtonSettings()), relation: rules)
        }
        let own = PlanRange(first: 2, count: hasOwn ? 1 : 0)
        let bench = Bench(
            lines: [DebounceSettings.none, DebounceSettings.none, DebounceSettings.none],
            actions: [ActionSettings(timeout: .seconds(5))],
            controls: [
                button(0, first), button(1, second),
                ControlSettings(
                    nature: kind, contacts: own,
                    decoder: hasOwn ? .button(ButtonSettings()) : .none,
                    actions: .any(ActionID(0)), relation: chord),
                ControlSettings(
                    nature: .onOff(latch: .toggle), startup: StartupSettings(rule: .value(.on)),
                    relation: main),
            ], relations: relations)
        bench.answersReadings = true
        if startsHeld {
            for line in 0..<3 as Range<UInt16> {
                _ = bench.send(.reading(LineID(line), .active), 0)
                bench.levels[line] = .active
            }
        }
        _ = bench.send(.start, 0)
        return bench
    }

    func fire(
        _ millisecond: Int, value: Value = .on, control: UInt16 = 0, origin: Origin = .web,
        isConfirmed: Bool = false
    ) -> [String] {
        run(millisecond)
            + send(
                .fire(ControlID(control), value, origin, isConfirmed: isConfirmed), millisecond)
    }

    func press(_ line: UInt16, _ millisecond: Int) -> [String] { edge(line, .active, millisecond) }

    func release(_ line: UInt16, _ millisecond: Int) -> [String] {
        edge(line, .inactive, millisecond)
    }

    /// A press and a release, 10 ms after one another.
    func click(_ line: UInt16, _ millisecond: Int) -> [String] {
        press(line, millisecond) + release(line, millisecond + 10)
    }
}

/// Effects without those of gestures, which dialogues about contracts need not repeat.
func withoutGestures(_ log: [String]) -> [String] {
    log.filter { line in
        !["pressed", "released", "clicked", "held"].contains { line.hasSuffix(" c0 " + $0) }
            && !line.contains(" c1 pressed") && !line.contains(" c1 released")
            && !line.contains(" c1 clicked")
    }
}
