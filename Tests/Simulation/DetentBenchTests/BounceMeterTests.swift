import DetentPanel
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentBench

/// The bounce meter: what it counts, and that its profile plays what it measured.
@Suite struct BounceMeterTests {
    private func at(_ microseconds: UInt64) -> Instant { .zero + .microseconds(microseconds) }

    @Test func closingAndOpeningAreSeparate() {
        var meter = BounceMeter(level: .inactive)
        meter.take(.active, at: at(1_000))
        meter.take(.inactive, at: at(1_300))
        meter.take(.active, at: at(1_400))
        meter.take(.inactive, at: at(101_000))
        meter.take(.active, at: at(201_000))
        meter.take(.inactive, at: at(201_050))
        meter.finish()
        expectEqual(
            meter.closings,
            [
                BounceMeter.Change(
                    at: at(1_000), length: .microseconds(400), edges: 3,
                    shortest: .microseconds(100), longest: .microseconds(300),
                    widths: [.microseconds(300), .microseconds(100)])
            ])
        expectEqual(
            meter.openings, [BounceMeter.Change(at: at(101_000), length: .zero, edges: 1)])
        expectEqual(meter.glitches, 1)
    }

    @Test func repeatedLevelsAndSilenceAreNothing() {
        var meter = BounceMeter(level: .active)
        meter.take(.active, at: at(5))
        meter.settle(at: at(1_000_000))
        meter.finish()
        #expect(meter.count == 0 && meter.glitches == 0 && meter.deadline == .never)
        #expect(BounceReport(meter).debounce == nil)
        #expect(BounceText.text(BounceReport(meter), name: "A").contains("Nothing was measured"))
    }

    @Test(
        arguments: [
            (0, 1), (600, 1), (700, 2), (3_000, 5), (4_000, 8), (18_000, 30), (60_000, 100),
            (900_000, 100),
        ] as [(UInt64, UInt64)])
    func theTimeIsOnceAndAHalfTheLongest(microseconds: UInt64, milliseconds: UInt64) {
        expectEqual(
            BounceReport.debounce(after: .microseconds(microseconds)), .milliseconds(milliseconds))
    }

    private func measure(
        _ profile: BounceProfile, seed: UInt64, presses: Int = 400
    ) throws -> BounceReport {
        var bench = try Workbench("kind: button\ninput: A", seed: seed, bounce: .all(profile))
        for _ in 0..<presses {
            try bench.perform(.click(Workbench.part, hold: .milliseconds(300)))
        }
        var meter = BounceMeter(level: .inactive, quiet: .milliseconds(80))
        for edge in bench.edges { meter.take(Level(!edge.isHigh), at: edge.at) }
        meter.finish()
        return BounceReport(meter)
    }

    /// The profile of a measurement, played and measured again, is about the same.
    @Test(
        arguments: ["tactile", "toggle-lever", "cherry-mx", "worn"],
        TestLength.some(of: [1 as UInt64, 2], every: 2))
    func theProfilePlaysWhatWasMeasured(name: String, seed: UInt64) throws {
        let original = try #require(BounceCatalogue.builtIn.profile(named: name).profile)
        let first = try measure(original, seed: seed)
        #expect(first.closing.count == 400 && first.opening.count == 400)
        let file = BounceText.file(
            try #require(first.profile), name: "My \(name)", changes: 800)
        let log = ProblemLog(SourceText(file: "bounce.yaml", text: file))
        let node = try #require(
            YAMLReader.read(SourceText(file: "bounce.yaml", text: file), log: log))
        let profile = try #require(BounceReader.profile(node, log), "\(log.problems)\n\(file)")
        #expect(log.problems.isEmpty)
        let second = try measure(profile, seed: seed + 100)
        func near(_ one: TimeSpan, _ other: TimeSpan) -> Bool {
            let (less, more) = (min(one, other).nanoseconds, max(one, other).nanoseconds)
            return more <= less * 2 + 50_000
        }
        #expect(near(first.closing.median, second.closing.median), "\(name), seed \(seed)")
        #expect(near(first.opening.median, second.opening.median), "\(name), seed \(seed)")
        #expect(near(first.closing.longest, second.closing.longest), "\(name), seed \(seed)")
        #expect(abs(first.closing.clean - second.closing.clean) < 80, "\(name), seed \(seed)")
        // The recommended time covers what was measured.
        let debounce = try #require(first.debounce)
        #expect(debounce >= max(first.closing.longest, first.opening.longest))
    }

    @Test func theTextHasAHistogramAndAReason() throws {
        let profile = try #require(BounceCatalogue.builtIn.profile(named: "tactile").profile)
        let text = BounceText.text(try measure(profile, seed: 1, presses: 40), name: "GPIO17")
        #expect(text.hasPrefix("GPIO17: 40 closings, 40 openings\n"))
        #expect(text.contains("  clean "))
        #expect(text.contains("█"))
        #expect(text.contains("\ndebounce: "))
        #expect(text.contains("up to 1 in 26 may still be longer"))
        for line in text.split(separator: "\n") { #expect(line.last != " ") }
    }

    @Test(arguments: [
        ("GPIO17", "gpio17"), ("pin 11", "pin-11"), ("11", "contact-11"), ("é", "contact"),
    ])
    func namesOfProfilesArePlain(name: String, id: String) {
        expectEqual(BounceText.identifier(name), id)
    }
}
