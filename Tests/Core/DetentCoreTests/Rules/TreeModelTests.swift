import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Random trees of checkboxes, groups, conditions and a form against the plain one.
@Suite struct TreeModelTests {
    /// The same panel twice.
    private struct Twins {
        var model = PlainTree()
        var panel = RuledPanel()

        mutating func leaf(_ random: inout SplitMix, form: Int?) {
            var control = PlainControl()
            control.hasAction = random.chance(60)
            control.supersede = [.wait, .cancel, .ignore][random.below(3)]
            control.timeout = 100 + random.below(600)
            let condition = condition(&random, percent: 50)
            let follows = random.chance(50)
            model.add(.leaf, control, when: condition, follows: follows)
            let settings = ActionSettings(
                timeout: .milliseconds(UInt64(control.timeout)), supersede: control.supersede)
            _ = panel.toggle(
                control.hasAction ? settings : nil, when: condition?.steps ?? []
            ) {
                $0.onEnable = follows ? .follow : .wait
                if let form { $0.form = .member(of: ControlID(UInt16(form))) }
            }
            model.forms[model.nodes.count - 1] = form
        }

        mutating func group(_ random: inout SplitMix) {
            var members = model.nodes.indices.filter { _ in random.chance(40) }
            if members.isEmpty { members = [random.below(model.nodes.count)] }
            let condition = condition(&random, percent: 25)
            model.add(.group(members), when: condition)
            _ = panel.add(
                ControlSettings(nature: .group), when: condition?.steps ?? [],
                members: members.map { UInt16($0) })
        }

        mutating func form(_ random: inout SplitMix) {
            let form = model.nodes.count
            let members = model.nodes.indices.filter { model.forms[$0] == form }
            let condition = condition(&random, percent: 30)
            model.add(.form(members), when: condition)
            _ = panel.add(
                ControlSettings(nature: .form), when: condition?.steps ?? [],
                members: members.map { UInt16($0) })
            let id = ControlID(UInt16(form))
            for role in [RelationSettings.FormRole.apply(id), .cancel(id)] {
                model.add(role == .apply(id) ? .apply(form) : .cancel(form))
                _ = panel.add(ControlSettings(nature: .button)) { $0.form = role }
            }
        }

        private func condition(
            _ random: inout SplitMix, percent: UInt64
        ) -> PlainExpression? {
            guard !model.nodes.isEmpty, random.chance(percent) else { return nil }
            return .drawn(&random, sources: model.nodes.count, values: 3, depth: 2)
        }
    }

    private static func twins(_ random: inout SplitMix) -> Twins {
        var twins = Twins()
        for place in 0..<6 { twins.leaf(&random, form: place >= 3 ? 6 : nil) }
        twins.form(&random)  // 6, with its buttons 7 and 8
        // Groups of these, of groups, and checkboxes that depend on any of them.
        for _ in 0..<2 {
            twins.group(&random)
            twins.leaf(&random, form: nil)
        }
        twins.group(&random)
        return twins
    }

    @Test(arguments: TestLength.seeds(0..<40))
    func theEngineAgreesWithThePlainTree(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var twins = Self.twins(&random)
        let bench = twins.panel.bench()
        for place in twins.model.nodes.indices where !twins.model.controls[place].hasAction {
            twins.model.controls[place].actual = 0
            twins.model.controls[place].confirmed = 0
        }
        var runs: [[UInt32]] = Array(repeating: [], count: twins.model.nodes.count)
        var now = 0
        func send(_ event: Event) {
            for (effect, _) in bench.raw(event, at: Instant(millisecond: now)) {
                if case .start(_, let run, let control, _, _, _) = effect {
                    runs[Int(control.index)].append(run.number)
                }
            }
        }
        send(.start)
        twins.model.settle(0, isStart: true)
        for turn in 0..<300 {
            let until = now + (random.chance(5) ? random.below(4_000) : random.below(90))
            // The engine sleeps through all that the model sees pass.
            while now < until {
                now += 1
                twins.model.pass(now)
            }
            Self.act(&twins.model, runs, now, &random, send)
            twins.model.settle(now)
            guard let difference = Self.difference(twins.model, bench) else { continue }
            Issue.record("seed \(seed) turn \(turn) at \(now): \(difference)")
            return
        }
    }

    private static func act(
        _ model: inout PlainTree, _ runs: [[UInt32]], _ now: Int, _ random: inout SplitMix,
        _ send: (Event) -> Void
    ) {
        let place = random.below(model.nodes.count)
        let id = ControlID(UInt16(place))
        switch random.below(10) {
        case 0, 1, 2:
            let value = Int32(random.below(2))
            _ = model.ask(place, value, now)
            send(.intent(id, Value(value), .web))
        case 3:
            model.fire(place, now)
            send(.fire(id, .on, .web, isConfirmed: false))
        case 4 where model.controls[place].attempt == nil:
            guard case .leaf = model.nodes[place] else { return send(.tick) }
            let value = Int32(random.below(2))
            model.change(place) { $0.tell(value) }
            send(.feedback(id, Value(value)))
        case 5, 6, 7:
            let busy = model.controls.indices.filter { model.controls[$0].attempt != nil }
            guard !busy.isEmpty else { return send(.tick) }
            let place = busy[random.below(busy.count)]
            // What began while the engine slept is not known outside yet.
            guard let attempt = model.controls[place].attempt,
                attempt.number == runs[place].count
            else { return send(.tick) }
            let outcomes: [ActionOutcome] = [
                .succeeded, .succeeded, .failed(.exit(1)), .lost, .cancelled,
            ]
            let outcome = outcomes[random.below(5)]
            model.change(place) { $0.finish(attempt.number, outcome, now) }
            send(
                .actionFinished(
                    ControlID(UInt16(place)), RunID(runs[place][attempt.number - 1]), outcome))
        case _:
            send(.tick)
        }
    }

    private static func difference(_ model: PlainTree, _ bench: Bench) -> String? {
        for place in model.nodes.indices {
            let snapshot = bench.snapshot(UInt16(place))
            var isSame =
                snapshot.desired.raw == model.desired(place)
                && snapshot.phase == model.phase(place) && snapshot.flags == model.flags(place)
            if case .apply = model.nodes[place] {
            } else if case .cancel = model.nodes[place] {
            } else {
                isSame =
                    isSame && snapshot.actual == (model.actual(place).map { Value($0) } ?? .unknown)
                    && snapshot.staged
                        == (model.controls[place].staged.map { Value($0) } ?? .unknown)
            }
            guard !isSame else { continue }
            return """
                c\(place) \(model.nodes[place]) is \(snapshot), not \(model.desired(place)) \
                \(String(describing: model.actual(place))) \(model.phase(place)) \
                \(model.flags(place)) staged \(String(describing: model.controls[place].staged))
                """
        }
        return nil
    }
}
