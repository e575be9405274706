import DetentHAL
import DetentPanel
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentScenario

/// What a scenario on real lines refuses before it touches one.
@Suite struct GPIOSimPlayerTests {
    private func scenario(_ steps: String, head: String = "") throws -> Scenario {
        let panel = RecordedTraceTests.scenario.dropLast(14) + ".yaml"
        let reading = ScenarioReader.read(
            SourceText(file: "t.yaml", text: "panel: \(panel)\n\(head)steps:\n\(steps)\n"))
        return try #require(reading.scenario, "\(reading.problems)")
    }

    @Test(arguments: [("999us", 1), ("1ms", 0), ("20ms", 0)])
    func aGlitchNarrowerThanTwoWritesIsRefused(width: String, count: Int) throws {
        let refused = GPIOSimPlayer.refusals(
            try scenario("  - flip: {light: on}\n  - glitch: {light: \(width)}"))
        expectEqual(refused.count, count)
        #expect(refused.allSatisfy { $0.place.line == 4 && $0.help.contains("--backend sim") })
    }

    @Test(arguments: [("time: virtual\n", 1), ("", 0)])
    func whatIsForVirtualTimeOnlyIsRefused(head: String, count: Int) throws {
        let refused = GPIOSimPlayer.refusals(try scenario("  - wait: 2h", head: head))
        expectEqual(refused.count, count)
        #expect(refused.allSatisfy { $0.help.contains("--backend sim") })
    }

    @Test func withoutASimulatedChipItSaysWhichLineNobodyCanMove() throws {
        let scenario = try scenario("  - flip: {light: on}")
        let error = try #require(throws: GPIOSimError.self) {
            try GPIOSimPlayer(scenario, AbsentBackend())
        }
        #expect(error.cause.hasPrefix("no gpio-sim chip has the line SW"))
        #expect(error.remedy.contains("docs/scenarios.md"))
    }

    @Test func contactsOnRealLinesDoNotBounce() {
        var random = SplitMix64(seed: 1, stream: 0)
        let choice = BounceChoice.all(
            BounceProfile(closes: .milliseconds(5), travel: .milliseconds(7)))
        guard case .all(let profile) = choice.withoutBounce else {
            Issue.record("it became another choice")
            return
        }
        expectEqual(profile.edges(closing: true, &random), [])
        expectEqual(profile.travel, .milliseconds(7))
    }
}

/// A backend that has no lines.
private final class AbsentBackend: GPIOBackend {
    func open(_ lines: [LineSettings]) -> [HALError] { [] }
    var descriptors: [Int32] { [] }
    var descriptorGeneration: UInt32 { 0 }
    var deadline: Instant { .never }
    func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int { 0 }
    func read(_ line: LineID, now: Instant) -> LineReading? { nil }
    func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? { nil }
    func close() {}
}
