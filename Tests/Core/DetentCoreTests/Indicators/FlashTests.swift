import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Nothing flashes more than three times in any second (WCAG 2.3.1).
///
/// A flash is a pair of opposing changes of light, so three flashes are at most seven changes: the
/// seventh has no partner yet.
///
/// A dimmed lamp is no flashing one: its hundred changes a second lie above what the eye and the
/// guideline's analysis resolve (it asks for pairs of changes that are seen as such; flicker fuses
/// at 60 Hz and less), and what is seen is the pattern at a lower brightness. `DimmingTests` shows
/// that dimming leaves the pattern as it is, so what is proved here holds for dimmed lamps too.
/// Colours are those of the lit lamp, and move no change of a pattern either (`LampStyleTests`).
@Suite struct FlashTests {
    /// The milliseconds at which a lamp changes, of one that is looked at every 2 ms.
    static func changes(_ levels: [Level]) -> [Int] {
        levels.indices.dropFirst().filter { levels[$0] != levels[$0 - 1] }.map { $0 * 2 }
    }

    /// The most flashes in any second.
    static func flashes(_ changes: [Int]) -> Int {
        changes.map { first in
            changes.count { $0 >= first && $0 < first + 1_000 } / 2
        }.max() ?? 0
    }

    @Test(arguments: Look.all)
    func aPatternAlone(look: Look) {
        let levels = (0..<5_000).map { look.lamp(at: Instant(millisecond: $0 * 2)).level }
        let changes = Self.changes(levels)
        #expect(Self.flashes(changes) <= 3)
        let rises = changes.filter { levels[$0 / 2] == .active }
        for rise in rises {
            #expect(rises.count { $0 >= rise && $0 < rise + 1_000 } <= 3)
        }
    }

    /// Patterns of all conditions over one value; a condition may have any pattern but the two that
    /// are values themselves.
    static let patterns = Pattern.allCases.filter { $0 != .off && $0 != .steady }

    /// An indicator that is told conditions and wakes at its deadlines, drawn every 2 ms.
    static func drawn(
        _ steps: [(at: Int, condition: LampCondition, progress: UInt8)], _ choice: PatternChoice,
        isLit: Bool, until end: Int
    ) -> [Level] {
        var indicator = Indicator()
        indicator.show(isLit ? .on : .off, isLit: isLit, progress: 0, choice, at: .zero)
        var rest = steps[...]
        return (0..<end / 2).map { place in
            let now = Instant(millisecond: place * 2)
            while indicator.deadline <= now {
                _ = indicator.deadlineReached(choice, at: indicator.deadline)
            }
            while let step = rest.first, step.at <= place * 2 {
                indicator.show(
                    step.condition, isLit: isLit, progress: step.progress, choice, at: now)
                rest = rest.dropFirst()
            }
            return indicator.level
        }
    }

    /// From any pattern to any other, at any moment of the first.
    @Test(arguments: TestLength.some(of: patterns, every: 3), [true, false])
    func aChangeOfPattern(first: Pattern, isLit: Bool) {
        for second in Self.patterns {
            var choice = PatternChoice()
            choice[.mismatch] = first
            choice[.stale] = second
            let step = TestLength.size(short: 174, long: 58)
            for moment in stride(from: 1_000, to: 1_000 + 2_400, by: step) {
                let levels = Self.drawn(
                    [(1_000, .mismatch, 0), (moment, .stale, 0)], choice, isLit: isLit,
                    until: moment + 1_300)
                let flashes = Self.flashes(Self.changes(levels))
                #expect(flashes <= 3, "to \(second) after \(moment - 1_000) ms")
            }
        }
    }

    /// Conditions that come and go as they like, confirmations that begin anew.
    @Test(arguments: TestLength.seeds(0..<100))
    func changesWithoutEnd(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let isLit = random.chance(50)
        var choice = PatternChoice()
        choice[.unconfirmed] = .doubleWink
        if random.chance(50) {
            choice[.failed] = Self.patterns[random.below(Self.patterns.count)]
            choice[.loading] = Self.patterns[random.below(Self.patterns.count)]
        }
        var moment = 0
        var steps: [(at: Int, condition: LampCondition, progress: UInt8)] = []
        for _ in 0..<40 {
            moment += random.below(random.chance(50) ? 80 : 700)
            let condition = LampCondition.allCases[random.below(10)]
            steps.append(
                (
                    moment, condition == .on && !isLit ? .off : condition,
                    UInt8(random.below(11))
                ))
        }
        let levels = Self.drawn(steps, choice, isLit: isLit, until: moment + 1_500)
        #expect(Self.flashes(Self.changes(levels)) <= 3, "seed \(seed)")
    }

    /// A condition that follows a quiet lamp is shown at once.
    @Test func aFirstPatternDoesNotWait() {
        let levels = Self.drawn(
            [(1_000, .loading, 0)], PatternChoice(), isLit: true, until: 1_100)
        expectEqual(Self.changes(levels), [1_000])
    }
}

extension Indicator {
    /// Shows a condition, as the engine does.
    fileprivate mutating func show(
        _ wanted: LampCondition, isLit: Bool, progress: UInt8, _ patterns: PatternChoice,
        at now: Instant
    ) {
        guard let next = accept(wanted, isLit: isLit, progress: progress, at: now) else { return }
        _ = turn(to: next, isLit: isLit, patterns[next], at: now)
    }
}
