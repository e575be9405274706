public import DetentTypes

/// Tells which of several analog channels a hand has moved.
public struct AnalogFinder: Sendable {
    private struct Channel: Sendable {
        var meter = AnalogMeter()
        var rest: Int32?
        var lastMove: Instant?
    }

    private var channels: [Channel]

    /// Watches a number of channels.
    public init(channels count: Int) {
        channels = Array(repeating: Channel(), count: count)
    }

    /// Takes a sample of a channel.
    public mutating func record(_ sample: Int32, channel: Int, at now: Instant) {
        guard channels.indices.contains(channel) else { return }
        channels[channel].meter.record(sample, at: now)
        let rest = channels[channel].rest ?? sample
        if abs(Int64(sample) - Int64(rest)) > BenchLimits.analogMove {
            channels[channel].rest = sample
            channels[channel].lastMove = now
        } else if channels[channel].rest == nil {
            channels[channel].rest = sample
        }
    }

    /// When a part that was moved has rested for long enough; never while none was.
    public var deadline: Instant {
        channels.compactMap(\.lastMove).min().map { $0 + BenchLimits.gestureEnd } ?? .never
    }

    /// The channel that was moved and rests now, with what was learned of it; then it counts anew.
    public mutating func found(at now: Instant) -> (channel: Int, meter: AnalogMeter)? {
        for place in channels.indices {
            guard let last = channels[place].lastMove, last + BenchLimits.gestureEnd <= now else {
                continue
            }
            var meter = channels[place].meter
            meter.settle(at: now)
            channels[place] = Channel()
            channels[place].rest = meter.reached?.last
            if meter.isTurned { return (place, meter) }
        }
        return nil
    }
}
