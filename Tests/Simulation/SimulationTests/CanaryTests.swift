import DetentCore
import DetentPanel
import DetentScenario
import DetentSoak
import DetentTypes
import DetentWorld
import TestSupport
import Testing

/// A checker that sees nothing proves nothing: for each invariant a true history is doctored, and
/// exactly that invariant must notice.
@Suite("The checker sees")
struct CanaryTests {
    @Test(arguments: Invariant.allCases)
    func doctored(invariant: Invariant) throws {
        let plan = try #require(Self.plan(for: invariant))
        var user = try PanelUser(seed: 1, plan: plan)
        try user.round(60)
        expectEqual(InvariantChecker.violations(user.history, of: plan), [])
        var history = user.history
        try #require(
            doctor(&history, invariant) { plan.controls[Int($0.index)].settings.nature == .group })
        let found = InvariantChecker.violations(history, of: plan).map(\.invariant)
        #expect(found.contains(invariant), "found \(found)")
    }

    @Test("an indicator that is not what it shows", arguments: ["shown", "warning"])
    func indicator(id: String) throws {
        let plan = try #require(RelatedPanel.plan)
        let indicator = try #require(plan.control(named: id))
        var user = try PanelUser(seed: 1, plan: plan)
        try user.round(60)
        var history = user.history
        try #require(
            change(&history, { $0.control == indicator }) {
                $0.snapshot.desired = $0.snapshot.desired == .on ? .off : .on
            })
        let found = InvariantChecker.violations(history, of: plan)
        expectEqual(found.map(\.invariant), [.sums])
        expectEqual(found.first?.text.hasPrefix("indicator \(indicator.index) is "), true)
    }

    /// The release of a momentary button ends what its press began, also while it is disabled.
    @Test("what is asked of a disabled control, and not the end of a press") func ends() throws {
        let reading = PanelReader.read(
            SourceText(
                file: "p.yaml",
                text: "panel: P\nboard: none\ncontrols:\n"
                    + "  key: {kind: toggle-button, label: Key, input: A, latch: momentary}\n"
                    + "  mode: {kind: toggle-button, label: Mode, input: B}\n"))
        let plan = try #require(reading.plan)
        func broken(_ control: UInt16, _ value: Value) -> [Invariant] {
            let kinds: [Report.Kind] = [.flag(.disabled, isSet: true), .changed(value, .panel)]
            let history = kinds.map {
                HistoryStep.report(Report(control: ControlID(control), kind: $0), at: .zero)
            }
            return InvariantChecker.violations(history, of: plan).map(\.invariant)
        }
        #expect(broken(0, .off) == [] && broken(0, .on) == [.disabled])
        #expect(broken(1, .off) == [.disabled] && broken(1, .on) == [.disabled])
    }

    /// What began again by a reload has no button down, and no attempt in flight.
    @Test("only what a reload does not explain") func reload() throws {
        let plan = try #require(SimulatedPanel.wild)
        var user = try PanelUser(seed: 1, plan: plan)
        try user.round(60)
        let first = user.history.compactMap { step -> VirtualRecord.Attempt? in
            guard case .attempt(let attempt) = step, attempt.step == .started else { return nil }
            return attempt
        }.first
        var attempt = try #require(first)
        let control = attempt.control
        let start = HistoryStep.attempt(attempt)
        attempt.run = RunID(.max)
        let second = HistoryStep.attempt(attempt)
        let press = HistoryStep.report(Report(control: control, kind: .pressed), at: .zero)
        func broken(_ history: [HistoryStep]) -> [Invariant] {
            InvariantChecker.violations(history, of: plan).map(\.invariant)
        }
        expectEqual(broken([press, start, press, second]), [.presses, .attempts])
        expectEqual(broken([press, start, .reload([control], told: 3), press, second]), [])
        let other = HistoryStep.reload([ControlID(control.index + 1)], told: 3)
        expectEqual(broken([press, start, other, press, second]), [.presses, .attempts])
    }

    @Test("an output that refuses its level, and is no fault") func refused() throws {
        let plan = try #require(Self.levels)
        func broken(isTold: Bool) -> [Invariant] {
            InvariantChecker.violations(
                [.refused(ControlID(0), LineID(2), isTold: isTold, at: .zero)], of: plan
            ).map(\.invariant)
        }
        expectEqual(broken(isTold: true), [])
        expectEqual(broken(isTold: false), [.levels])
    }

    /// A panel of outputs with levels.
    private static let levels = PanelReader.read(
        file: Repository.path("Tests/Soak/levels.yaml")
    ).plan

    /// A panel that has what the invariant is about.
    private static func plan(for invariant: Invariant) -> PanelPlan? {
        switch invariant {
        case .attempts: SimulatedPanel.wild
        case .outputs, .gaps, .disabled, .sums, .menus: RelatedPanel.plan
        case .levels: levels
        case .time, .presses, .changes, .values, .contacts, .positions, .follows, .obeys, .dials,
            .phases, .truth, .requests, .reloads:
            SimulatedPanel.quick
        }
    }

    /// Makes a history say what must never be; false where it has no place for that.
    private func doctor(
        _ history: inout [HistoryStep], _ invariant: Invariant, isGroup: (ControlID) -> Bool
    ) -> Bool {
        switch invariant {
        case .time:
            return insert(&history, { _ in true }) { step in
                guard case .report(let report, _) = step else { return step }
                return .report(report, at: .zero)
            }
        case .presses:
            return insert(&history) { $0.kind == .pressed || $0.kind == .released }
        case .changes:
            return insert(&history) { if case .changed = $0.kind { true } else { false } }
        case .values:
            return tellNoOption(&history)
        case .reloads:
            history.append(.reload([], told: 1))
            return true
        case .attempts:
            guard
                let place = history.firstIndex(where: {
                    if case .attempt(let attempt) = $0 { attempt.step == .started } else { false }
                }), case .attempt(var attempt) = history[place]
            else { return false }
            attempt.run = RunID(.max)
            history.insert(.attempt(attempt), at: place + 1)
            return true
        case .contacts:
            return change(&history, { !$0.contacts.isEmpty }) {
                $0.contacts[0].engine = $0.contacts[0].world.opposite
            }
        case .positions:
            return change(&history, { $0.position != nil }) {
                $0.position = $0.position.map { $0 + 1 }
            }
        case .follows:
            return change(&history, { $0.mustFollow }) {
                $0.snapshot.desired = Value($0.snapshot.position.raw + 1)
            }
        case .obeys:
            return change(&history, { $0.pressed != nil }) {
                $0.snapshot.desired = $0.snapshot.desired == .on ? .off : .on
            }
        case .dials:
            return change(&history, { $0.dial != nil }) { $0.dial = $0.dial.map { $0 + 1 } }
        case .outputs:
            return turnAnotherOn(&history)
        case .gaps: return hurry(&history)
        case .disabled:
            return insert(
                &history, { $0.kind == .flag(.disabled, isSet: true) },
                edit: { step in
                    guard case .report(var report, let moment) = step else { return step }
                    report.kind = .chosen(Value(0), .panel)
                    return .report(report, at: moment)
                })
        case .phases:
            return change(&history, { _ in true }) { $0.snapshot.phase = .pending }
        case .sums:
            return change(&history, { isGroup($0.control) }) { $0.snapshot.desired = .unknown }
        case .truth: return hide(&history, isGroup)
        case .requests: return answerTwice(&history)
        case .menus:
            return change(&history, { _ in true }) { $0.snapshot.focus = Value(0) }
        case .levels: return weaken(&history)
        }
    }

    /// Tells an output a little less, or a little instead of nothing.
    private func weaken(_ history: inout [HistoryStep]) -> Bool {
        change(&history, { !$0.outputs.isEmpty }) {
            let told = $0.outputs[0].told.tenThousandths
            $0.outputs[0].told = Strength(tenThousandths: told == 0 ? 1 : told - 1)
        }
    }

    /// Lets a known control become unknown without a flag.
    private func hide(_ history: inout [HistoryStep], _ isGroup: (ControlID) -> Bool) -> Bool {
        let isKnown = { (state: ControlState) in
            state.snapshot.flags.isEmpty && state.snapshot.actual != .unknown
        }
        return change(&history, { !isGroup($0.control) && isKnown($0) }) {
            $0.snapshot.actual = .unknown
        }
    }

    /// Tells a value that no control has.
    private func tellNoOption(_ history: inout [HistoryStep]) -> Bool {
        insert(
            &history, { if case .changed = $0.kind { true } else { false } },
            edit: { step in
                guard case .report(var report, let moment) = step else { return step }
                report.kind = .changed(Value(1_000), .panel)
                return .report(report, at: moment)
            })
    }

    /// Lets another output go on while one is on.
    private func turnAnotherOn(_ history: inout [HistoryStep]) -> Bool {
        let place = history.lastIndex { step in
            if case .output(_, _, .active, _) = step { true } else { false }
        }
        guard let place, case .output(let control, let line, _, let moment) = history[place]
        else { return false }
        let other = LineID(line.index + 1)
        history.insert(.output(control, other, .active, at: moment), at: place + 1)
        return true
    }

    /// Lets another output go on at the moment at which one goes off.
    private func hurry(_ history: inout [HistoryStep]) -> Bool {
        let place = history.lastIndex { step in
            if case .output(_, _, .active, _) = step { true } else { false }
        }
        guard let place, case .output(let control, let line, _, let moment) = history[place]
        else { return false }
        let other = LineID(line.index + 1)
        history.insert(.output(control, line, .inactive, at: moment), at: place + 1)
        history.insert(.output(control, other, .active, at: moment), at: place + 2)
        return true
    }

    private func answerTwice(_ history: inout [HistoryStep]) -> Bool {
        let place = history.lastIndex { step in
            if case .answered = step { true } else { false }
        }
        guard let place else { return false }
        history.insert(history[place], at: place)
        return true
    }

    /// Tells the last fitting report once more, changed by `edit`.
    private func insert(
        _ history: inout [HistoryStep], _ fits: (Report) -> Bool,
        edit: (HistoryStep) -> HistoryStep = { $0 }
    ) -> Bool {
        let place = history.lastIndex { step in
            if case .report(let report, _) = step { fits(report) } else { false }
        }
        guard let place else { return false }
        history.insert(edit(history[place]), at: place + 1)
        return true
    }

    private func change(
        _ history: inout [HistoryStep], _ fits: (ControlState) -> Bool,
        edit: (inout ControlState) -> Void
    ) -> Bool {
        guard let last = history.indices.last, case .quiet(let moment, var states) = history[last],
            let place = states.firstIndex(where: fits)
        else { return false }
        edit(&states[place])
        history[last] = .quiet(at: moment, states)
        return true
    }
}
