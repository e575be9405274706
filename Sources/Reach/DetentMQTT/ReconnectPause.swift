import DetentTypes

/// How long to wait before the next attempt to connect.
struct ReconnectPause: Equatable {
    private var next = MQTTLimits.reconnect.lowerBound
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// The pause after another failure.
    mutating func advance() -> TimeSpan {
        let middle = next.nanoseconds
        next = min(next + next, MQTTLimits.reconnect.upperBound)
        return TimeSpan(nanoseconds: middle / 2 + generator.below(middle + 1))
    }

    /// A connection has lasted: the next pause is short again.
    mutating func reset() { next = MQTTLimits.reconnect.lowerBound }
}
