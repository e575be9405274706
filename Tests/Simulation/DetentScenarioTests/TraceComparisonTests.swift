import DetentTypes
import TestSupport
import Testing

@testable import DetentScenario

/// One expected trace serves virtual time and real lines: what may differ, and what may not.
@Suite struct TraceComparisonTests {
    /// An event of a control at so many milliseconds.
    private static func line(_ at: Int, _ control: String, _ words: String) -> String {
        "{\"at\": \(at * 1_000_000), \"control\": \"\(control)\", \"event\": \(words)}\n"
    }

    private static let expected = [
        line(0, "a", "\"phase\", \"phase\": \"pending\""),
        line(100, "a", "\"phase\", \"phase\": \"idle\""),
        line(100, "b", "\"pressed\", \"origin\": \"panel\""),
        line(2_000, "b", "\"released\", \"origin\": \"panel\""),
    ]

    private func differences(_ found: [String]) -> [String] {
        TraceComparison(
            found: found, expected: Self.expected, tolerance: .milliseconds(50)
        ).differences
    }

    @Test func theSameTraceAgrees() {
        expectEqual(differences(Self.expected), [])
    }

    @Test func orderBetweenControlsIsJudgedByTime() {
        var found = Self.expected
        found.swapAt(1, 2)
        expectEqual(differences(found), [])
    }

    @Test func lostEdgesAreTheBounces() {
        let lost = Self.line(10, "a", "\"lost\", \"count\": 1")
        expectEqual(differences(Self.expected + [lost]), [])
    }

    @Test(arguments: [(40, 0), (50, 0), (51, 1), (400, 1)])
    func oneEventMayComeWithinTheTolerance(late: Int, count: Int) {
        var found = Self.expected
        found[3] = Self.line(2_000 + late, "b", "\"released\", \"origin\": \"panel\"")
        expectEqual(differences(found).count, count)
    }

    @Test func aRunMayFallBehindALittleWithEachStep() {
        let found = [
            Self.expected[0],
            Self.line(140, "a", "\"phase\", \"phase\": \"idle\""),
            Self.line(141, "b", "\"pressed\", \"origin\": \"panel\""),
            Self.line(2_080, "b", "\"released\", \"origin\": \"panel\""),
        ]
        expectEqual(differences(found), [])
    }

    @Test func anEventTooEarlyIsTold() {
        var found = Self.expected
        found[3] = Self.line(1_900, "b", "\"released\", \"origin\": \"panel\"")
        expectEqual(differences(found).first?.contains("100 ms too early"), true)
    }

    @Test func aMissingAnotherOrAFurtherEventIsTold() {
        #expect(differences(Self.expected.dropLast())[0].contains("found:    (nothing)"))
        var other = Self.expected
        other[1] = Self.line(100, "a", "\"phase\", \"phase\": \"failed\"")
        #expect(differences(other)[0].contains("a phase, number 2"))
        let further = Self.line(2_100, "b", "\"pressed\", \"origin\": \"panel\"")
        #expect(differences(Self.expected + [further])[0].contains("expected: (nothing)"))
    }
}
