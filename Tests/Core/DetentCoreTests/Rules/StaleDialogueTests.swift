import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Devices that are silent for too long.
@Suite struct StaleDialogueTests {
    private static func bench(query: Bool = false) -> Bench {
        var panel = RuledPanel()
        let action = panel.action()
        _ = panel.add(
            ControlSettings(
                nature: .onOff(latch: .toggle), actions: .any(action),
                query: query ? panel.action() : nil,
                indicator: IndicatorSettings(lines: panel.lines(1)))
        ) { $0.staleAfter = .seconds(10) }
        let bench = panel.bench()
        _ = bench.start()
        return bench
    }

    /// Also one that never said anything.
    @Test func aDeviceThatIsSilentFromTheStartIsStale() {
        let bench = Self.bench()
        expectEqual(bench.run(9_999), [])
        expectEqual(
            bench.run(10_000),
            [
                "10000 c0 flag stale", "10000 c0 indicator doubleWink", "10000 lamp l0 on",
            ])
        #expect(bench.snapshot().flags.contains(.stale))
    }

    @Test func itsWordEndsIt() {
        let bench = Self.bench()
        _ = bench.run(11_000)
        let log = bench.feedback(.off, 11_000)
        #expect(log.contains("11000 c0 no stale"))
        #expect(log.contains("11000 c0 indicator off"))
        // The same word again counts as well, though it changes nothing.
        expectEqual(bench.feedback(.off, 20_000), [])
        expectEqual(bench.run(29_999), [])
        expectEqual(bench.run(30_000).first, "30000 c0 flag stale")
    }

    @Test func aConfirmedActionIsItsWord() {
        let bench = Self.bench()
        _ = bench.intent(.on, 5_000) + bench.finish(1, .succeeded, 6_000)
        expectEqual(bench.run(15_999), [])
        expectEqual(bench.run(16_000).first, "16000 c0 flag stale")
        // A failed one is not.
        _ = bench.intent(.off, 17_000)
        #expect(!bench.finish(2, .failed(.exit(1)), 18_000).contains("18000 c0 no stale"))
        expectEqual(bench.snapshot().flags, .stale)
    }

    @Test func anAnswerIsItsWord() {
        let bench = Self.bench(query: true)
        _ = bench.intent(.on, 5_000) + bench.finish(1, .lost, 6_000)
        _ = bench.run(10_500)
        #expect(bench.snapshot().flags.contains(.stale))
        #expect(bench.answer(2, .on, 10_500).contains("10500 c0 no stale"))
    }

    /// Failed and loading are shown before stale, a fault before all.
    @Test func staleStandsBeneathWhatIsWorse() {
        let bench = Self.bench()
        _ = bench.run(10_000)
        _ = bench.intent(.on, 10_100) + bench.run(10_300)
        expectEqual(bench.snapshot().pattern, .blink)
        _ = bench.finish(1, .failed(.exit(1)), 11_000)
        expectEqual(bench.snapshot().pattern, .flashBurst)
        _ = bench.run(14_000)
        expectEqual(bench.snapshot().pattern, .doubleWink)
    }
}
