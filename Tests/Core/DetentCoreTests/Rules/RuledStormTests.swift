import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Random panels whose controls have to do with each other, through random events. Controls name
/// only those before them: readers refuse circles.
@Suite struct RuledStormTests {
    private static let controlCount = 14
    private static let lineCount: UInt16 = 40

    private struct Maker {
        var panel = RuledPanel()
        var random: SplitMix

        mutating func span(_ longest: Int) -> TimeSpan {
            .milliseconds(UInt64(random.below(longest)))
        }

        mutating func other() -> UInt16? {
            let count = panel.pieces.count
            return count == 0 ? nil : UInt16(random.below(count))
        }

        mutating func condition() -> [ConditionStep] {
            guard random.chance(40), let one = other(), let two = other() else { return [] }
            let comparisons = Comparison.allCases
            var first = ConditionStep.compare(
                ControlID(one), comparisons[random.below(7)], Value(Int32(random.below(3))))
            if random.chance(20) {
                let troubles = Trouble.allCases
                first = random.chance(20) ? .brokerIsOffline : .any(troubles[random.below(3)])
            }
            guard random.chance(50) else { return random.chance(30) ? [first, .not] : [first] }
            return [first, .equal(two, .on), random.chance(50) ? .and : .or]
        }

        mutating func steps(_ lines: PlanRange) -> [SequenceStep] {
            guard random.chance(50) else { return [] }
            return (0..<(1 + random.below(4))).map { _ in
                let line = LineID(lines.first + UInt16(random.below(Int(lines.count))))
                let target = ControlID(other() ?? 0)
                let value = Value(Int32(random.below(3)))
                return switch random.below(7) {
                case 0 where !panel.pieces.isEmpty, 1 where !panel.pieces.isEmpty:
                    .set(target, value)
                case 2 where !panel.pieces.isEmpty: .fire(target, .on)
                case 3: .drive(line, Level(random.chance(50)))
                case 4: .pulse(line, span(300))
                case 5: .run(ActionID(0))
                case _: .wait(span(300))
                }
            }
        }

        mutating func action(_ steps: [SequenceStep]) -> ActionID {
            let supersedes: [ActionSettings.Supersede] = [.wait, .cancel, .ignore]
            let failures: [ActionSettings.OnFailure] = [
                .revert, .keep,
                .retry(count: 2, backoff: span(300), thenKeep: random.chance(50)),
            ]
            return panel.action(
                ActionSettings(
                    timeout: random.chance(20) ? nil : span(2_000),
                    onFailure: failures[random.below(3)], supersede: supersedes[random.below(3)]),
                steps: steps)
        }

        mutating func kind() -> (ControlNature, DecoderSettings, UInt16) {
            switch random.below(9) {
            case 0: (.onOff(latch: .toggle), .lever, 1)
            case 1: (.onOff(latch: .momentary), .button(ButtonSettings()), 1)
            case 2: (.onOff(latch: .tapOrHold(within: span(300))), .button(ButtonSettings()), 1)
            case 3: (.button, .button(ButtonSettings()), 1)
            case 4: (.choice(of: 3), .selector(SelectorSettings(positions: 3)), 3)
            case 5: (.choice(of: 2), .buttonRow, 2)
            case 6: (.selection(of: 3, minimum: 0, maximum: 2), .buttonRow, 3)
            case 7: (.commands(2), .buttonRow, 2)
            case _: (.dial(NumberRange(minimum: 0, maximum: 5)), .none, 0)
            }
        }

        mutating func add() {
            let place = UInt16(panel.pieces.count)
            let sum = random.below(10)
            if sum < 2, place > 2 {
                let members = (0..<3).compactMap { _ in other() }
                _ = panel.add(
                    ControlSettings(
                        nature: [.group, .form][sum],
                        indicator: IndicatorSettings(lines: panel.lines(1))),
                    when: condition(), members: members)
                return
            }
            if sum == 2, let shown = other() {
                let condition = condition()
                _ = panel.add(
                    ControlSettings(
                        nature: .mirror, indicator: IndicatorSettings(lines: panel.lines(1))),
                    when: condition
                ) { $0.shows = condition.isEmpty ? ControlID(shown) : nil }
                return
            }
            addOne()
        }

