import DetentBench
import DetentTypes
import TestSupport
import Testing

/// What is learned from the samples of a part that is turned and rests.
@Suite struct AnalogMeterTests {
    /// Three seconds at rest, a second's turn, three seconds at rest; 50 samples a second.
    private static func samples(
        from first: Int32, to last: Int32, noise: UInt64, seed: UInt64
    ) -> [(sample: Int32, at: Instant)] {
        var random = SplitMix64(seed: seed)
        return (0..<350).map { place in
            let way = Int64(min(max(place - 150, 0), 50))
            let sample = Int64(first) + (Int64(last) - Int64(first)) * way / 50
            return (
                Int32(sample) + Int32(random.below(noise + 1)),
                Instant(nanoseconds: UInt64(place) * 20_000_000)
            )
        }
    }

    @Test(arguments: [(120, 26_200), (26_200, 120), (10, 1_000)] as [(Int32, Int32)])
    func endsAreAHundredthInside(first: Int32, last: Int32) throws {
        var meter = AnalogMeter()
        for (sample, at) in Self.samples(from: first, to: last, noise: 0, seed: 1) {
            meter.record(sample, at: at)
        }
        let ends = try #require(meter.ends)
        let inset = (last - first) / 100
        expectEqual([ends.first, ends.last], [first + inset, last - inset])
        expectEqual(meter.noise, 0)
        expectEqual(meter.hysteresis, 10)
    }

    @Test func theNoiseIsThatOfTheRest() throws {
        for seed in 0..<50 as Range<UInt64> {
            var meter = AnalogMeter()
            for (sample, at) in Self.samples(from: 0, to: 20_000, noise: 300, seed: seed) {
                meter.record(sample, at: at)
            }
            #expect((200...300).contains(meter.noise), "seed \(seed): \(meter.noise)")
            let hysteresis = try #require(meter.hysteresis)
            #expect((20...31).contains(hysteresis), "seed \(seed): \(hysteresis)")
        }
    }

    @Test func theTextBelongsIntoThePanelFile() {
        var meter = AnalogMeter()
        for (sample, at) in Self.samples(from: 0, to: 20_000, noise: 0, seed: 1) {
            meter.record(sample, at: at)
        }
        expectEqual(
            meter.text(name: "ads1015:0", channel: "{device: ads1015, channel: 0}"),
            """
            ads1015:0: 350 samples, from 0 to 20000; noise at rest 0
              analog: {device: ads1015, channel: 0, ends: [200, 19800]}
              Exchange the ends if it was turned from its highest value to its lowest.

            """)
    }

    @Test func whatOnlyRestsWasNotTurned() {
        var meter = AnalogMeter()
        for (sample, at) in Self.samples(from: 500, to: 500, noise: 20, seed: 1) {
            meter.record(sample, at: at)
        }
        #expect(!meter.isTurned)
    }

    @Test func theChannelThatMovedIsFound() throws {
        var finder = AnalogFinder(channels: 3)
        var found: [Int] = []
        for (sample, at) in Self.samples(from: 0, to: 20_000, noise: 30, seed: 3) {
            finder.record(7_000 + sample % 20, channel: 0, at: at)
            finder.record(sample, channel: 2, at: at)
            if let (channel, meter) = finder.found(at: at) {
                found.append(channel)
                #expect(meter.isTurned)
            }
        }
        expectEqual(found, [2])
    }
}
