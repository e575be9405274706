import DetentBench
import DetentTypes
import Glibc

/// A contact that bounces by other rules than the simulator: it hops, each hop lower than the one
/// before, with widths of a log-normal distribution; some bounces have a long last hop (Pareto).
struct StrangeContact {
    /// How it changes in one direction.
    struct Side {
        /// The share of changes without a bounce.
        var clean: Double
        /// The median width of the first hop, in seconds.
        var width: Double
        /// The spread of the widths: the standard deviation of their natural logarithm.
        var spread: Double
        /// The chance of one more pulse.
        var again: Double
        /// The share of bounces with a long hop, and its shortest width.
        var tail: (share: Double, width: Double)
    }

    var closing = Side(clean: 0.2, width: 90e-6, spread: 1.7, again: 0.6, tail: (0.08, 4e-3))
    var opening = Side(clean: 0.55, width: 15e-6, spread: 1.5, again: 0.4, tail: (0.03, 1e-3))
    /// The step of the clock that stamps the edges, in nanoseconds.
    var step: UInt64 = 1
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed, stream: 77)
    }

    /// From above 0 to 1.
    private mutating func fraction() -> Double { Double(random.below(1 << 52) + 1) / 0x1p52 }

    private mutating func normal() -> Double {
        (-2 * log(fraction())).squareRoot() * cos(2 * .pi * fraction())
    }

    /// The times between the edges of one change.
    private mutating func widths(_ side: Side) -> [Double] {
        if fraction() <= side.clean { return [] }
        var pulses = 1
        while pulses < 60, fraction() <= side.again { pulses += 1 }
        var found = (0..<2 * pulses).map { place in
            side.width * exp(side.spread * normal()) * pow(0.9, Double(place))
        }
        if fraction() <= side.tail.share {
            found.append(side.tail.width * pow(fraction(), -1 / 1.5))
            found.append(side.width)
        }
        return found.map { min($0, 30e-3) }
    }

    /// What a meter finds in a recording of it.
    mutating func recording(presses: Int) -> BounceMeter {
        var meter = BounceMeter(level: .inactive)
        var now: UInt64 = 0
        for place in 0..<2 * presses {
            now += 300_000_000
            var level = Level(place % 2 == 0)
            meter.take(level, at: Instant(nanoseconds: now))
            for width in widths(place % 2 == 0 ? closing : opening) {
                now += max(1, UInt64(width * 1e9) / step) * step
                level = level.opposite
                meter.take(level, at: Instant(nanoseconds: now))
            }
        }
        meter.finish()
        return meter
    }
}