        private mutating func addOne() {
            let (kind, decoder, contacts) = kind()
            var settings = ControlSettings(nature: kind, decoder: decoder)
            settings.contacts = panel.lines(contacts, DebounceSettings.none)
            settings.indicator.lines = panel.lines(1)
            settings.stepOutputs = panel.lines(1)
            settings.startup.delay = random.chance(20) ? span(500) : .zero
            settings.startup.rule = [.panel, .value(.on), .saved][random.below(3)]
            settings.startup.runsAction = random.chance(50)
            let steps = steps(settings.stepOutputs)
            if random.chance(75) { settings.actions = .any(action(steps)) }
            let form = other().map { ControlID($0) }
            let role = random.below(12)
            let rest = kind.rest
            let returns = random.chance(30) && kind.accepts(rest)
            let after = span(3_000) + .milliseconds(1)
            let isLeaving = random.chance(50)
            let stale = random.chance(30) ? span(5_000) : .zero
            let follows = random.chance(50)
            _ = panel.add(settings, when: condition()) { rules in
                rules.onEnable = follows ? .follow : .wait
                rules.staleAfter = stale
                if returns {
                    rules.returning = ReturnSettings(
                        to: rest, after: after, from: isLeaving ? .leaving : .lastIntent)
                }
                guard let form else { return }
                rules.form =
                    [.member(of: form), .apply(form), .cancel(form), .none][min(role, 3)]
            }
        }
    }

    private static func bench(_ seed: UInt64) -> Bench {
        var maker = Maker(random: SplitMix(seed: seed))
        _ = maker.panel.action()
        for _ in 0..<controlCount { maker.add() }
        return maker.panel.bench()
    }

    private static func events(_ seed: UInt64) -> [(event: Event, at: Instant)] {
        var random = SplitMix(seed: seed &+ 1_000)
        var at = Instant.zero
        var events: [(Event, Instant)] = [(.start, .zero)]
        for _ in 0..<400 {
            if random.chance(70) {
                let longest = random.chance(5) ? 4_000_000_000 : 60_000_000
                at = at + .nanoseconds(UInt64(random.below(longest)))
            }
            events.append((event(&random), at))
        }
        return events
    }

    private static func event(_ random: inout SplitMix) -> Event {
        let line = LineID(UInt16(random.below(Int(lineCount))))
        let control = ControlID(UInt16(random.below(controlCount)))
        let level = Level(random.chance(50))
        // Low runs again and again: some are those that wait.
        let run = RunID(UInt32(1 + random.below(120)))
        switch random.below(15) {
        case 14: return .broker(isOffline: random.chance(50))
        case 0, 1, 2, 3: return .edge(line, level, sequence: 0)
        case 4, 5, 6: return .intent(control, Value(Int32(random.below(4))), .web)
        case 7:
            return .fire(
                control, Value(Int32(random.below(2))), .api, isConfirmed: random.chance(50))
        case 8: return .feedback(control, Value(Int32(random.below(3))))
        case 9, 10: return .outputWritten(line, level)
        case 11: return random.chance(50) ? .lineFault(line) : .lineRestored(line)
        case 12: return .actionStarted(control, run)
        case _:
            let outcomes: [ActionOutcome] = [.succeeded, .failed(.exit(1)), .lost]
            return .actionFinished(control, run, outcomes[random.below(3)])
        }
    }

    /// Everything but lamps: those draw what is due when they are called.
    private static func log(_ seed: UInt64, wakesInTime: Bool) -> [String] {
        let bench = bench(seed)
        var log: [String] = []
        for (event, at) in events(seed) {
            if wakesInTime { log += bench.run(to: at) }
            log += bench.send(event, at: at)
            #expect(bench.nextDeadline > at, "seed \(seed)")
        }
        // Not so long that a return that fails again and again comes to `returnsBehind`.
        let end = Instant.zero + .seconds(200)
        if wakesInTime { log += bench.run(to: end) }
        log += bench.send(.tick, at: end)
        return log.filter { !$0.contains(" lamp ") && !$0.contains(" indicator ") }
    }

