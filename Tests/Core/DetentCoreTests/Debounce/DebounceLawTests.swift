import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// The laws of every algorithm, over every line of sixteen milliseconds there is; of twelve in a
/// short run.
@Suite struct DebounceLawTests {
    private static let length = TestLength.size(short: 12, long: 16)

    static func levels(_ bits: Int, count: Int) -> [Level] {
        (0..<count).map { Level(bits >> $0 & 1 != 0) }
    }

    @Test(arguments: NamedFilter.all)
    func everyShortLineKeepsTheLaws(filter: NamedFilter) {
        for bits in 0..<1 << Self.length {
            let raw = Self.levels(bits, count: Self.length)
            let law = FilterRun.brokenLaw(raw) {
                ContactFilter(filter.settings, level: .inactive)
            }
            guard law == nil else {
                Issue.record("input \(bits): broken law: \(law ?? "")")
                return
            }
        }
    }

    /// A glitch filter drops pulses and shifts time, and changes nothing else: where no pulse is
    /// short, the reports are the same and later by its width.
    @Test(arguments: NamedFilter.all.filter { $0.settings.glitch == .zero })
    func glitchFilterOnlyShiftsTime(filter: NamedFilter) {
        var shifted = filter.settings
        shifted.glitch = .milliseconds(2)
        for bits in 0..<1 << 10 {
            let raw = Self.levels(bits, count: 10).flatMap { [$0, $0] }
            var plain: any ContactFiltering = ContactFilter(filter.settings, level: .inactive)
            var late: any ContactFiltering = ContactFilter(shifted, level: .inactive)
            let expected = FilterRun.reports(of: raw, through: &plain).map {
                FilterRun.Report(at: $0.at + .milliseconds(2), level: $0.level)
            }
            expectEqual(FilterRun.reports(of: raw, through: &late), expected, "input \(bits)")
        }
    }

    /// A second wake-up costs as much processor time as the edge itself.
    @Test(arguments: NamedFilter.all.filter { $0.settings.glitch == .zero })
    func aCleanEdgeThatIsReportedAtOnceNeedsNoWakeUp(filter: NamedFilter) {
        var line = ContactFilter(filter.settings, level: .inactive)
        let level = line.edge(at: .zero + .milliseconds(10))
        switch filter.settings.algorithm {
        case .none, .eager, .asymmetric: #expect(level == .active && line.deadline == .never)
        case .defer, .integrator: #expect(level == nil && line.deadline != .never)
        }
    }

    @Test func onlyAnOutcomeThatCanBeSeenHasADeadline() {
        let settings = DebounceSettings(
            algorithm: .eager(time: .milliseconds(5), window: .fixed), lockout: .milliseconds(20))
        var line = ContactFilter(settings, level: .inactive)
        let start = Instant.zero + .milliseconds(10)
        expectEqual(line.edge(at: start), .active)
        #expect(line.deadline == .never && line.restsAt == start + .milliseconds(20))
        #expect(line.edge(at: start + .milliseconds(1)) == nil)
        expectEqual(line.deadline, start + .milliseconds(5), "the release is still to be reported")
        #expect(line.edge(at: start + .milliseconds(2)) == nil)
        expectEqual(line.deadline, .never, "the line is back at the reported level")
        // An edge after the time finds the filter open, though nothing woke when it ended.
        expectEqual(line.edge(at: start + .milliseconds(5)), .inactive)
        #expect(line.edge(at: start + .milliseconds(10)) == nil, "refused by the lockout")
        expectEqual(line.deadline, start + .milliseconds(20))
        expectEqual(line.deadlineReached(at: start + .milliseconds(20)), .active)
    }

    /// Through the engine: prompt calls and one late batch give the same effects with the same
    /// times.
    @Test(arguments: NamedFilter.all)
    func wakingLateChangesNothing(filter: NamedFilter) {
        for bits in 0..<1 << TestLength.size(short: 7, long: 10) {
            let raw = Self.levels(bits &* 0x9E37 & 0xFFFF, count: 16)
            let prompt = effects(raw, filter.settings, prompt: true)
            let late = effects(raw, filter.settings, prompt: false)
            guard prompt == late else {
                Issue.record("input \(bits): \(prompt) is not \(late)")
                return
            }
            expectEqual(effects(raw, filter.settings, prompt: false), late, "two runs differ")
        }
    }

    private func effects(
        _ raw: [Level], _ settings: DebounceSettings, prompt: Bool
    ) -> [String] {
        let bench = Bench(
            lines: [settings],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle), contacts: PlanRange(first: 0, count: 1),
                    decoder: .lever)
            ])
        var log = bench.send(.start, 0)
        var before = Level.inactive
        for (millisecond, level) in raw.enumerated() {
            if prompt { log += bench.run(to: Instant(millisecond: millisecond)) }
            guard level != before else { continue }
            before = level
            log += bench.send(
                .edge(LineID(0), level, sequence: 0), at: Instant(millisecond: millisecond))
        }
        if prompt { log += bench.run(to: Instant(millisecond: 1_000)) }
        return log + bench.send(.tick, 1_000)
    }

    /// A lock-out that never corrects the level is what most hobby code does; the checker must see
    /// it.
    @Test func aBlindCheckerWouldBeNoticed() {
        let caught = (0..<1 << 16).contains { bits in
            FilterRun.brokenLaw(Self.levels(bits, count: 16)) { NeverCorrecting() }
                == "the final level is reported"
        }
        #expect(caught)
        let repeated = (0..<1 << 16).contains { bits in
            FilterRun.brokenLaw(Self.levels(bits, count: 16)) { Repeating() }
                == "reports alternate"
        }
        #expect(repeated)
    }
}

/// Reports an edge and then is deaf for three milliseconds, whatever the line does meanwhile.
private struct NeverCorrecting: ContactFiltering {
    private var level = Level.inactive
    private var deafUntil = Instant.zero
    var deadline: Instant { .never }

    mutating func edge(at now: Instant) -> Level? {
        level = level.opposite
        guard now >= deafUntil else { return nil }
        deafUntil = now + .milliseconds(3)
        return level
    }

    mutating func deadlineReached(at now: Instant) -> Level? { nil }
}

/// Reports the press again some time after every edge.
private struct Repeating: ContactFiltering {
    private var level = Level.inactive
    private(set) var deadline = Instant.never

    mutating func edge(at now: Instant) -> Level? {
        level = level.opposite
        deadline = now + .milliseconds(1)
        return level
    }

    mutating func deadlineReached(at now: Instant) -> Level? {
        guard deadline <= now else { return nil }
        deadline = .never
        return level
    }
}
