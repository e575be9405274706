import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// A decoder with its settings.
private struct AnalogPart {
    let settings: AnalogSettings
    private var decoder = AnalogDecoder()

    init(_ settings: AnalogSettings) { self.settings = settings }

    var position: Value? { decoder.position }
    var deadline: Instant { decoder.deadline }

    mutating func start(_ sample: Int32) { decoder.start(sample, settings) }

    mutating func sample(_ sample: Int32, at now: Instant) -> DecoderOutput {
        decoder.sample(sample, at: now, settings)
    }

    mutating func deadlineReached() -> DecoderOutput { decoder.deadlineReached(settings) }
}

/// Laws of analog parts, each over random parts: scales in both directions, hystereses from 0.1 %
/// to 10 %, from 2 to 1,001 positions, equal steps and levels.
@Suite struct AnalogLawTests {
    static let seeds = 0..<UInt64(10_000)

    /// A part of a seed.
    static func part(_ random: inout SplitMix64, settle: TimeSpan = .zero) -> AnalogSettings {
        let low = Int32(random.below(2_000)) - 500
        let width = Int32(1_500 + random.below(30_000))
        let isFalling = random.chance(percent: 50)
        let scale = AnalogScale(
            first: isFalling ? low + width : low, last: isFalling ? low : low + width)
        var settings = AnalogSettings(
            scale: scale, hysteresis: UInt16(65 + random.below(6_400)), settle: settle,
            maximum: Int32(1 + random.below(random.chance(percent: 50) ? 12 : 1_000)))
        if random.chance(percent: 25) {
            settings.maximum = Int32(1 + random.below(9))
            settings.hysteresis = UInt16(65 + random.below(1_000))
            settings.levels = levels(Int(settings.maximum) + 1, &random)
        }
        return settings
    }

    /// Levels with gaps of at least 5 %.
    private static func levels(_ count: Int, _ random: inout SplitMix64) -> AnalogLevels {
        var gaps = (1..<count).map { _ in 1 + random.below(3) }
        if gaps.isEmpty { gaps = [1] }
        let sum = gaps.reduce(0, +)
        var levels = AnalogLevels()
        var way: UInt64 = 0
        for place in 1..<count {
            way += gaps[place - 1]
            levels[UInt32(place)] = UInt32(way * UInt64(AnalogScale.full) / sum)
        }
        return levels
    }

    /// How many samples fit into the band.
    static func band(_ settings: AnalogSettings) -> UInt64 {
        let width = (Int64(settings.scale.last) - Int64(settings.scale.first)).magnitude
        // Each fraction is rounded, so one sample of the band is not counted.
        let samples = width * UInt64(settings.hysteresis) / UInt64(AnalogScale.full)
        return samples > 1 ? samples - 1 : 0
    }

    /// Noise that is not wider than the band, around any place, from any history: once it has shown
    /// its highest and its lowest sample, nothing moves.
    @Test func noiseMovesNothingThatHasSettled() {
        for seed in TestLength.isLong ? Self.seeds : 0..<2_000 {
            var random = SplitMix64(seed: seed)
            let settings = Self.part(&random)
            var decoder = AnalogPart(settings)
            let low = min(settings.scale.first, settings.scale.last) - 100
            let width = (Int64(settings.scale.last) - Int64(settings.scale.first)).magnitude + 200
            decoder.start(low + Int32(random.below(width)))
            for _ in 0..<random.below(4) {
                _ = decoder.sample(low + Int32(random.below(width)), at: .zero)
            }
            let floor = low + Int32(random.below(width))
            let band = Self.band(settings)
            let ends = [floor, floor + Int32(band)]
            let isUpFirst = random.chance(percent: 50)
            for _ in 0..<random.below(5) {
                _ = decoder.sample(floor + Int32(random.below(band + 1)), at: .zero)
            }
            for end in isUpFirst ? ends.reversed() : ends { _ = decoder.sample(end, at: .zero) }
            let settled = decoder.position
            for _ in 0..<40 {
                let sample = floor + Int32(random.below(band + 1))
                let output = decoder.sample(sample, at: .zero)
                #expect(output.isEmpty, "seed \(seed): \(sample) moved it")
            }
            expectEqual(decoder.position, settled)
        }
    }

    /// At a border too: a value that was left is not taken again while the part rests.
    @Test func aRestNeverReturnsToAValue() {
        for seed in TestLength.isLong ? Self.seeds : 0..<2_000 {
            var random = SplitMix64(seed: seed)
            let settings = Self.part(&random)
            var decoder = AnalogPart(settings)
            let place = UInt32(1 + random.below(UInt64(settings.positions - 1)))
            let border = (settings.level(of: place - 1) + settings.level(of: place)) / 2
            let band = Self.band(settings)
            let floor = settings.scale.sample(at: border) - Int32(random.below(band + 1))
            decoder.start(floor + Int32(random.below(band + 1)))
            var seen = [decoder.position]
            for _ in 0..<60 {
                _ = decoder.sample(floor + Int32(random.below(band + 1)), at: .zero)
                if decoder.position != seen.last { seen.append(decoder.position) }
            }
            #expect(Set(seen).count == seen.count, "seed \(seed): \(seen)")
        }
    }