    /// Law 1: results do not depend on when the process woke.
    @Test(arguments: TestLength.seeds(0..<40))
    func wakingLateChangesNothing(seed: UInt64) {
        let inTime = Self.log(seed, wakesInTime: true)
        let late = Self.log(seed, wakesInTime: false)
        guard inTime != late else { return }
        let place = zip(inTime, late).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let from = max(0, (place ?? 0) - 4)
        Issue.record(
            """
            seed \(seed) at \(from): in time \(inTime.dropFirst(from).prefix(8)), \
            late \(late.dropFirst(from).prefix(8))
            """)
    }

    /// Law 3.
    @Test(arguments: TestLength.seeds(500..<504))
    func equalEventsGiveEqualEffects(seed: UInt64) {
        expectEqual(Self.log(seed, wakesInTime: false), Self.log(seed, wakesInTime: false))
    }

    /// Disabled controls take no intent, and a control has one attempt in flight at a time.
    @Test(arguments: TestLength.seeds(200..<230))
    func whatAlwaysHolds(seed: UInt64) {
        let bench = Self.bench(seed)
        for (event, at) in Self.events(seed) {
            _ = bench.send(.tick, at: at)
            var before: ControlSnapshot?
            if case .intent(let control, _, _, _) = event { before = bench.snapshot(control.index) }
            let log = bench.send(event, at: at)
            if case .intent(let control, _, _, _) = event, before?.flags.contains(.disabled) == true
            {
                let own = Bench.of(control.index, log)
                #expect(own.contains { $0.contains("refused") }, "seed \(seed): \(log)")
                expectEqual(bench.snapshot(control.index).desired, before?.desired, "seed \(seed)")
            }
            for control in 0..<UInt16(Self.controlCount) {
                let it = bench.snapshot(control)
                #expect(it.desired != .unknown, "seed \(seed)")
                #expect(it.staged != it.desired, "seed \(seed) c\(control): \(it)")
                let lie = TruthLaw.lie(of: it, bench.kind(control))
                #expect(lie == nil, "seed \(seed) c\(control): \(lie ?? "")")
            }
        }
    }

    /// Law 10: nothing but an outcome ends what is in flight where no timeout is declared.
    @Test func nothingFlipsByItself() {
        for supersede in [ActionSettings.Supersede.wait, .cancel, .ignore] {
            let settings = ActionSettings(supersede: supersede)
            var panel = RuledPanel()
            let member = panel.toggle(settings)
            let group = panel.add(ControlSettings(nature: .group), members: [member])
            let mirror = panel.add(ControlSettings(nature: .mirror)) {
                $0.shows = ControlID(group)
            }
            let sequence = panel.toggle(settings, steps: [.set(ControlID(group), .on)])
            let form = ControlID(5)
            let field = panel.toggle(settings) { $0.form = .member(of: form) }
            _ = panel.add(ControlSettings(nature: .form), members: [field])
            let apply = panel.add(ControlSettings(nature: .button)) { $0.form = .apply(form) }
            let bench = panel.bench()
            _ = bench.start() + bench.intent(.on, 10, control: sequence)
            _ = bench.intent(.on, 10, control: field) + bench.fire(apply, 10)
            _ = bench.run(40_000_000)
            for control in [member, group, mirror, sequence, field, form.index, apply] {
                expectEqual(bench.snapshot(control).phase, .loading, "c\(control)")
            }
            _ = bench.finish(2, .succeeded, 40_000_000, control: member)
            _ = bench.finish(3, .succeeded, 40_000_000, control: field)
            for control in [member, group, mirror, sequence, field, form.index, apply] {
                expectEqual(bench.snapshot(control).phase, .idle, "c\(control)")
            }
        }
    }
}
