internal import DetentPanel
internal import DetentScenario
internal import DetentTypes

/// Compares what two worlds tell: for each control the same events in the same order, at times
/// that differ by little.
struct Comparison {
    /// How much earlier or later an event may be.
    static var tolerance: TimeSpan { .milliseconds(50) }
    /// How long both worlds go on after the last step. What comes in that time is compared, too,
    /// but it may be missing at its end.
    private static var rest: TimeSpan { .milliseconds(500) }
    /// The longest scenario; an hour of a daemon costs minutes.
    private static var longest: TimeSpan { .seconds(1_800) }
    /// What lies this close together is at the same moment.
    private static var moment: TimeSpan { .milliseconds(2) }
    private static let mostDifferences = 5

    private(set) var differences: [String] = []
    /// Why events are not compared.
    private(set) var allowances: [String] = []
    private(set) var largest: Int64 = 0

    /// Why a scenario cannot be played in both worlds; empty if it can.
    static func refusals(_ file: String) throws -> [String] {
        let scenario = try scenario(file)
        let refusals = Refusals.of(scenario)
        guard refusals.isEmpty else { return refusals }
        let end = try ScenarioTape(scenario, goingOnFor: rest).end
        guard end > .zero + longest else { return [] }
        return [
            "it takes \((end - .zero).nanoseconds / 60_000_000_000) minutes: the processes of a "
                + "daemon ask each other every second whether they are alive"
        ]
    }

    private static func scenario(_ file: String) throws -> Scenario {
        let reading = ScenarioReader.read(file: file)
        if let scenario = reading.scenario { return scenario }
        throw Failure(reading.problems.map(\.text).joined(separator: "\n"))
    }

    /// Plays a scenario in both worlds.
    ///
    /// - Throws: what differs.
    static func play(_ file: String) throws { try play(scenario(file)) }

    /// Plays what was read or made.
    ///
    /// - Throws: what differs.
    static func play(_ scenario: Scenario) throws {
        let tape = try ScenarioTape(scenario, goingOnFor: rest)
        let world = try World(scenario, tape)
        try world.play(goingOnFor: rest)
        let expected = tape.events.compactMap { WorldEvent($0) }
        let comparison = Comparison(expected, world.events, end: tape.end + rest)
        guard comparison.differences.isEmpty else {
            let said = world.messages.suffix(12).map { "    \($0)\n" }.joined()
            throw Failure(
                "the worlds differ\n"
                    + comparison.differences.prefix(mostDifferences).joined() + said)
        }
        print("    \(expected.count) events, at most \(comparison.largest / 1_000_000) ms apart")
        for reason in comparison.allowances { print("    may differ: \(reason)") }
    }

    /// What may differ, with the reason; printed where it does.
    private static let allowed: [(reason: String, is: @Sendable (WorldEvent) -> Bool)] = [
        (
            "a remote caller who has to confirm gets a token before the panel is asked, so no "
                + "`refused` is told",
            {
                $0.word == "refused" && $0.text.contains("\"needs-confirmation\"")
                    && !$0.text.contains("\"origin\": \"panel\"")
            }
        )
    ]

    init(_ expected: [WorldEvent], _ found: [WorldEvent], end: Instant) {
        var expected = expected
        for it in Self.allowed where expected.contains(where: it.is) {
            expected.removeAll(where: it.is)
            allowances.append(it.reason)
        }
        var controls: [String] = []
        for event in expected + found where !controls.contains(event.control) {
            controls.append(event.control)
        }
        for control in controls {
            compare(
                expected.filter { $0.control == control }, found.filter { $0.control == control },
                end)
        }
    }

    private mutating func compare(_ expected: [WorldEvent], _ found: [WorldEvent], _ end: Instant) {
        var found = found
        for (place, expectation) in expected.enumerated() {
            guard let match = Self.match(of: expectation, in: found, from: place) else {
                // The last events of one world may come after the end of the other.
                if place >= found.count, expectation.at + Self.tolerance >= end { return }
                return differ("they differ", expectation, place < found.count ? found[place] : nil)
            }
            found.insert(found.remove(at: match), at: place)
            let late = found[place].at.distance(from: expectation.at)
            largest = max(largest, abs(late))
            if abs(late) > Int64(Self.tolerance.nanoseconds) {
                let word = late > 0 ? "late" : "early"
                return differ("\(abs(late) / 1_000_000) ms too \(word)", expectation, found[place])
            }
        }
        if found.count > expected.count, found[expected.count].at + Self.tolerance < end {
            differ("they differ", nil, found[expected.count])
        }
    }

    /// The place of the next event; nil if it is another one. Events of other kinds may come before
    /// it at the same moment: what is due at one moment has no order in the real world.
    private static func match(
        of expectation: WorldEvent, in found: [WorldEvent], from place: Int
    ) -> Int? {
        guard place < found.count else { return nil }
        for match in place..<found.count {
            if found[match].text == expectation.text { return match }
            let distance = found[match].at.distance(from: expectation.at)
            if found[match].word == expectation.word || abs(distance) > Int64(moment.nanoseconds) {
                break
            }
        }
        return nil
    }

    private mutating func differ(_ what: String, _ expectation: WorldEvent?, _ fact: WorldEvent?) {
        func text(_ event: WorldEvent?) -> String {
            event.map { "\($0.at.nanoseconds / 1_000_000) ms: \($0.text)" } ?? "(nothing)"
        }
        differences.append(
            "    \((expectation ?? fact)?.control ?? ""): \(what)\n"
                + "      virtual time: \(text(expectation))\n      detent run:   \(text(fact))\n")
    }
}

extension Instant {
    /// How much later it is than another one, in nanoseconds.
    fileprivate func distance(from other: Instant) -> Int64 {
        Int64(clamping: nanoseconds) - Int64(clamping: other.nanoseconds)
    }
}
