import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Lost edges, late stamps and faults: all are noticed, corrected by a reading, and counted.
@Suite struct LossDialogueTests {
    static let line = LineID(0)

    static func button(_ debounce: DebounceSettings = .none, latch: Latch? = nil) -> Bench {
        let bench = Bench(
            lines: [debounce],
            controls: [
                ControlSettings(
                    nature: latch.map { .onOff(latch: $0) } ?? .button,
                    contacts: PlanRange(first: 0, count: 1),
                    decoder: .button(ButtonSettings()))
            ])
        _ = bench.send(.start, 0)
        return bench
    }

    @Test func aGapInTheNumbersIsRead() {
        let bench = Self.button()
        _ = bench.send(.edge(Self.line, .active, sequence: 1), 10)
        _ = bench.send(.edge(Self.line, .inactive, sequence: 2), 20)
        expectEqual(
            bench.send(.edge(Self.line, .active, sequence: 5), 30),
            [
                "30 c0 lost 1", "30 read l0", "30 c0 pressed",
            ])
        expectEqual(bench.send(.reading(Self.line, .active), 31), [])
        #expect(bench.counters.lostEdges == 1 && bench.snapshot().lost == 1)
    }

    @Test func theSameLevelTwiceIsRead() {
        let bench = Self.button()
        _ = bench.send(.edge(Self.line, .active, sequence: 0), 10)
        expectEqual(
            bench.send(.edge(Self.line, .active, sequence: 0), 20),
            [
                "20 c0 lost 1", "20 read l0",
            ]
        )
        expectEqual(
            bench.send(.reading(Self.line, .inactive), 21),
            [
                "21 c0 lost 2", "21 c0 released", "21 c0 clicked",
            ])
    }

    @Test func anOverflowIsReadAndTheFinalLevelTold() {
        let bench = Self.button(.button)
        _ = bench.send(.edge(Self.line, .active, sequence: 0), 10)
        _ = bench.run(100)
        expectEqual(bench.send(.overflow(Self.line), 200), ["200 c0 lost 1", "200 read l0"])
        expectEqual(bench.send(.reading(Self.line, .inactive), 201), ["201 c0 lost 2"])
        _ = bench.run(400)
        expectEqual(bench.contactLevel(0), .inactive)
    }

    /// A press that is over before the process wakes is a press all the same.
    @Test(arguments: [101, 400, 4_999, 5_001, 20_000] as [UInt64])
    func aPressWithinOneTurnHasItsRelease(microseconds: UInt64) {
        let bench = Self.button(.button)
        let began = Instant(millisecond: 10)
        let ended = began + .microseconds(microseconds)
        // Both edges come before any deadline is looked at: the process was asleep.
        let log =
            bench.send(.edge(Self.line, .active, sequence: 1), at: began)
            + bench.send(.edge(Self.line, .inactive, sequence: 2), at: ended) + bench.run(100)
        let words = log.compactMap { $0.split(separator: " ").last }
        expectEqual(words.filter { $0 == "pressed" || $0 == "released" }, ["pressed", "released"])
        expectEqual(bench.counters.lostEdges, 0)
    }

    @Test func aBurstIsReadOnceWhenTheLineIsQuiet() {
        let bench = Self.button(
            DebounceSettings(algorithm: .eager(time: .milliseconds(5), window: .restart)))
        expectEqual(bench.edge(0, .active, 10), ["10 c0 pressed"])
        expectEqual(bench.edge(0, .inactive, 11) + bench.edge(0, .active, 12), [])
        expectEqual(bench.run(10_000), ["17 read l0"])
        expectEqual(bench.send(.reading(Self.line, .active), 10_001), [])
        expectEqual(bench.edge(0, .inactive, 10_010), ["10010 c0 released", "10010 c0 clicked"])
        expectEqual(bench.run(20_000), [], "a single edge needs no reading")
    }

    @Test func edgesOlderThanTheReadingAreDropped() {
        let bench = Self.button()
        _ = bench.send(.reading(Self.line, .inactive), 100)
        expectEqual(bench.send(.edge(Self.line, .active, sequence: 0), 99), [])
        expectEqual(bench.counters.staleEdges, 1)
        expectEqual(bench.counters.clampedStamps, 1)
        expectEqual(bench.send(.edge(Self.line, .active, sequence: 0), 100), ["100 c0 pressed"])
    }