    @Test func aMonotoneTurnGivesMonotoneValuesUpToTheEnds() {
        for seed in TestLength.isLong ? Self.seeds : 0..<1_000 {
            var random = SplitMix64(seed: seed)
            let settings = Self.part(&random)
            let isUp = random.chance(percent: 50)
            let way = Int64(settings.scale.last) - Int64(settings.scale.first)
            var decoder = AnalogPart(settings)
            func sample(_ part: Int64) -> Int32 {
                Int32(Int64(settings.scale.first) + way * (isUp ? part : 1_000 - part) / 1_000)
            }
            decoder.start(sample(0))
            expectEqual(decoder.position?.raw, isUp ? settings.minimum : settings.maximum)
            var part: Int64 = 0
            var last = decoder.position?.raw ?? 0
            while part < 1_000 {
                part = min(1_000, part + Int64(random.below(90)))
                _ = decoder.sample(sample(part), at: .zero)
                let value = decoder.position?.raw ?? 0
                #expect(isUp ? value >= last : value <= last, "seed \(seed)")
                last = value
            }
            expectEqual(last, isUp ? settings.maximum : settings.minimum)
        }
    }

    /// What is not told for its nearness leaves the ends within reach, in either direction.
    @Test func theEndsAreReachedWithinTheTolerance() {
        for seed in TestLength.isLong ? Self.seeds : 0..<1_000 {
            var random = SplitMix64(seed: seed)
            let settings = Self.part(&random)
            var decoder = AnalogPart(settings)
            let isUp = settings.scale.last > settings.scale.first
            let near = Int32(random.below(UInt64(settings.tolerance) + 1)) * (isUp ? 1 : -1)
            decoder.start(settings.scale.first)
            _ = decoder.sample(settings.scale.last - near, at: .zero)
            expectEqual(decoder.position?.raw, settings.maximum, "seed \(seed)")
            _ = decoder.sample(settings.scale.first + near, at: .zero)
            expectEqual(decoder.position?.raw, settings.minimum, "seed \(seed)")
        }
    }

    /// The hand of the simulator finds each position, from each other one.
    @Test func aPositionIsFoundFromAnyOther() {
        for seed in TestLength.isLong ? Self.seeds : 0..<1_000 {
            var random = SplitMix64(seed: seed)
            var settings = Self.part(&random)
            settings.maximum = min(settings.maximum, 100)
            settings.hysteresis = min(settings.hysteresis, 655)
            var decoder = AnalogPart(settings)
            var place = UInt32(random.below(UInt64(settings.positions)))
            decoder.start(settings.sample(at: place, from: place))
            for _ in 0..<10 {
                let next = UInt32(random.below(UInt64(settings.positions)))
                _ = decoder.sample(settings.sample(at: next, from: place), at: .zero)
                place = next
                #expect(decoder.position == settings.value(at: place), "seed \(seed)")
            }
        }
    }

    /// Without a time to settle, moments mean nothing; with one, the time between samples does.
    @Test(arguments: [0, 30])
    func theSameSamplesAtOtherTimesGiveTheSameValues(milliseconds: UInt64) {
        for seed in TestLength.isLong ? Self.seeds : 0..<500 {
            var random = SplitMix64(seed: seed)
            let settings = Self.part(&random, settle: .milliseconds(milliseconds))
            let samples = (0..<30).map { _ in
                (
                    settings.scale.sample(at: UInt32(random.below(65_536))),
                    TimeSpan.milliseconds(random.below(50))
                )
            }
            let shift = TimeSpan.nanoseconds(random.below(1 << 40))
            expectEqual(
                Self.values(settings, samples, from: .zero),
                Self.values(settings, samples, from: .zero + shift), "seed \(seed)")
            guard milliseconds == 0 else { continue }
            expectEqual(
                Self.values(settings, samples, from: .zero),
                Self.values(settings, samples.map { ($0.0, $0.1 * 7) }, from: .zero))
        }
    }

    private static func values(
        _ settings: AnalogSettings, _ samples: [(Int32, TimeSpan)], from start: Instant
    ) -> [Int32] {
        var decoder = AnalogPart(settings)
        var now = start
        var values: [Int32] = []
        decoder.start(samples[0].0)
        for (sample, pause) in samples {
            if decoder.deadline <= now { take(decoder.deadlineReached()) }
            take(decoder.sample(sample, at: now))
            now = now + pause
        }
        return values
        func take(_ output: DecoderOutput) {
            if output.gestures.contains(.moved) { values.append(output.position.raw) }
        }
    }

    /// A selector passes what lies between two positions; a dial follows a turn that goes on.
    @Test func whatSettles() {
        var settings = AnalogSettings(
            scale: AnalogScale(first: 0, last: 3_000), settle: .milliseconds(30),
            settlesEach: true, maximum: 3)
        var selector = AnalogPart(settings)
        settings.settlesEach = false
        var dial = AnalogPart(settings)
        selector.start(0)
        dial.start(0)
        var told: [String] = []
        for (millisecond, sample) in [(0, 1_000), (20, 2_000), (40, 3_000)] as [(Int, Int32)] {
            let now = Instant(millisecond: millisecond)
            if dial.deadline <= now { told.append("dial \(dial.deadlineReached().position.raw)") }
            if selector.deadline <= now { told.append("too soon") }
            #expect(dial.sample(sample, at: now).isEmpty)
            #expect(selector.sample(sample, at: now).isEmpty)
        }
        expectEqual(told, ["dial 2"])
        expectEqual(selector.deadline, Instant(millisecond: 70))
        expectEqual(selector.deadlineReached(), .moved(to: Value(3)))
    }

    @Test func aSpikeThatDoesNotSettleIsNotTold() {
        var decoder = AnalogPart(
            AnalogSettings(
                scale: AnalogScale(first: 26_200, last: 120), settle: .milliseconds(30),
                maximum: 100))
        decoder.start(26_200)
        #expect(decoder.sample(120, at: .zero).isEmpty)
        #expect(decoder.sample(26_150, at: Instant(millisecond: 20)).isEmpty)
        expectEqual(decoder.deadline, .never)
        expectEqual(decoder.position, Value(0))
    }
}
