import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Gestures of one push button: what a finger does, and what is told.
struct GestureCase: CustomTestStringConvertible {
    let testDescription: String
    let settings: ButtonSettings
    /// Moments of the edges in milliseconds: down, up, down, up …
    let edges: [Int]
    let told: [String]

    init(_ name: String, _ settings: ButtonSettings, _ edges: [Int], _ told: [String]) {
        testDescription = name
        self.settings = settings
        self.edges = edges
        self.told = told
    }
}

@Suite struct ButtonGestureTests {
    static let within = ButtonSettings(clickWithin: .milliseconds(200))
    static let double = ButtonSettings(multiClickGap: .milliseconds(400))
    static let postponed = ButtonSettings(
        isClickPostponed: true, multiClickGap: .milliseconds(400))
    static let triple = ButtonSettings(
        isClickPostponed: true, multiClickGap: .milliseconds(400), multiClickCount: 3)
    static let hold = ButtonSettings(hold: .seconds(1))
    static let postponedHold = ButtonSettings(
        isClickPostponed: true, multiClickGap: .milliseconds(400), hold: .seconds(1))
    static let repeating = ButtonSettings(
        clickWithin: .milliseconds(200), repeatAfter: .milliseconds(500),
        repeatEvery: .milliseconds(200))

    static let cases: [GestureCase] = [
        GestureCase(
            "a press of any length is a click", ButtonSettings(), [10, 9_000],
            ["10 pressed", "9000 released", "9000 clicked"]),
        GestureCase(
            "a press as long as `within` is a click", within, [10, 210],
            ["10 pressed", "210 released", "210 clicked"]),
        GestureCase("a longer one is not", within, [10, 211], ["10 pressed", "211 released"]),
        GestureCase(
            "two clicks are a double click beside them", double, [10, 60, 200, 250],
            [
                "10 pressed", "60 released", "60 clicked",
                "200 pressed", "250 released", "250 clicked", "250 double-clicked",
            ]),
        GestureCase(
            "a third click begins anew", double, [0, 10, 20, 30, 40, 50],
            [
                "0 pressed", "10 released", "10 clicked",
                "20 pressed", "30 released", "30 clicked", "30 double-clicked",
                "40 pressed", "50 released", "50 clicked",
            ]),
        GestureCase(
            "a postponed click waits for a second one", postponed, [10, 60],
            ["10 pressed", "60 released", "460 clicked"]),
        GestureCase(
            "and is told as a double click alone", postponed, [10, 60, 200, 250],
            [
                "10 pressed", "60 released", "200 pressed", "250 released",
                "250 double-clicked",
            ]),
        GestureCase(
            "too late for a double click is two clicks", postponed, [10, 60, 470, 500],
            [
                "10 pressed", "60 released", "460 clicked",
                "470 pressed", "500 released", "900 clicked",
            ]),
        GestureCase(
            "the gap counts from release to press", postponed, [0, 350, 740, 1_500],
            [
                "0 pressed", "350 released", "740 pressed", "1500 released",
                "1500 double-clicked",
            ]),
        GestureCase(
            "three clicks", triple, [0, 10, 20, 30, 40, 50],
            [
                "0 pressed", "10 released", "20 pressed", "30 released",
                "40 pressed", "50 released", "50 multi-clicked 3",
            ]),
        GestureCase(
            "two of three are a double click, late", triple, [0, 10, 20, 30],
            ["0 pressed", "10 released", "20 pressed", "30 released", "430 double-clicked"]),
        GestureCase(
            "a hold is told at its threshold, and is no click", hold, [10, 2_000],
            ["10 pressed", "1010 read l0", "1010 held", "2000 released"]),
        GestureCase(
            "short of the threshold it is a click", hold, [10, 1_009],
            ["10 pressed", "1009 released", "1009 clicked"]),
        GestureCase(
            "a postponed click before a hold is told with it", postponedHold,
            [10, 60, 200, 1_300],
            [
                "10 pressed", "60 released", "200 pressed", "1200 read l0", "1200 clicked",
                "1200 held", "1300 released",
            ]),
        GestureCase(
            "repetitions end with the release", repeating, [10, 1_000],
            ["10 pressed", "510 repeated", "710 repeated", "910 repeated", "1000 released"]),
    ]

    static func bench(_ settings: ButtonSettings) -> Bench {
        let bench = Bench(
            lines: [DebounceSettings.none],
            controls: [
                ControlSettings(
                    nature: .button, contacts: PlanRange(first: 0, count: 1),
                    decoder: .button(settings))
            ])
        bench.answersReadings = true
        return bench
    }

    static func plain(_ log: [String]) -> [String] {
        log.map { $0.replacing(" c0 ", with: " ") }
    }

    @Test(arguments: cases)
    func gesture(_ it: GestureCase) {
        let bench = Self.bench(it.settings)
        var log = bench.send(.start, 0)
        for (place, millisecond) in it.edges.enumerated() {
            log += bench.edge(0, Level(place.isMultiple(of: 2)), millisecond)
        }
        log += bench.run(20_000)
        expectEqual(Self.plain(log), it.told)
        expectEqual(bench.nextDeadline, .never)
    }

    @Test func aHoldWhoseLevelIsGoneIsNone() {
        let bench = Self.bench(Self.hold)
        var log = bench.send(.start, 0) + bench.edge(0, .active, 10)
        bench.levels[0] = .inactive
        log += bench.run(5_000)
        expectEqual(
            Self.plain(log),
            [
                "10 pressed", "1010 read l0", "1010 lost 1", "1010 released", "1010 clicked",
            ])
        expectEqual(bench.contactLevel(0), .inactive)
    }

    @Test func aHoldWhoseReadingNeverComesIsNone() {
        let bench = Self.bench(Self.hold)
        bench.answersReadings = false
        let log =
            bench.send(.start, 0) + bench.edge(0, .active, 10) + bench.edge(0, .inactive, 3_000)
        expectEqual(
            Self.plain(log), ["10 pressed", "1010 read l0", "3000 released", "3000 clicked"])
    }

    @Test func aButtonHeldAtStartIsNoPress() {
        let bench = Self.bench(Self.hold)
        var log = bench.send(.reading(LineID(0), .active), 0) + bench.send(.start, 0)
        log += bench.edge(0, .inactive, 2_000)
        expectEqual(log, [])
        expectEqual(Self.plain(bench.edge(0, .active, 3_000)), ["3000 pressed"])
    }

    @Test func repetitionsAfterAJumpOfTheClockAreBounded() {
        let bench = Self.bench(Self.repeating)
        _ = bench.send(.start, 0) + bench.edge(0, .active, 0)
        let log = bench.send(.tick, at: Instant(nanoseconds: .max - 1))
        #expect(log.count <= Int(EngineLimits.repetitionsBehind) + 2)
        #expect(bench.nextDeadline > Instant(nanoseconds: .max - 1))
    }

    /// A reading that repairs nothing is no press of a button that was held at the start.
    @Test func aReadingOfAButtonThatWasHeldAtTheStartIsNoPress() {
        var decoder = ButtonDecoder()
        decoder.start(.active)
        for level in [Level.active, .inactive] {
            #expect(decoder.contact(level, at: .zero, ButtonSettings()).isEmpty, "\(level)")
        }
        let press = decoder.contact(.active, at: .zero, ButtonSettings())
        #expect(press.gestures.contains(.pressed))
    }
}