    @Test func edgesBeforeTheFirstReadingAreStaleToo() {
        let bench = Bench.lever(.follow)
        _ = bench.send(.reading(Self.line, .active), 100)
        _ = bench.send(.edge(Self.line, .inactive, sequence: 0), 90)
        _ = bench.send(.start, 101)
        #expect(bench.snapshot().desired == .on && bench.counters.staleEdges == 1)
    }

    @Test func aStampThatRunsBackCountsAsTheLatest() {
        let bench = Self.button()
        _ = bench.edge(0, .active, 100)
        expectEqual(
            bench.send(.edge(Self.line, .inactive, sequence: 0), 50),
            [
                "100 c0 released", "100 c0 clicked",
            ])
        expectEqual(bench.counters.clampedStamps, 1)
    }

    @Test func idsThatDoNotExistAreIgnoredAndCounted() {
        let bench = Self.button()
        let nobody = ControlID(7)
        for event in [
            Event.edge(LineID(9), .active, sequence: 0), .reading(LineID(9), .active),
            .overflow(LineID(9)), .lineFault(LineID(9)), .intent(nobody, .on, .web),
            .fire(nobody, .on, .web, isConfirmed: false),
            .actionFinished(nobody, RunID(1), .succeeded),
            .actionStarted(nobody, RunID(1)),
        ] {
            expectEqual(bench.send(event, 10), [])
        }
        expectEqual(bench.counters.ignoredEvents, 8)
    }

    @Test func aFaultIsTheControlsAndIsToldOnce() {
        let bench = Bench.latched()
        _ = bench.send(.start, 0)
        expectEqual(
            bench.send(.lineFault(LineID(1)), 10),
            [
                "10 c0 fault line", "10 c0 indicator tripleWink", "10 lamp l1 on",
            ])
        expectEqual(bench.send(.lineFault(LineID(1)), 11), [])
        let back = bench.send(.lineRestored(LineID(1)), 50)
        expectEqual(
            back, ["50 c0 fault none", "50 c0 indicator off", "50 lamp l1 off"])
    }

    @Test func aLineOfNobodyFaultsNobody() {
        let bench = Bench(
            lines: [nil, DebounceSettings.none],
            controls: [
                ControlSettings(
                    nature: .button, contacts: PlanRange(first: 1, count: 1),
                    decoder: .button(ButtonSettings()))
            ])
        _ = bench.send(.start, 0)
        expectEqual(bench.send(.lineFault(LineID(0)), 10), [])
        expectEqual(bench.snapshot().flags, [])
    }

    /// Reports alternate across a fault: the release that nobody saw is told, and no press is made
    /// up.
    @Test func aReleaseDuringAFaultIsTold() {
        let bench = Self.button(latch: .momentary)
        _ =
            bench.edge(0, .active, 10) + bench.send(.lineFault(Self.line), 20)
            + bench.send(.lineRestored(Self.line), 30)
        expectEqual(
            bench.send(.reading(Self.line, .inactive), 31),
            [
                "31 c0 released", "31 c0 changed 0 by panel", "31 c0 confirmed 0",
            ])
        _ = bench.send(.lineFault(Self.line), 40) + bench.send(.lineRestored(Self.line), 50)
        expectEqual(bench.send(.reading(Self.line, .active), 51), [])
        expectEqual(bench.edge(0, .inactive, 60), [], "it was held when the line came back")
        expectEqual(bench.edge(0, .active, 70).first, "70 c0 pressed")
    }

    @Test func aPressThatOutlastsAFaultHasItsRelease() {
        let bench = Self.button()
        _ =
            bench.edge(0, .active, 10) + bench.send(.lineFault(Self.line), 20)
            + bench.send(.lineRestored(Self.line), 30)
        expectEqual(bench.send(.reading(Self.line, .active), 31), [])
        expectEqual(bench.edge(0, .inactive, 60), ["60 c0 released"])
    }

    @Test func aLeverMovedDuringAFaultIsFollowed() {
        let bench = Bench.lever(.follow)
        _ =
            bench.send(.start, 0) + bench.send(.lineFault(Self.line), 10)
            + bench.send(.lineRestored(Self.line), 20)
        expectEqual(
            bench.send(.reading(Self.line, .active), 21),
            [
                "21 c0 moved 1", "21 c0 changed 1 by panel", "21 c0 confirmed 1",
            ])
    }
}
