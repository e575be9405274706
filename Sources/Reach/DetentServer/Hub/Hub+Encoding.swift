import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld

/// Messages to clients, as described in docs/http.md.
extension Hub {
    /// The panel and its state; with `one`, only this control in `controls` and `state`.
    func snapshotMembers(
        _ role: AccessRole, of one: ControlID? = nil, now: Instant
    ) -> [(String, JSONValue)] {
        let controls = one.map { [$0] } ?? plan.allControls
        let panel: JSONValue = [
            "name": .string(plan.name), "board": .text(plan.board),
            "lampTest": plan.settings.lampTest.map { .string(plan[$0].id) } ?? .null,
            "patterns": PatternWords.json,
            "groups": .array(
                plan.groupHelps.map { ["name": .string($0.name), "help": .string($0.help)] }),
            "controls": .array(controls.map { ControlDescription($0, of: plan).json }),
        ]
        var members: [(String, JSONValue)] = [
            ("session", .string(session)), ("seq", number(history.last)),
            ("at", moment(panelTime(now))),
            ("mode", .string(simulation == nil ? "hardware" : "simulated")),
            ("role", .string(role.word)),
            ("panel", panel), ("state", statesJSON(controls)),
        ]
        if let simulationState {
            members.append(("clock", .object(clockMembers(simulationState))))
            members.append(("simulation", .object(simulationMembers(simulationState))))
        }
        return members
    }

    func snapshotMessage(_ role: AccessRole, isLost: Bool, now: Instant) -> JSONValue {
        var members = snapshotMembers(role, now: now)
        members.insert(("type", "snapshot"), at: 0)
        members.insert(("lost", .bool(isLost)), at: 5)
        return .object(members)
    }

    func eventsMessage(_ entries: [EventHistory.Entry]) -> JSONValue {
        ["type": "events", "events": eventsJSON(entries)]
    }

    /// Event lines with their numbers first.
    func eventsJSON(_ entries: [EventHistory.Entry]) -> JSONValue {
        .array(
            entries.map { entry in
                .object(
                    [("seq", number(entry.number))]
                        + EventLine.members(entry.report, plan: plan, at: entry.at))
            })
    }

    func stateMessage(_ controls: [ControlID], now: Instant) -> JSONValue {
        [
            "type": "state", "at": moment(panelTime(now)),
            "state": statesJSON(controls),
        ]
    }

    private func statesJSON(_ controls: [ControlID]) -> JSONValue {
        .object(
            controls.compactMap { control in
                let place = Int(control.index)
                guard states.indices.contains(place), states[place] != nil else { return nil }
                return (plan.controls[place].id, stateJSON(control))
            })
    }

    func clockMessage(now: Instant) -> JSONValue {
        let state = simulation?.state ?? SimulationState()
        return .object(
            [("type", "clock"), ("at", moment(state.now))] + clockMembers(state))
    }

    private func clockMembers(_ state: SimulationState) -> [(String, JSONValue)] {
        [("running", .bool(state.isRunning)), ("rate", .number(state.rateText))]
    }

    /// What is simulated.
    ///
    /// - Parameter isNow: as it is now, in place of what all listeners know.
    func simulationMessage(isNow: Bool = false) -> JSONValue {
        let state = isNow ? simulation?.state : simulationState
        return .object(
            [("type", "simulation")] + simulationMembers(state ?? SimulationState()))
    }

    private func simulationMembers(_ state: SimulationState) -> [(String, JSONValue)] {
        let faults = state.faults.sorted { $0.key < $1.key }.compactMap { line, fault in
            plan.lines.indices.contains(Int(line.index))
                ? (plan[line].name, JSONValue.string(fault.word)) : nil
        }
        let bounces = named(state.bounces) { .string($0) }
        let actions = named(state.actions) { .object($0.members) }
        return [
            ("faults", .object(faults)), ("bounce", .object(bounces)),
            ("actions", .object(actions)),
            ("asked", .object(named(state.asked) { .string($0) })),
            ("firstBounce", .string(state.firstBounce)),
            ("profiles", .strings(state.profiles)),
            ("waiting", .whole(state.waitingGestures)),
            ("refused", .whole(state.refusedGestures)),
            ("recorded", .whole(state.recordedSteps)),
            ("recording", .bool(state.isRecording)),
            ("realActions", .bool(state.runsRealActions)),
        ]
    }

    private func named<Item>(
        _ items: [ControlID: Item], _ json: (Item) -> JSONValue
    ) -> [(String, JSONValue)] {
        items.sorted { $0.key < $1.key }.compactMap { control, item in
            plan.controls.indices.contains(Int(control.index))
                ? (plan[control].id, json(item)) : nil
        }
    }

    func wavesMessage(_ points: [PendingWaves.Point], _ lines: [LineID]) -> JSONValue {
        let groups = Dictionary(grouping: points, by: \.line)
        let told = lines.compactMap { line -> JSONValue? in
            guard let own = groups[line] else { return nil }
            let list = { (isContact: Bool) in
                JSONValue.array(
                    own.filter { $0.isContact == isContact }.map {
                        .array([self.moment($0.at), .integer($0.level == .active ? 1 : 0)])
                    })
            }
            return [
                "name": .string(plan[line].name), "raw": list(false),
                "contact": list(true), "gap": .bool(waves.isGap),
            ]
        }
        return [
            "type": "waves", "until": moment(waves.until), "lines": .array(told),
        ]
    }

    func moment(_ moment: Instant) -> JSONValue { number(moment.nanoseconds) }

    func number(_ number: UInt64) -> JSONValue { .number(String(number)) }
}

extension SimulationState {
    /// The rate as a number, such as 1 or 0.1.
    fileprivate var rateText: String {
        var text = DecimalNumber.text(units: Int64(rate), decimals: 3)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }
}

extension ActionScript {
    fileprivate var members: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [
            ("takes", .string(DurationText.text(takes))), ("then", .string(ending.word)),
        ]
        if case .fail(let code) = ending { members.append(("code", .whole(code))) }
        if let answer { members.append(("answer", .string(answer))) }
        return members
    }
}

extension LineFault {
    fileprivate var word: String {
        switch self {
        case .cut: "cut"
        case .stuck(.active): "stuck-active"
        case .stuck(.inactive): "stuck-inactive"
        }
    }
}
