import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentSimulator

/// Real time and the panel's, at any speed.
@Suite struct PacedClockTests {
    private let begin = Instant(nanoseconds: 7_000_000_000)

    private func clock(rate: Int) -> PacedClock {
        var clock = PacedClock(startedAt: begin)
        clock.setRate(rate, at: begin, on: .zero)
        return clock
    }

    @Test func itBeginsAtZeroAndGoesWithRealTime() {
        let clock = PacedClock(startedAt: begin)
        expectEqual(clock.moment(at: begin), .zero)
        expectEqual(clock.moment(at: begin + .seconds(3)), .zero + .seconds(3))
        expectEqual(clock.realMoment(of: .zero + .seconds(3)), begin + .seconds(3))
        expectEqual(clock.realMoment(of: .never), .never)
    }

    @Test(arguments: [(100, 1), (500, 5), (100_000, 1_000)])
    func atAnotherSpeedAMillisecondIsLongerOrShorter(_ rate: Int, _ tenths: UInt64) {
        let later = begin + .milliseconds(10)
        expectEqual(clock(rate: rate).moment(at: later), .zero + .milliseconds(tenths))
    }

    @Test(arguments: [100, 333, 999, 1_000, 1_001, 7_777, 100_000])
    func theRealMomentIsTheFirstAtWhichItIsDue(_ rate: Int) {
        var random = SplitMix64(seed: UInt64(rate))
        let clock = clock(rate: rate)
        for _ in 0..<500 {
            let moment = Instant(
                nanoseconds: random.spread(from: .nanoseconds(1), to: .seconds(1_000_000))
                    .nanoseconds)
            let real = clock.realMoment(of: moment)
            #expect(clock.moment(at: real) >= moment, "\(moment) at \(rate)")
            let before = Instant(nanoseconds: real.nanoseconds - 1)
            #expect(clock.moment(at: before) < moment, "\(moment) at \(rate)")
        }
    }

    @Test func whileItStandsNothingIsDue() {
        var clock = clock(rate: 1_000)
        clock.pause(at: begin + .seconds(1), on: .zero + .seconds(1))
        expectEqual(clock.moment(at: begin + .seconds(100)), .zero + .seconds(1))
        expectEqual(clock.realMoment(of: .zero + .nanoseconds(1_000_000_001)), .never)
        expectEqual(clock.realMoment(of: .zero + .seconds(1)), .zero, "what is due now is due")
        clock.setRate(2_000, at: begin + .seconds(50), on: .zero + .seconds(1))
        #expect(!clock.isRunning)
        clock.run(at: begin + .seconds(100), from: .zero + .seconds(1))
        expectEqual(clock.moment(at: begin + .seconds(101)), .zero + .seconds(3))
    }

    @Test func noMomentOverflows() {
        let clock = clock(rate: 100_000)
        expectEqual(clock.moment(at: .never), .never)
        let slow = self.clock(rate: 100)
        expectEqual(slow.realMoment(of: Instant(nanoseconds: .max - 1)), .never)
    }
}
