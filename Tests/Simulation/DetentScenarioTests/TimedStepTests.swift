import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld
import TestSupport
import Testing

/// Steps at a moment of their own, changes in the middle of a run, and how both are written.
@Suite struct TimedStepTests {
    private func read(
        _ steps: String, head: String = "", panel: String = "lab-supply"
    ) -> ScenarioReader.Reading {
        let panel = ScenarioTests.root + "/panels/\(panel)/panel.yaml"
        return ScenarioReader.read(
            SourceText(file: "t.yaml", text: "panel: \(panel)\n\(head)steps:\n\(steps)"))
    }

    private func run(
        _ steps: String, head: String = "", panel: String = "lab-supply"
    ) throws -> ScenarioResult {
        let reading = read(steps, head: head, panel: panel)
        let texts = reading.problems.map(ProblemRenderer.text)
        return VirtualPlayer.run(try #require(reading.scenario, "\(texts)"))
    }

    /// The first event of a control that has some words in it, with its moment.
    private func at(_ fragment: String, _ result: ScenarioResult) -> UInt64? {
        result.events.first { $0.contains(fragment) }
            .flatMap { UInt64($0.drop { !$0.isNumber }.prefix { $0.isNumber }) }
    }

    // MARK: at

    @Test func aStepBeginsAtExactlyItsMoment() throws {
        let result = try run(
            """
              - at: 1.000000001s
                set: {output: on}
              - at: 20s
                set: {output: off}

            """)
        #expect(result.isPassed, "\(result.text)")
        expectEqual(at("\"on\", \"origin\": \"api\"", result), 1_000_000_001)
        expectEqual(at("\"off\", \"origin\": \"api\"", result), 20_000_000_000)
    }

    @Test func aGestureWithAMomentIsNotWaitedFor() throws {
        let result = try run(
            """
              - at: 1s
                hold: {calibrate: 5s}
              - at: 1.5s
                flip: {output: on}
              - at: 1.6s
                expect: {calibrate: {event: pressed}, output: on}
              - at: 6.1s
                expect: {calibrate: {event: released}}

            """)
        #expect(result.isPassed, "\(result.text)")
        expectEqual(result.duration, .milliseconds(6_100))
    }

    @Test func severalStepsMayShareAMoment() throws {
        let result = try run(
            """
              - at: 1s
                flip: {output: on}
              - at: 1s
                press: calibrate
              - at: 2s
                expect: {output: on, calibrate: {event: pressed}}

            """)
        #expect(result.isPassed, "\(result.text)")
        expectEqual(at("\"moved\", \"position\": \"on\"", result), 1_020_000_000)
        expectEqual(at("\"pressed\"", result).map { $0 < 1_001_000_000 }, true)
    }

    @Test func everyVerbTakesAMoment() throws {
        let result = try run(
            """
              - at: 1s
                wait: 200ms
              - at: 1.2s
                wait-until: {output: off}
                within: 1s
              - at: 3s
                device: {output: on}
              - at: 4s
                resync:
              - at: 5s
                restart: 1s
              - at: 7s
                expect: {output: off}

            """)
        #expect(result.isPassed, "\(result.text)")
        expectEqual(result.duration, .seconds(7))
    }

    @Test func aMomentThatIsPastFailsInWords() throws {
        let result = try run(
            "  - wait: 2s\n  - at: 1s\n    press: calibrate\n"
                + "  - at: 3s\n    expect: {output: off}\n"
        )
        let failure = try #require(result.failures.first)
        #expect(failure.text.contains("press: its time 1000 ms has passed: it is 2000 ms"))
        expectEqual(failure.place.line, 5)
        expectEqual(result.failures.count, 1)
    }

    static let mistakes: [(text: String, line: Int, rule: String)] = [
        ("  - at: 2s\n    resync:\n  - at: 1s\n    resync:\n", 6, "out-of-range"),
        ("  - at: 1\n    resync:\n", 3, "invalid-duration"),
        ("  - at: 1s\n", 3, "conflicting-keys"),
        ("  - at: 100000h\n    resync:\n", 3, "out-of-range"),
        ("  - lamp-test:\n", 3, "wrong-type"),
        ("  - lamp-test: maybe\n", 3, "unknown-word"),
        ("  - lamp-test: {value: maybe}\n", 3, "unknown-word"),
        ("  - lamp-test: {value: on, origin: panel}\n", 3, "unknown-word"),
        ("  - lamp-test: {origin: web}\n", 3, "missing-key"),
        ("  - lamp-test: {value: on, by: web}\n", 3, "unknown-key"),
        ("  - bounce: output\n", 3, "missing-key"),
        ("  - bounce: {output: rubber}\n", 3, "unknown-word"),
        ("  - bounce: {output: {opens: 1ms}}\n", 3, "missing-key"),
        ("  - bounce: {outptu: none}\n", 3, "unknown-control"),
        ("  - actions: output\n", 3, "missing-key"),
        ("  - actions: {output: {then: maybe}}\n", 3, "unknown-word"),
        ("  - actions: {output: {take: 1s}}\n", 3, "unknown-key"),
        ("  - set: {output: {value: on, origin: panel}}\n", 3, "unknown-word"),
        ("  - set: {output: {value: on, from: web}}\n", 3, "unknown-key"),
    ]

    @Test(arguments: mistakes) func mistakesAreToldAtTheirPlaces(
        _ text: String, _ line: Int, _ rule: String
    ) throws {
        let reading = read(text)
        #expect(reading.scenario == nil)
        let problem = try #require(reading.problems.first, "\(text)")
        expectEqual(problem.rule.name, rule, "\(text)")
        expectEqual(problem.place.line, line, "\(text)")
    }

    @Test func originalIsNoBounceToBeginWith() {
        #expect(read("  - resync:\n", head: "bounce: typical\n").scenario?.bounce != nil)
        #expect(read("  - resync:\n", head: "bounce: original\n").scenario == nil)
    }

    // MARK: Changes in the middle

    private func edges(_ result: ScenarioResult, from start: UInt64, to end: UInt64) -> Int {
        result.record.changes.count { change in
            guard case .line = change.kind else { return false }
            return change.at.nanoseconds >= start && change.at.nanoseconds < end
        }
    }

    @Test func contactsBounceAsTheyWereLastTold() throws {
        let text = """
              - at: 1s
                flip: {output: on}
              - at: 2s
                bounce: {output: worn}
              - at: 2s
                flip: {output: off}
              - at: 4s
                bounce: {output: {closes: 0ms}}
              - at: 4s
                flip: {output: on}
              - at: 6s
                bounce: {output: original}
              - at: 6s
                flip: {output: off}
              - at: 8s
                resync:

            """
        let scenario = try #require(read(text, head: "bounce: none\nseed: 3\n").scenario)
        let result = VirtualPlayer.run(scenario, isTraced: true)
        #expect(result.isPassed, "\(result.text)")
        let lamps = 2  // the lamp of the switch goes on or off, and blinks at most once
        #expect(edges(result, from: 1_000_000_000, to: 1_100_000_000) <= 1 + lamps)
        #expect(edges(result, from: 2_000_000_000, to: 2_100_000_000) > 1 + lamps, "worn")
        #expect(edges(result, from: 4_000_000_000, to: 4_100_000_000) <= 1 + lamps)
        #expect(edges(result, from: 6_000_000_000, to: 6_100_000_000) <= 1 + lamps, "as before")
    }

    @Test func typicalIsWhatEachSortOfPartDoes() throws {
        let typical = try #require(read("  - resync:\n", head: "bounce: typical\n").scenario)
        expectEqual(typical.bounce, BounceCatalogue.builtIn.typical)
    }

    @Test func actionsGoAsTheyWereLastTold() throws {
        let result = try run(
            """
              - at: 1s
                flip: {output: on}
              - at: 1.1s
                expect: {output: {phase: idle, actual: on}}
              - at: 2s
                actions: {output: {takes: 300ms, then: fail, code: 7}}
              - at: 2s
                flip: {output: off}
              - at: 2.1s
                expect: {output: {phase: pending}}
              - at: 2.5s
                expect: {output: {phase: failed, event: {changed: on}}}
              - at: 9s
                actions: {output: {then: hang}}
              - at: 9s
                set: {output: off}
              - at: 13s
                expect: {output: {phase: loading}}

            """)
        #expect(result.isPassed, "\(result.text)")
        #expect(result.events.joined().contains("\"reason\": \"exit 7\""))
    }

    @Test func theNextAttemptOfAnyControlFails() throws {
        let result = try run(
            """
              - wait: 1s
              - fail-action:
              - set: calibrate
              - wait: 100ms
              - expect: {calibrate: {phase: failed}}
              - set: {output: on}
              - wait: 100ms
              - expect: {output: {phase: idle, actual: on}}

            """)
        #expect(result.isPassed, "\(result.text)")
    }

    @Test func somebodyElseThanAProgramMayAsk() throws {
        let result = try run(
            """
              - at: 1s
                set: {output: {value: on, origin: web}}
              - at: 2s
                set: {calibrate: {origin: mqtt}}
              - at: 3s
                set: {output: {value: off, origin: api}}
              - at: 4s
                set: {erase: {value: press, origin: web}}

            """)
        let text = result.events.joined()
        #expect(text.contains("\"changed\", \"value\": \"on\", \"origin\": \"web\""))
        #expect(text.contains("\"changed\", \"value\": \"off\", \"origin\": \"api\""))
        #expect(text.contains("\"refused\"") && text.contains("\"origin\": \"web\""))
    }

    @Test func aLampTestLightsWhatIsDark() throws {
        let result = try run(
            """
              - at: 1s
                expect: {lines: {GPIO16: inactive}}
              - at: 2s
                lamp-test: on
              - at: 3s
                expect: {lines: {GPIO16: active}}
              - at: 4s
                lamp-test: {value: off, origin: web}
              - at: 5s
                expect: {lines: {GPIO16: inactive}}

            """)
        #expect(result.isPassed, "\(result.text)")
        expectEqual(
            result.events.joined().split(separator: "\n").filter { $0.contains("lamp-test") },
            [
                #"{"at": 2000000000, "event": "lamp-test", "value": "on", "origin": "api"}"#,
                #"{"at": 4000000000, "event": "lamp-test", "value": "off", "origin": "web"}"#,
            ])
    }
}
